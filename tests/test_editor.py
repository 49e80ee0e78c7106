"""The language server, as a process that a client talks to."""

from __future__ import annotations

import asyncio
import io
import json
import os
import random
import re
import tomllib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import pytest_asyncio
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from canasta_notation import format_game, load_profile
from canasta_notation.batch.parts import judge_games
from canasta_notation.cli.installing import how_to_install
from canasta_notation.editor import assist, open_games
from canasta_notation.editor.features import KINDS
from canasta_notation.editor.highlight import TERMINALS, UNREAD
from canasta_notation.editor.open_games import Last, judge
from canasta_notation.editor.open_record import Document, Text
from canasta_notation.findings import Finding
from canasta_notation.notation import reader
from canasta_notation.players.random_game import play_game
from canasta_notation.replay.game_report import GameReport
from tests.editing import COMMAND, SAMPLES, URI, change_text, edited, open_text, type_records
from tests.erasing import Forgetting
from tests.mutants import mutate
from tests.programs import canasta, program

#: Tests that talk to the server share its event loop.
talking = pytest.mark.asyncio(loop_scope="module")


async def begin(client: LanguageClient, encoding: str, **options: Any) -> None:
    """Send a client's first message; `options` are more fields of it."""
    capabilities = client_capabilities("visual-studio-code")
    capabilities.general = types.GeneralClientCapabilities(position_encodings=[encoding])
    await client.initialize_session(
        types.InitializeParams(capabilities=capabilities, process_id=None, **options)
    )


@pytest_lsp.fixture(config=ClientServerConfig(server_command=COMMAND), scope="module")
async def kept_client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    """A client of one server, which all tests share that need no other options."""
    await begin(lsp_client, "utf-16", initialization_options={"inlayHints": True})
    yield
    await lsp_client.shutdown_session()


@pytest_asyncio.fixture(loop_scope="module")
async def client(kept_client: LanguageClient) -> AsyncIterator[LanguageClient]:
    """The shared client; afterwards it has no open record."""
    yield kept_client
    waiting = asyncio.create_task(
        kept_client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    )
    await asyncio.sleep(0)
    kept_client.text_document_did_close(
        types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(URI))
    )
    await waiting


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[*COMMAND, "--rules", "classic-strict"]),
    loop_scope="module",
)
async def strict_client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    """A client with its own server, which judges by other rules and counts in UTF-8."""
    await begin(lsp_client, "utf-8")
    yield
    await lsp_client.shutdown_session()


async def diagnostics(
    client: LanguageClient, version: int = 1, uri: str = URI
) -> Sequence[types.Diagnostic]:
    """Return the diagnostics of a version of the text, when they have come."""
    async with asyncio.timeout(30):
        while versions.get(uri) != version:
            message = await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            versions[message.uri] = message.version
    return client.diagnostics[uri]


#: The version of the text to which the last diagnostics belong.
versions: dict[str, int | None] = {}


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    versions.clear()


def validated(path: Path) -> list[tuple[str, str, int, int, int]]:
    """Return what `canasta validate` finds: code, first line of the message, line and columns."""
    found = json.loads(canasta("validate", "--json", path).stdout)["files"][0]["findings"]
    return sorted(
        (each["code"], each["message"], each["line"], each["column"], each["end_column"])
        for each in found
    )


def shown(found: Sequence[types.Diagnostic]) -> list[tuple[str, str, int, int, int]]:
    """Return diagnostics of an ASCII text in the same form."""
    return sorted(
        (
            str(each.code),
            each.message.split("\n")[0].removesuffix(" (acknowledged)"),
            each.range.start.line + 1,
            each.range.start.character + 1,
            each.range.end.character + 1,
        )
        for each in found
    )


# --- diagnostics ----------------------------------------------------------------------------------


@talking
async def test_diagnostics_are_the_findings_of_validate(
    client: LanguageClient, tmp_path: Path
) -> None:
    """Places in later games of a file count from the file's beginning."""
    names = ("pile-frozen", "turn-number", "total", "syntax", "deck-count", "score-item")
    texts = [(SAMPLES / "broken" / f"{name}.canasta").read_text("utf-8") for name in names]
    path = tmp_path / "many.canasta"
    path.write_text("\n".join([*texts, (SAMPLES / "first-deal.canasta").read_text("utf-8")]))
    open_text(client, path.read_text())
    found = await diagnostics(client)
    expected = validated(path)
    assert {code for code, *_ in expected} >= {"pile-frozen", "turn-number", "syntax"}
    assert [each[:4] for each in shown(found)] == [each[:4] for each in expected]
    frozen = next(each for each in found if each.code == "pile-frozen")
    assert frozen.severity == types.DiagnosticSeverity.Error
    message, rule, remedy = frozen.message.split("\n")
    assert message.startswith("the pile is frozen: taking Kd needs two kings from the hand")
    assert rule == "rule: a discarded wild card freezes the pile"
    assert remedy.startswith("help: with the top card, lay two natural cards of its rank")


@talking
async def test_a_consequence_names_its_cause(client: LanguageClient) -> None:
    text = (SAMPLES / "first-deal.canasta").read_text("utf-8")
    false = text.replace("NS 910 = melds 225", "NS 920 = melds 235")
    # The second game follows the first, and its places are those of the whole file.
    open_text(client, false)
    for version, record in enumerate((false, f"{text}\n{false}"), 1):
        if version > 1:
            change_text(client, record, version)
        found = await diagnostics(client, version)
        related = [each for each in found if each.related_information]
        causes = {(each.range.start.line, str(each.code)) for each in found}
        assert related
        for each in related:
            (cause,) = each.related_information or ()
            code = cause.message.partition(":")[0]
            assert (cause.location.range.start.line, code) in causes


SIGNS = '[CGN "1"]\n[Event "\U0001f0cf \U0001f0cf"]\n[N "Zoë \U0001f600"] x\n'


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 16), ("utf-16", 13), ("utf-32", 12)])
@talking
async def test_positions_are_in_the_encoding_of_the_client(encoding: str, column: int) -> None:
    async def run(work: Callable[..., object], *args: object) -> object:
        return work(*args)

    document = Document(URI, Text(SIGNS, 1, encoding))
    shown = await document.diagnostics(document.text, run)
    (found,) = [each for each in shown if each.code == "syntax"]
    assert found.range.start == types.Position(2, column)


@talking
async def test_a_server_has_rules_and_an_encoding_of_its_own(
    strict_client: LanguageClient, tmp_path: Path
) -> None:
    text = (SAMPLES / "first-deal.canasta").read_text("utf-8")
    open_text(strict_client, SIGNS.replace("\n[N", '\n[Rules "nonsense"]\n[N'))
    found = await diagnostics(strict_client)
    assert [(each.code, each.range.start) for each in found] == [("syntax", types.Position(3, 16))]
    change_text(strict_client, text, 2)
    found = await diagnostics(strict_client, 2)
    path = tmp_path / "evening.canasta"
    path.write_text(text, "utf-8")
    by_strict = json.loads(canasta("validate", "--rules", "classic-strict", "--json", path).stdout)
    assert {each.code for each in found} == {
        each["code"] for each in by_strict["files"][0]["findings"]
    }
    held = types.TextDocumentIdentifier(path.as_uri())
    folds = await strict_client.text_document_folding_range_async(types.FoldingRangeParams(held))
    assert len(folds) == 2, "a record that is not open is read from its file"
    gone = types.FoldingRangeParams(types.TextDocumentIdentifier(path.as_uri() + "x"))
    assert await strict_client.text_document_folding_range_async(gone) is None
    hints = types.InlayHintParams(types.TextDocumentIdentifier(URI), WHOLE)
    assert await strict_client.text_document_inlay_hint_async(hints) is None


HOSTILE = (
    "",
    "\n\n",
    "; only a comment",
    '\ufeff[CGN "1"]\r\ndeal 1 dealer N\r\nN',
    "[",
    '[CGN "1"]\ndeal 1 dealer N\rN: 4s\x0b5d\u2028\n1. E +',
    "deal\n" * 3_000,
    "x" * 200_000,
    "\x00\x01",
    "%PDF-1.4",
    '[CGN "1"]\n[N "\ud800"]\ndeal 1 dealer N\nE: ' + "Ks" * 40_000,
    '[CGN "1"]\ndeal 1\n1. N +5h ' + "K:Ks" * 2_000,
)


@talking
async def test_a_broken_text_never_stops_the_server(client: LanguageClient) -> None:
    open_text(client, "")
    version = 1
    for text in HOSTILE:
        version += 1
        change_text(client, text, version)
        await diagnostics(client, version)
    record = (SAMPLES / "broken" / "total.canasta").read_text("utf-8")
    change_text(client, record, version + 1)
    found = await diagnostics(client, version + 1)
    assert [each.code for each in found] == ["total"]


@talking
async def test_typing_ends_with_the_findings_of_validate(client: LanguageClient) -> None:
    """Only the newest text has diagnostics, and none come out of order."""
    names = ("pile-frozen", "score", "deck-count", "syntax", "meld-wilds")
    targets = [(SAMPLES / "broken" / f"{name}.canasta").read_text("utf-8") for name in names]
    open_text(client, "")
    seen = await type_records(client, URI, targets, 60, random.Random(42))
    versions[URI] = seen[-1]
    assert len(seen) < 200, "quick changes are judged together"


# --- a long game ----------------------------------------------------------------------------------

#: Eight deals, none of which ends the game.
LONG = format_game(
    play_game(load_profile("classic").with_values({"target": 90_000}), 5, deals=8)
).encode()


def found_in(data: bytes) -> tuple[Finding, ...]:
    """Return the findings of a record without anything that the editor keeps."""
    reports = [game.report for game in judge_games(io.BytesIO(data))]
    return tuple(each for it in reports if isinstance(it, GameReport) for each in it.findings)


def test_a_long_game_is_judged_from_the_changed_deal_on(monkeypatch: pytest.MonkeyPatch) -> None:
    at = LONG.index(b"\ndeal 7 ") + 1
    last, reports = Last(), []
    for typed in (b"1x\n", b"1x\n\n"):
        data = LONG[:at] + typed + LONG[at:]
        found = found_in(data)
        with monkeypatch.context() as patched:
            read = Mock(side_effect=reader.read_usual)
            patched.setattr(reader, "read_usual", read)
            assert judge(data, last=last).findings == found
        assert last.replay is not None
        reports.append(last.replay.report.deals)
    assert min(call.args[2] for call in read.call_args_list) == data.count(b"\n", 0, at) + 3
    same = [one is other for one, other in zip(*reports, strict=True)]
    assert same == [True] * 6 + [False] * 2


#: False in its last deal, so that it is replayed; without the end of deal 6; false in deal 5.
FALSE = LONG.replace(b"total NS 3180", b"total NS 3185")
OPEN = re.sub(rb".*\nend out W\n.*\n.*\n.*(?=\n\ndeal 7)", b"\n\n\n\n", FALSE)
_LATER = OPEN[OPEN.index(b"deal 7") :]


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (FALSE, b'Result "*"', b'Result "NS 5 EW 5"'),
        (FALSE, b"target=90000", b"target=1000"),
        (FALSE.replace(b"NS 1160", b"NS 1165"), b"\n\ndeal 5", b"\ndael 9\ndeal 5"),
        (FALSE.replace(b"\n\ndeal 3", b"\ndael 9\ndeal 3"), b"NS 3185", b"NS 3190"),
        (OPEN, _LATER, b""),
        (OPEN, _LATER, b"deal 7\n"),
    ],
)
def test_deals_are_judged_again_if_something_else_matters(
    text: bytes, old: bytes, new: bytes
) -> None:
    last, other = Last(), text.replace(old, new)
    found = [judge(each, last=last).findings for each in (text, other, text)]
    assert found == [found_in(each) for each in (text, other, text)]
    assert found[0] != found[1]


def test_games_that_have_not_changed_are_not_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them are remembered, even more than are kept as read."""
    game = (SAMPLES / "broken" / "total.canasta").read_text("utf-8")
    games = [game.replace("[CGN", f"; {at}\n[CGN", 1) for at in range(12)]
    document = Document(URI, Text("\n".join(games), 1, "utf-16"))

    async def run(work: Callable[..., Any], *args: Any) -> Any:
        return work(*args)

    def judged() -> int:
        """Return how many games are judged for the diagnostics of the newest text."""
        with monkeypatch.context() as patched:
            judging = Mock(side_effect=judge)
            patched.setattr(open_games, "judge", judging)
            found = asyncio.run(document.diagnostics(document.text, run))
        assert [each.code for each in found] == ["total"] * 12
        return judging.call_count

    assert (judged(), judged()) == (12, 0)
    games[3] += "; more\n"
    document.text = Text("\n".join(games), 2, "utf-16")
    assert judged() == 1


@pytest.mark.parametrize("seed", range(3))
def test_a_changed_game_is_judged_as_a_whole_one(seed: int) -> None:
    chance = random.Random(seed)
    names = ("thursday-club", "kitchen-table", "final-tables", "score-sheet-2", "profile-samba")
    samples = [(SAMPLES / f"{name}.canasta").read_bytes() for name in names]
    erased = Forgetting(chance).text(LONG[: LONG.index(b"\ndeal 5 ")].decode()).encode()
    for record in (erased, chance.choice(samples)):
        texts, last = [record], Last()
        for _ in range(6):
            text = texts[-chance.choice((1, 1, 1, len(texts)))]
            lines = mutate(text, chance).split(b"\n")
            at = chance.randrange(len(lines))
            more = chance.choice((lines[at], b"", b"4s", b"dael 4", b"deal 4 dealer N", b"N: 4s"))
            lines[at : at + chance.randrange(2)] = [more][: chance.randrange(3)]
            texts.append(b"\n".join(lines))
            assert judge(texts[-1], last=last).findings == found_in(texts[-1]), texts[-1]


# --- features -------------------------------------------------------------------------------------


def at(text: str, part: str, more: int = 0) -> types.Position:
    """Return the position of a part of an ASCII text, and some characters more."""
    before = text[: text.index(part) + more]
    return types.Position(before.count("\n"), len(before.rpartition("\n")[2]))


def named(text: str, part: str, more: int = 0) -> dict[str, Any]:
    """Return the fields of a request about a part of the text."""
    return {"text_document": types.TextDocumentIdentifier(URI), "position": at(text, part, more)}


THURSDAY = (SAMPLES / "thursday-club.canasta").read_text("utf-8")
WHOLE = types.Range(types.Position(0, 0), types.Position(9_999, 0))


@talking
async def test_an_editor_shows_a_record(client: LanguageClient) -> None:
    text, held = THURSDAY, types.TextDocumentIdentifier(URI)
    open_text(client, text)
    for part, more, words in (
        ("^Jh/16", 1, "took the pile of 16 with Jh on top"),
        ("^Jh/16", 1, "hand 4: Jd Jc Qs Qc"),
        ("classic", 1, "classic Canasta, four players"),
        ("= melds", 3, "nines: 5 natural"),
    ):
        found = await client.text_document_hover_async(types.HoverParams(**named(text, part, more)))
        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        assert words in found.contents.value

    (game,) = await client.text_document_document_symbol_async(types.DocumentSymbolParams(held))
    assert (game.name, game.detail) == ("Game 1", "Thursday club, 2026-11-19")
    assert [len(deal.children) for deal in game.children] == [32, 34, 24, 49, 26, 43]
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(held))
    assert len(folds) == 7
    lines = text.split("\n")
    assert all(lines[fold.start_line].startswith("deal") for fold in folds[1:])

    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(held))
    line = column = 0
    kinds: dict[str, set[str]] = {}
    for down, right, length, kind, _ in zip(*[iter(tokens.data)] * 5, strict=True):
        line, column = line + down, right + (0 if down else column)
        kinds.setdefault(KINDS[kind], set()).add(lines[line][column : column + length])
    assert {"16.", "430"} <= kinds["number"]
    assert {"deal", "dealer", "end", "out"} <= kinds["keyword"]
    assert {"^Jh/16", "+9c"} <= kinds["function"]
    assert '"Ana"' in kinds["string"]

    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(held, WHOLE))
    assert len(hints) == 208
    assert hints[0].label == "  pile 2, NS -235, EW 115"
    for part, more, places in (
        ("^Jh/16", 1, ["-Jh"]),
        ("natural 500", 1, ["J:JhJhJdJcJc", "J:Js", "J:Jd"]),
        ("hand -15", 1, ["-4c"]),
        (
            "red3 200",
            1,
            ["W: 3d 4s 9s Jh Jd Jc Jc Qc Kd Kc As +Ad", "E: 3h 5s 5c 6h 7h 7c 9c Td Qs Qd Ks +8h"],
        ),
        ("out 100", 1, ["-Kh"]),
    ):
        found = await client.text_document_definition_async(
            types.DefinitionParams(**named(text, part, more))
        )
        spots = [each.range for each in found]
        assert [
            lines[place.start.line][place.start.character : place.end.character] for place in spots
        ] == places
    new = await client.text_document_rename_async(
        types.RenameParams(new_name='An "x"', **named(text, "Ana", 1))
    )
    renamed = edited(text, new.changes[URI])
    assert '[N "An \\"x\\""]' in renamed
    assert "Ana" not in renamed


@talking
async def test_every_feature_answers_on_every_sample(client: LanguageClient) -> None:
    """A request that fails raises an error here."""
    chance = random.Random(1)
    held = types.TextDocumentIdentifier(URI)
    open_text(client, "")
    for version, path in enumerate(sorted(SAMPLES.glob("*.canasta")), 2):
        text = path.read_text("utf-8")
        change_text(client, text, version)
        lines = text.split("\n")
        for _ in range(2):
            line = chance.randrange(len(lines))
            place = types.Position(line, chance.randrange(len(lines[line]) + 1))
            spot: dict[str, Any] = {"text_document": held, "position": place}
            here = types.Range(place, place)
            await client.text_document_hover_async(types.HoverParams(**spot))
            await client.text_document_completion_async(types.CompletionParams(**spot))
            await client.text_document_signature_help_async(types.SignatureHelpParams(**spot))
            await client.text_document_definition_async(types.DefinitionParams(**spot))
            asked = types.ReferenceContext(include_declaration=True)
            await client.text_document_references_async(types.ReferenceParams(asked, **spot))
            await client.text_document_prepare_rename_async(types.PrepareRenameParams(**spot))
            await client.text_document_rename_async(types.RenameParams(new_name="Zoë", **spot))
            found = types.CodeActionContext([])
            await client.text_document_code_action_async(types.CodeActionParams(held, here, found))
        options = types.FormattingOptions(tab_size=4, insert_spaces=True)
        as_is = await client.text_document_formatting_async(
            types.DocumentFormattingParams(held, options)
        )
        assert not as_is, path
        params = types.DocumentSymbolParams(held)
        assert await client.text_document_document_symbol_async(params)
        assert await client.text_document_folding_range_async(types.FoldingRangeParams(held))
        hints = await client.text_document_inlay_hint_async(types.InlayHintParams(held, WHOLE))
        assert bool(hints) == (re.search(r"^(\d+\. )?[NESWAB] ", text, re.M) is not None)
        colours = types.SemanticTokensParams(held)
        shown = await client.text_document_semantic_tokens_full_async(colours)
        assert shown is not None and shown.data


@talking
async def test_completion_offers_what_is_legal(client: LanguageClient) -> None:
    before = THURSDAY[: THURSDAY.index("16. N ^Jh")]
    open_text(client, before)
    for version, (head, first, some, none) in enumerate(
        (
            ("", "16. N ", "end ", "[CGN"),
            ("16. N ", "+", "^Jh J:JdJc", "^Jh"),
            ("16. N +4s ", "-4s", "-Jd", "-Kh"),
            ("16. N +4s -4s ~pile-f", "~pile-frozen", "~pile-frozen", "~pile-top"),
            ("end ", "stock", "out", "score"),
            ("score ", "NS", "EW", "ACE"),
            ("score NS 10 = melds 10 ", "natural", "hand", "melds"),
            ("deal ", "2", "2", "1"),
            ('\n[Rules "da', "davenport", "davenport", "classic"),
            ('\n[Rules "bga meld.max_w', "meld.max_wilds=", "meld.max_wilds=", "target="),
            ('\n[Rules "bga meld.max_wilds=', "meld.max_wilds=3", "meld.max_wilds=2", "yes"),
            ("\n[Ta", "Target", "Target", "Rules"),
        ),
        2,
    ):
        change_text(client, before + head, version)
        lines = (before + head).split("\n")
        place = types.Position(len(lines) - 1, len(lines[-1]))
        held = types.TextDocumentIdentifier(URI)
        found = await client.text_document_completion_async(types.CompletionParams(held, place))
        labels = [each.label for each in found]
        assert labels[0] == first or "score" in head or head == "end ", head
        assert some in labels, head
        assert none not in labels, head
    change_text(client, before + "16. N +4s ", 20)
    place = types.Position(before.count("\n"), 10)
    shown = await client.text_document_signature_help_async(
        types.SignatureHelpParams(types.TextDocumentIdentifier(URI), place)
    )
    assert shown.signatures[0].label == "N holds 5: 4s Jd Jc Qs Qc"


@talking
async def test_formatting_is_that_of_the_command(client: LanguageClient, tmp_path: Path) -> None:
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    params = types.DocumentFormattingParams(types.TextDocumentIdentifier(URI), options)
    open_text(client, "")
    untidy = THURSDAY.replace("deal 2", "\n\ndeal   2").replace(" -", "   -").replace('"]', '" ]')
    texts = [untidy, untidy.replace("\n", "\r\n"), THURSDAY.rstrip(), THURSDAY]
    path = tmp_path / "untidy.canasta"
    for version, text in enumerate(texts, 2):
        path.write_bytes(text.encode())
        assert canasta("format", path).exit_code == 0
        change_text(client, text, version)
        edits = await client.text_document_formatting_async(params)
        assert edited(text, edits or ()) == path.read_text("utf-8")
        assert bool(edits) == (text != THURSDAY)
    change_text(client, untidy + "1. N +4s -\n", 9)
    assert await client.text_document_formatting_async(params) is None
    assert client.messages[-1].message.startswith("not formatted: line ")


@pytest.mark.parametrize("name", ["total", "score", "pile-count", "opening-claim", "syntax"])
def test_a_code_action_makes_its_finding_go(name: str) -> None:
    """Without a process: this tests only the edit."""
    text = (SAMPLES / "broken" / f"{name}.canasta").read_text("utf-8")
    document = Document(URI, Text(text, 1, "utf-16"))
    (finding,) = [each for each in judge(text.encode()).findings if each.code == name]
    actions = assist.actions(document, document.text, document.text.range(finding.span))
    (action,) = [each for each in actions if each.kind == types.CodeActionKind.QuickFix]
    assert action.edit is not None and action.edit.changes is not None
    fresh = edited(text, action.edit.changes[URI])
    codes = [each.code for each in judge(fresh.encode()).findings]
    assert name not in codes
    assert name == "syntax" or codes == []


@pytest.mark.parametrize(
    ("line", "fresh"),
    [
        ("N: Ks, Kd", "N: Ks Kd"),
        ("N: Ks, Kd, 9x", None),
        ("1. E +5h 9♠", None),
        ("1. E +5h \u20139s", None),
        ("1. E +5h -9S", "1. E +5h -9s"),
        ("#2 S +Qh -9c", "2. S +Qh -9c"),
        ("; a remark", None),
    ],
)
def test_a_syntax_slip_is_replaced_only_whole(line: str, fresh: str | None) -> None:
    text = f'[CGN "1"]\ndeal 1 dealer N\n{line}\n'
    document = Document(URI, Text(text, 1, "utf-32"))
    place = types.Position(2, 0)
    found = assist.actions(document, document.text, types.Range(place, place))
    edits = [
        edit.new_text
        for each in found
        if each.kind == types.CodeActionKind.QuickFix and each.edit and each.edit.changes
        for edit in each.edit.changes[URI]
    ]
    assert edits == ([] if fresh is None else [fresh])


def test_every_word_of_the_grammar_has_a_colour() -> None:
    used = {each.name for each in reader.parser().terminals}
    shown = {name for name in used if not name.startswith(("_", "USUAL_"))}
    assert shown == {*TERMINALS} - {UNREAD}


def test_pygments_colours_a_record_and_loses_nothing() -> None:
    project = tomllib.loads((SAMPLES.parent / "pyproject.toml").read_text("utf-8"))["project"]
    named = project["entry-points"]["pygments.lexers"]["canasta"]
    lexer = EntryPoint("canasta", named, "pygments.lexers").load()()
    for text in (THURSDAY, '[CGN "1"\r\n1. N +Kx ; why\n\n  ~', ""):
        parts = [*lexer.get_tokens_unprocessed(text)]
        assert "".join(part for _, _, part in parts) == text
        assert [at for at, _, _ in parts] == [
            sum(len(part) for _, _, part in parts[:number]) for number in range(len(parts))
        ]


def test_without_the_extra_the_command_names_it(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ModuleNotFoundError('No module', name='pygls')")
    paths = [str(tmp_path), str(Path(__file__).parent.parent)]
    done = program("lsp", env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, text=True)
    assert done.returncode == 2
    assert f"this needs pygls; {how_to_install('editor')}" in done.stderr
