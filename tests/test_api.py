"""The functions of the library: what the author of a program can rely on."""

from __future__ import annotations

import copy
import io
import json
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

import canasta_notation as cn
from canasta_notation.players.random_game import play_game
from canasta_notation.render.excerpt import finding_block
from canasta_notation.render.paint import Look
from canasta_notation.resources import packaged_text
from tests.test_api_library import PROGRAMS

SAMPLES = Path(__file__).parent.parent / "samples"
FIRST = SAMPLES / "first-deal.canasta"
BROKEN = sorted((SAMPLES / "broken").glob("*.canasta"))
WHOLE = sorted(SAMPLES.glob("*.canasta"))
#: The schema of a position: that of the states in `replay --json`, with its place added.
REPLAY = "replay.schema.json"
POSITION = Draft202012Validator(
    {"$ref": "#/$defs/position", "$defs": json.loads(packaged_text("schemas", REPLAY))["$defs"]}
)
PROFILES = ("classic", "bga", "classic-2p", "american-2p", "american-4p")


def random_game(name: str, seed: int = 1) -> cn.Game:
    return play_game(cn.load_profile(name), seed, deals=2)


# --- reading and writing ------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("suffix", [".canasta", ".json", ".jsonl"])
def test_written_games_are_read_back(tmp_path: Path, name: str, suffix: str) -> None:
    games = [random_game(name, 1), random_game(name, 2)]
    path = tmp_path / f"evening{suffix}"
    cn.write(games, path)
    text = path.read_text("utf-8")
    assert list(cn.read(path)) == list(cn.read(str(path))) == games
    assert list(cn.read(text)) == list(cn.read(io.StringIO(text))) == games
    assert list(cn.read(io.BytesIO(text.encode()))) == games
    with open(path, "rb") as stream:
        assert [(game.number, game.file) for game in cn.read(stream)] == [
            (1, str(path)),
            (2, str(path)),
        ]


def test_the_command_line_reads_what_is_written(tmp_path: Path) -> None:
    for suffix in ("canasta", "json", "jsonl"):
        cn.write([random_game("american-2p"), random_game("bga")], tmp_path / f"all.{suffix}")
    command = [sys.executable, "-m", "canasta_notation", "validate", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, "3 files, 6 games" in done.stdout) == (0, True), done.stdout


def test_a_draw_of_two_cards_is_one_word() -> None:
    (game,) = cn.read(cn.format_game(random_game("classic-2p")))
    draws = [turn.actions[0] for turn in game.deals[0].play if isinstance(turn, cn.Turn)]
    draw = next(each for each in draws if isinstance(each, cn.Draw))
    assert f"+{cn.format_cards(draw.cards[:2])}" in cn.format_game(game)


def test_a_game_keeps_the_errors_of_its_text(tmp_path: Path) -> None:
    path = tmp_path / "torn.canasta"
    path.write_text(FIRST.read_text("utf-8").replace("up ", "upp ", 1), "utf-8")
    (game,) = cn.read(path)
    (problem,) = game.problems
    report = cn.verify(game)
    assert report.verdict == "contradicted"
    assert problem in report.findings and str(problem) in map(str, report.findings)
    assert problem.file == str(path)
    assert str(report.findings[0]).startswith(f"{path}:{problem.span.line}:1: error[syntax]: ")
    with pytest.raises(ValueError, match="could not be read"):
        cn.write(game, tmp_path / "copy.canasta")
    assert not (tmp_path / "copy.canasta").exists()


@pytest.mark.parametrize(
    ("source", "error", "words"),
    [
        ("no-such-file.canasta", FileNotFoundError, "no-such-file"),
        ('{"cgn": 1, "games": 3}', cn.JsonError, r"\$\.games"),
        ('{"tags": []}\n{"tags": [], "deals": 3}', cn.JsonError, "line 1"),
        (io.BytesIO(b"\x00\x01"), cn.NotText, "byte of value 0"),
    ],
)
def test_what_is_not_a_record(source: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        list(cn.read(source))


@pytest.mark.parametrize("name", ["long.canasta", "long.json", "long.jsonl"])
def test_what_no_reader_accepts_is_not_written(tmp_path: Path, name: str) -> None:
    (game,) = cn.read('[CGN "1"]\ndeal 1 dealer N\nE +4c -4c\n')
    (deal,) = game.deals
    early = cn.EndLine("unfinished", before=("x" * 66_000,))
    for long, said in (
        (replace(game, tags=(*game.tags, cn.Tag("Event", "x" * 65_530))), "64 KiB"),
        (replace(game, comments=("é" * 40_000,)), "64 KiB"),
        (replace(game, comments=("x" * 60_000,) * 150), "8 MiB"),
        (replace(game, deals=(replace(deal, end=early),)), "64 KiB"),
        (replace(game, deals=(replace(deal, stock=cn.StockLine((5,) * 30_000)),)), "64 KiB"),
    ):
        with pytest.raises(ValueError, match=said):
            cn.write([game, long], tmp_path / name)
        with pytest.raises(ValueError, match=said):
            cn.format_game(long)
        with pytest.raises(ValueError, match=said):
            cn.game_to_json(long)
    assert list(tmp_path.iterdir()) == []
    longest = replace(game, tags=(*game.tags, cn.Tag("Event", "x" * (65_536 - 10))))
    cn.write([longest, longest], tmp_path / name)
    assert [*cn.read(tmp_path / name)] == [longest, longest]


@pytest.mark.parametrize("name", ["long.canasta", "long.json", "long.jsonl"])
def test_a_game_as_long_as_can_be_read_is_written(tmp_path: Path, name: str) -> None:
    (game,) = cn.read('[CGN "1"]\ndeal 1 dealer N\nE +4c -4c\n')
    (noted,) = cn.read('; the next game\n[CGN "1"]\ndeal 1 dealer N\n')
    left = (8 << 20) - len(cn.format_game(game))
    comments = ["x" * 60_000] * (left // 60_003)
    comments.append("x" * (left % 60_003 - 3))
    longest = replace(game, comments=tuple(comments))
    assert len(cn.format_game(longest)) == 8 << 20
    cn.write([longest, noted, longest], tmp_path / name)
    read = [*cn.read(tmp_path / name)]
    assert read == [longest, noted, longest]
    assert not any(each.problems for each in read)
    longer = replace(game, comments=(*comments[:-1], comments[-1] + "x"))
    with pytest.raises(ValueError, match="a game of more than 8 MiB"):
        cn.write(longer, tmp_path / name)
    assert [*cn.read(tmp_path / name)] == [longest, noted, longest]


@pytest.mark.parametrize("path", ["x" * 100_000, "a/" * 5_000])
def test_an_error_does_not_repeat_a_long_path(path: str) -> None:
    with pytest.raises(OSError) as error:
        cn.read(path)
    assert len(str(error.value)) < 1_200


def test_a_folder_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="folder"):
        cn.write(random_game("classic"), tmp_path)
    with pytest.raises(ValueError, match=r"not written as \.csv"):
        cn.write(random_game("classic"), tmp_path / "scores.CSV")
    assert not (tmp_path / "scores.CSV").exists()


# --- judging ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_finding_is_shown_as_validate_shows_it(path: Path) -> None:
    look = Look(width=10_000)
    for game in cn.read(path):
        report = cn.verify(game)
        for finding in report.findings:
            block = finding_block(str(path), report.rules, finding, None, look)
            assert str(finding) == "".join(run.text for run in block[0])
            assert copy.deepcopy(finding) == finding


def test_a_game_is_judged_the_same_from_text_and_json(tmp_path: Path) -> None:
    games = [game for path in (*WHOLE, *BROKEN) for game in cn.read(path)]
    games = [game for game in games if "syntax" not in {each.code for each in game.problems}]
    for game in games:
        cn.write(game, tmp_path / "game.json")
        [again] = cn.read(tmp_path / "game.json")
        assert again == game
        report, repeated = cn.verify(game), cn.verify(again)
        assert repeated.verdict == report.verdict
        for finding, other in zip(report.findings, repeated.findings, strict=True):
            assert (other.code, other.message) == (finding.code, finding.message)
            assert (other.deal, other.turn) == (finding.deal, finding.turn)
            assert " None" not in str(other)
            assert "line 0" not in str(other)


SHEET = """\
[CGN "1"]
[Rules "classic-3p"]

deal 1 dealer N
score N 105 = melds 105 natural 5
score E 600 = melds 200 mixed 300 out 100
score S 600 = melds 200 mixed 300 out 100
"""
TWO_FALSE_ITEMS = """\
[CGN "1"]

deal 1 dealer N
score NS 900 = melds 300 natural 500 out 100
score EW 705 = melds 300 mixed 305 out 100
"""
FALSE_MARK = """\
[CGN "1"]

deal 1 dealer N
up As ~deal-size
1. E +5s -5s
end unfinished
"""
TURNS = """\
[CGN "1"]

deal 1 dealer E
S: 4h 5h 7s 7h 8s 8h 9s Th Js Qc Kd
1. S +4d -4h
19. S +5s -6h
end unfinished
"""


@pytest.mark.parametrize("text", [SHEET, TWO_FALSE_ITEMS, FALSE_MARK, TURNS])
def test_causes_do_not_depend_on_places(text: str, tmp_path: Path) -> None:
    [game] = cn.read(text)
    cn.write(game, tmp_path / "game.json")
    [again] = cn.read(tmp_path / "game.json")
    report, repeated = cn.verify(game), cn.verify(again)
    for finding, other in zip(report.findings, repeated.findings, strict=True):
        assert (other.code, other.message, other.help) == (
            finding.code, finding.message, finding.help
        )  # fmt: skip
        assert (other.follows and other.follows.code) == (finding.follows and finding.follows.code)
        assert other.span.line == 0
    assert {deal.line for deal in repeated.deals} == {0}
    assert cn.replay_game(again) == repeated


def test_a_line_of_json_may_hold_any_separator_of_lines(tmp_path: Path) -> None:
    [game] = cn.read(FIRST)
    game = replace(game, comments=("a\u2028b",))
    cn.write([game, game], tmp_path / "games.jsonl")
    assert [each.comments for each in cn.read(tmp_path / "games.jsonl")] == [game.comments] * 2


def test_the_tags_of_a_game_that_was_never_read_are_judged() -> None:
    (game,) = cn.read(FIRST)
    for tags, code in (((), "version"), ((*game.tags, *game.tags), "duplicate-tag")):
        report = cn.verify(replace(game, tags=tags))
        assert (report.verdict, report.findings[0].code) == ("contradicted", code)


def test_a_report_has_every_documented_field() -> None:
    (game,) = cn.read(FIRST)
    report = cn.verify(game)
    assert (report.verdict, report.totals, report.winner) == (
        "verified",
        {"NS": 910, "EW": 395},
        None,
    )
    assert report.findings == ()
    assert str(report) == "verified: NS 910 EW 395"
    side = report.deals[0].sides[0]
    assert (side.side, side.score, side.items["natural"], side.claimed.score) == (
        "NS",
        910,
        500,
        910,
    )


@pytest.mark.parametrize("name", PROFILES)
def test_games_and_reports_are_copied_pickled_and_compared(name: str) -> None:
    game = random_game(name)
    for value in (game, cn.verify(game), list(cn.positions(game))):
        assert copy.deepcopy(value) == value
        assert pickle.loads(pickle.dumps(value)) == value
    steps, _ = cn.walk(game, deal=1)
    for again in (copy.deepcopy(steps), pickle.loads(pickle.dumps(steps))):
        assert [each.state for each in again] == [each.state for each in steps]
    assert cn.verify(game) == cn.verify(game)
    assert cn.verify(game) != cn.verify(random_game(name, 2))


# --- positions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROFILES)
def test_every_card_of_a_position_is_somewhere(name: str) -> None:
    game = random_game(name)
    places = list(cn.positions(game))
    steps = sum(
        len(line.actions) if isinstance(line, cn.Turn) else 1
        for deal in game.deals
        for line in deal.play
    )
    assert len(places) == len(game.deals) + steps
    for place in places[::29]:
        POSITION.validate(place.to_json())
    packets = sum(cn.load_profile(name)["packet.size"])
    for place in places:
        melded = [cards for melds in place.melds.values() for cards in melds.values()]
        lists = [*place.hands.values(), *melded, *place.threes.values(), place.pile]
        seen = sum(map(len, lists)) + (place.stock or 0)
        if place.ended != "special":
            assert 108 - packets <= seen <= 108, place
        assert "_" not in [card for cards in lists for card in cards]
        assert json.loads(json.dumps(place.to_json()))["pile"]["cards"] == list(place.pile)


@pytest.mark.parametrize("name", PROFILES)
def test_a_position_is_drawn(name: str) -> None:
    for place in list(cn.positions(random_game(name)))[::29]:
        drawing = ElementTree.fromstring(place._repr_svg_())
        words = drawing.findtext("{http://www.w3.org/2000/svg}desc") or ""
        assert f"Stock: {place.stock}." in words


def test_a_drawing_hides_what_a_seat_may_not_see() -> None:
    game = cn.LiveGame("classic", seed=1)
    game.deal()
    other = game.resample("N", 5)
    assert game.observe("N")._repr_svg_() == other.observe("N")._repr_svg_()
    assert game.position()._repr_svg_() != other.position()._repr_svg_()


def test_a_position_is_shown_as_people_read_it() -> None:
    (game,) = cn.read(FIRST)
    dealt, drawn, *_ = cn.positions(game)
    assert (dealt.turn, dealt.last, dealt.due, dealt.begun) == (0, "", "E", False)
    assert (drawn.turn, drawn.due, drawn.begun) == (1, "E", True)
    assert str(drawn).splitlines()[0] == f"deal 1, turn 1  {drawn.last}"
    with pytest.raises(FrozenInstanceError):
        drawn.due = "N"  # type: ignore[misc]


# --- the pieces of a record ---------------------------------------------------------------------


class Vague:
    """A value that is neither equal nor unequal to others, like an array of numpy."""

    def __ne__(self, other: object) -> bool:
        raise ValueError("neither true nor false")


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: cn.Draw("5h"), "Draw.cards"),  # type: ignore[arg-type]
        (lambda: cn.Draw((99,)), "Draw.cards"),
        (lambda: cn.Draw((True,)), "Draw.cards"),
        (lambda: cn.Draw(([],)), "Draw.cards"),  # type: ignore[arg-type]
        (lambda: cn.Draw((5.0,)), "Draw.cards"),  # type: ignore[arg-type]
        (lambda: cn.HandLine("N", (Fraction(5),)), "HandLine.cards"),  # type: ignore[arg-type]
        (lambda: cn.Lay(7, Vague()), "Lay.cards"),  # type: ignore[arg-type]
        (lambda: cn.Take(-1), "Take.card"),
        (lambda: cn.Take(3, "14"), "Take.count"),  # type: ignore[arg-type]
        (lambda: cn.Ask("yes"), "Ask.yes"),  # type: ignore[arg-type]
        (lambda: cn.Lay(15, (3,)), "Lay.rank"),
        (lambda: cn.Discard(None), "Discard.card"),  # type: ignore[arg-type]
        (lambda: cn.Turn(1, "X", ()), "Turn.seat"),
        (lambda: cn.Turn(1, "N", [cn.Discard(3)]), "Turn.actions"),  # type: ignore[arg-type]
        (lambda: cn.Turn(1, "N", ("-5h",)), "Turn.actions"),  # type: ignore[arg-type]
        (lambda: cn.Turn(1, "N", (), comment="a\nb"), "Turn.comment"),
        (lambda: cn.HandLine("N", (3, 68)), "HandLine.cards"),
        (lambda: cn.ScoreLine("NS", "100"), "ScoreLine.score"),  # type: ignore[arg-type]
        (lambda: cn.ScoreLine("NS", 1, (("melds", None),)), "ScoreLine.items"),  # type: ignore[arg-type]
        (lambda: cn.TotalLine((("NS",),)), "TotalLine.totals"),  # type: ignore[arg-type]
        (lambda: cn.EndLine("out", 3), "EndLine.seat"),  # type: ignore[arg-type]
        (lambda: cn.EndLine("out"), "EndLine.seat"),
        (lambda: cn.EndLine("gone"), "EndLine.reason"),
        (lambda: cn.ScoreLine("XX", 5), "ScoreLine.side"),
        (lambda: cn.PenaltyLine("NS", 50, "two words"), "PenaltyLine.word"),
        (lambda: cn.Turn(1, "N", (), out="out"), "Turn.out"),
        (lambda: cn.LeftLine("NS"), "LeftLine.seat"),
        (lambda: cn.MeldsLine("NS", (cn.Discard(3),)), "MeldsLine.groups"),  # type: ignore[arg-type]
        (lambda: cn.Deal("1"), "Deal.number"),  # type: ignore[arg-type]
        (lambda: cn.Deal(1, scores=(cn.Deal(1),)), "Deal.scores"),  # type: ignore[arg-type]
        (lambda: cn.Game((("CGN", "1"),), ()), "Game.tags"),  # type: ignore[arg-type]
        (lambda: cn.Tag("Event", 5), "Tag.value"),  # type: ignore[arg-type]
        # What the notation cannot spell.
        (lambda: cn.Draw(()), "Draw.cards"),
        (lambda: cn.Take(8, -1), "Take.count"),
        (lambda: cn.Lay(7, ()), "Lay.cards"),
        (lambda: cn.LaySpecial("x", (3,)), "LaySpecial.kind"),
        (lambda: cn.LaySpecial("pairs", ()), "LaySpecial.cards"),
        (lambda: cn.TakePacket("talon", ()), "TakePacket.cards"),
        (lambda: cn.UpLine(()), "UpLine.cards"),
        (lambda: cn.StockLine(()), "StockLine.cards"),
        (lambda: cn.PacketLine("talon", ()), "PacketLine.cards"),
        (lambda: cn.Turn(-1, "N", ()), "Turn.number"),
        (lambda: cn.Turn(1, "N", (), open=10**9), "Turn.open"),
        (lambda: cn.Turn(1, "N", (cn.Discard(3), cn.Discard(3))), "Turn.actions"),
        (lambda: cn.PenaltyLine("NS", -5, "x"), "PenaltyLine.points"),
        (lambda: cn.EndLine("stock", concealed=True), "EndLine.concealed"),
        (lambda: cn.ScoreLine("NS", -(10**9)), "ScoreLine.score"),
        (lambda: cn.ScoreLine("NS", 5, ()), "ScoreLine.items"),
        (lambda: cn.ScoreLine("NS", 5, (('melds 5\n[CGN "1"]\nx', 5),)), "ScoreLine.items"),
        (lambda: cn.ScoreLine("NS", 5, (("out", 5), ("out", 5))), "ScoreLine.items"),
        (lambda: cn.TotalLine(()), "TotalLine.totals"),
        (lambda: cn.TotalLine((('NS\n[CGN "1"]', 3),)), "TotalLine.totals"),
        (lambda: cn.Deal(-1), "Deal.number"),
        (lambda: cn.Deal(1, left=(cn.LeftLine("N"), cn.LeftLine("N"))), "Deal.left"),
        (lambda: cn.Tag("Event", "a\0b"), "Tag.value"),
        (lambda: cn.Game((), (), comments=("a\x1bb",)), "Game.comments"),
        # What a reader adds.
        (lambda: cn.Deal(1, span=None), "Deal.span"),  # type: ignore[arg-type]
        (lambda: cn.Deal(1, unread=None), "Deal.unread"),  # type: ignore[arg-type]
        (lambda: cn.Turn(1, "N", (), actions_at=(None,)), "Turn.actions_at"),  # type: ignore[arg-type]
        (lambda: cn.TotalLine((("NS", 3),), totals_at=((1, 2, 3),)), "TotalLine.totals_at"),  # type: ignore[arg-type]
        (lambda: cn.Tag("Event", "x", value_span=cn.Span(1, 2, "3")), "Tag.value_span"),  # type: ignore[arg-type]
        (lambda: cn.Game((), (), problems=("x",)), "Game.problems"),  # type: ignore[arg-type]
        (lambda: cn.Game((), (), lost=3), "Game.lost"),  # type: ignore[arg-type]
        (lambda: cn.Game((), (), file=3), "Game.file"),  # type: ignore[arg-type]
        (lambda: cn.Game((), (), number=None), "Game.number"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_value_is_refused_and_its_field_named(make: Any, field: str) -> None:
    with pytest.raises(ValueError, match=f"^{field}: "):
        make()


def test_a_changed_value_is_checked_too() -> None:
    with pytest.raises(ValueError, match=r"^Deal\.number"):
        replace(cn.Deal(1), number=None)  # type: ignore[arg-type]


def test_values_show_their_cards() -> None:
    king = cn.parse_cards("KsKh2c")
    assert repr(cn.Lay(11, king)) == "Lay(rank='K', cards='Ks Kh 2c')"
    assert repr(cn.Turn(3, "N", (cn.Draw(king[:1]),))) == (
        "Turn(number=3, seat='N', actions=(Draw(cards='Ks'),))"
    )
    assert repr(random_game("bga")) == "<Game 'random game 1', bga, 2 deals>"
    (first,) = cn.read(FIRST)
    assert repr(cn.verify(first)).startswith("<GameReport classic, 1 deal, verified")
    assert repr(cn.analyze(first)) == "<GameAnalysis classic, 1 deal>"
    several = cn.analyze([first, first])
    assert repr(several) == "<Analyses 2 games, 4 players>"
    assert "<td>Ana</td><td>4</td>" in several._repr_html_()


# --- a program of a user ------------------------------------------------------------------------

PROGRAM = """
import canasta_notation as cn

def winner(path: str) -> str | None:
    last: str | None = None
    for game in cn.read(path):
        report = cn.verify(game)
        for finding in report.findings:
            print(finding, finding.rule, finding.help)
        for deal in report.deals:
            for side in deal.sides:
                print(side.side, side.score, side.items, side.claimed)
        for position in cn.positions(game):
            print(position.hands["N"], position.melds, position.pile, position.stock, position.due)
        last = report.winner
        cn.write([game], "copy.json")
        print(cn.format_game(game))
    return last

def play(rules: str) -> str:
    game = cn.LiveGame(rules=rules, players={"N": "Ana"}, seed=7)
    game.deal()
    while not game.over:
        seat = game.due
        view = game.observe(seat)
        plays = game.legal()
        texts = list(plays.texts())
        why = game.check(seat, texts[0])
        if why is not None and why.rule is not None:
            print(why.code, why.key, why.rule.value, why.remedy, view.to_json())
        event = game.play(seat, texts[-1])
        if game.deal_over and not game.over:
            game.deal()
        print(event.seen_by("E").text, plays.missing, game.score_card().sides[0].items)
    game.undo()
    again: cn.LiveGame = cn.LiveGame.load(game.dump())
    return again.to_record()

def sort_of(error: cn.JsonError | cn.NotText | cn.ProfileError) -> str:
    return str(error)

def renamed(game: cn.Game) -> tuple[str, cn.Game]:
    event: str = game.tags["Event"] if game.tag("Event") else ""
    return event, cn.Game((cn.Tag("CGN", "1"), *game.tags[1:]), game.deals)
"""


def write_programs(folder: Path, programs: Iterable[str]) -> list[str]:
    """Write programs into a folder; return the names of their files."""
    names = []
    for at, program in enumerate(programs):
        # OpenSpiel has no types.
        names.append(f"{'untyped' if 'import pyspiel' in program else 'typed'}{at}.py")
        (folder / names[-1]).write_text(program, "utf-8")
    return names


def test_a_user_s_programs_pass_mypy(tmp_path: Path) -> None:
    """This program and those of the library's page, except those for learning: one is slow."""
    pytest.importorskip("mypy", reason="needs the extra `lint`")
    programs = [PROGRAM, *PROGRAMS]
    others = [each for each in programs if not re.search("import (rl|pyspiel)", each)]
    names = write_programs(tmp_path, others)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", *names]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout


def test_a_user_s_programs_pass_pyright(tmp_path: Path) -> None:
    """This program, those of the library's page, and the samples."""
    pytest.importorskip("pyright", reason="needs the extra `lint`")
    if not shutil.which("node"):
        pytest.skip("Pyright runs on Node")
    samples = [path.read_text("utf-8") for path in sorted(SAMPLES.glob("*.py"))]
    write_programs(tmp_path, [PROGRAM, *PROGRAMS, *samples])
    (tmp_path / "pyrightconfig.json").write_text('{"strict": ["typed*.py"]}', "utf-8")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout


def test_every_public_name_exists_and_is_documented() -> None:
    for name in cn.__all__:
        assert getattr(cn, name).__doc__, name
    assert dir(cn) == sorted(cn.__all__)


@pytest.mark.parametrize(
    "lines",
    [
        "end stock\nmelds NS 4:4s4h2c 2:2s2h**",
        "1. E + -5s\n2. S + 4:4s4h2c 2:2s2h** -5h",
    ],
)
def test_positions_show_the_cards_of_melds_of_wild_cards(lines: str) -> None:
    text = f'[CGN "1"]\n[Rules "american-4p"]\ndeal 1 dealer N\n{lines}\n'
    (game,) = cn.read(text)
    *_, last = cn.positions(game)
    assert last.melds["NS"] == {"4": ("4s", "4h", "2c"), "*": ("2s", "2h", "*", "*")}


def test_a_text_that_reads_as_no_game_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "e.canasta"
    for empty in (cn.Game((), ()), cn.Game((), (), comments=("nothing here",))):
        with pytest.raises(ValueError, match="a game needs a tag or a deal"):
            cn.write(empty, path)
        assert not path.exists()
        cn.write(empty, path.with_suffix(".json"))
        assert len([*cn.read(path.with_suffix(".json"))]) == 1


# --- many games ---------------------------------------------------------------------------------


def seen(game: cn.Game | cn.CheckedGame) -> tuple[object, ...]:
    """Return what a game's report, or the verdict on one of many, says."""
    if isinstance(game, cn.CheckedGame):
        return (
            game.file, game.number, game.verdict, game.totals, game.winner,
            [*map(str, game.findings)], game.rules, game.deal_count, game.turn_count,
        )  # fmt: skip
    report = cn.verify(game)
    return (
        game.file, game.number, report.verdict, report.totals, report.winner,
        [*map(str, report.findings)], report.rules, len(report.deals), report.turns,
    )  # fmt: skip


def test_many_games_are_judged_as_each_is() -> None:
    paths = [*sorted(SAMPLES.glob("*.canasta")), *sorted(SAMPLES.glob("broken/p*.canasta"))]
    games = [game for path in paths for game in cn.read(path)]
    assert [*map(seen, cn.verify_games(paths))] == [*map(seen, games)]
    for checked, game in zip(cn.verify_games(paths[0]), cn.read(paths[0]), strict=True):
        assert checked.read() == game
        assert {*checked.tags} == {*game.tags}


def test_what_one_types_first_works_or_hints() -> None:
    [game] = cn.read(SAMPLES / "thursday-club.canasta")
    assert game.tags["Event"] == "Thursday club" == game.tags[1].value
    assert "Event" in game.tags and game.tags[1] in game.tags and "Place" not in game.tags
    assert copy.deepcopy(game) == game == pickle.loads(pickle.dumps(game))
    with pytest.raises(KeyError, match="Place"):
        game.tags["Place"]
    profile = cn.load_profile("classic")
    with pytest.raises(KeyError, match=r"write profile\.seats"):
        profile["seats"]
    with pytest.raises(KeyError, match=r"did you mean draw\.count\?"):
        profile["draw_count"]


def test_values_show_themselves_in_a_notebook() -> None:
    live = cn.LiveGame(seed=4, tags={"Event": "<script>"}, players={"N": "A & B"})
    live.deal()
    card = cn.play_out(live)
    [game] = cn.read(live.to_record())
    for shown in (game, cn.verify(game), cn.analyze(game), card):
        html = shown._repr_html_()
        ElementTree.fromstring(f"<div>{html}</div>")
        assert "<script" not in html and len(html) < 5_000
    assert "&lt;script&gt;" in game._repr_html_() and "A &amp; B" in game._repr_html_()
    assert str(card.sides[0].total) in cn.verify(game)._repr_html_()


def test_labels_and_turns_are_read_and_spelled() -> None:
    assert (cn.parse_label("K/2"), cn.format_label(31)) == (31, "K/2")
    assert cn.parse_label("10") == cn.parse_label("T") and cn.parse_label("s") == 16
    turn = cn.parse_turn("4. W +2s A/2:AsAdAc -3c @12.5")
    assert (turn.number, turn.seat, turn.clock) == (4, "W", "12.5")
    assert [type(action) for action in turn.actions] == [cn.Draw, cn.Lay, cn.Discard]
    for wrong in ("", "4. W +2x", "up 5s", "; note", "4. W +2s\n5. N +3s", 7, "4" * 70_000):
        with pytest.raises(ValueError, match=r"column|not a turn") as found:
            cn.parse_turn(wrong)  # type: ignore[arg-type]
        assert len(str(found.value)) < 400
    for wrong in ("Z", "K/0", "3/2", "", 7, None):
        with pytest.raises(ValueError, match="not the label"):
            cn.parse_label(wrong)  # type: ignore[arg-type]
    for wrong in (-1, 0, 999, "K", True):
        with pytest.raises(ValueError, match="not the place"):
            cn.format_label(wrong)  # type: ignore[arg-type]


RULES = "classic draw.count=2"
#: Every call that judges a record, by other rules.
JUDGING: list[Any] = [
    lambda game, rules: cn.verify(game, rules=rules),
    lambda game, rules: cn.replay_game(game, rules=rules),
    lambda game, rules: cn.walk(game, rules=rules)[1],
    lambda game, rules: next(cn.verify_games(cn.format_game(game), rules=rules)),
]


@pytest.mark.parametrize("judge", JUDGING)
def test_a_record_is_judged_by_other_rules(judge: Any) -> None:
    [game] = cn.read(SAMPLES / "first-deal.canasta")
    profile = cn.parse_rules(RULES).profile
    assert judge(game, None).verdict == "verified"
    for rules in (RULES, profile):
        assert "draw-count" in {each.code for each in judge(game, rules).findings}
    for wrong in ("clasic", "classic draw.count=0", 7, b"bga"):
        with pytest.raises(ValueError, match=r"rules|profile|draw\.count"):
            judge(game, wrong)


def test_plays_and_figures_by_other_rules() -> None:
    [game] = cn.read(SAMPLES / "first-deal.canasta")
    assert "ask" in cn.legal_plays(game, 1, 8, 1).texts()
    assert "ask" not in cn.legal_plays(game, 1, 8, 1, rules="classic out.ask=no").texts()
    assert cn.analyze(game, rules=RULES).errors and not cn.analyze(game).errors
    with pytest.raises(ValueError, match="no profile"):
        cn.analyze(game, rules="clasic")


def test_one_deal_is_analyzed_and_a_missing_one_is_named() -> None:
    [game] = cn.read(SAMPLES / "thursday-club.canasta")
    [deal] = cn.analyze(game, deal=3).deals
    assert deal == cn.analyze(game).deals[2]
    for wrong, error in ((9, LookupError), (0, LookupError), ("3", TypeError)):
        with pytest.raises(error, match="deal"):
            cn.analyze(game, deal=wrong)  # type: ignore[arg-type]


def test_many_games_in_json_and_by_other_rules(tmp_path: Path) -> None:
    games = [*cn.read(SAMPLES / "first-deal.canasta")]
    cn.write(games, path := tmp_path / "games.jsonl")
    (checked,) = cn.verify_games(path)
    assert (checked.verdict, checked.read().deals) == ("verified", games[0].deals)
    (checked,) = cn.verify_games(open(path, encoding="utf-8"), rules="bga deal.hand=12")  # noqa: SIM115
    assert checked.verdict == "contradicted"
    with pytest.raises(ValueError, match="no profile"):
        cn.verify_games(path, rules="bridge")
    for wrong in (5, None, b"x", [5]):
        with pytest.raises(TypeError, match=r"is needed|path or several"):
            [*cn.verify_games(wrong)]  # type: ignore[arg-type]


def test_tables_of_games_in_memory(tmp_path: Path) -> None:
    paths = [SAMPLES / "first-deal.canasta", SAMPLES / "seen-at-the-table.canasta"]
    tables = cn.tables(paths)
    assert {*tables["games"]["file"].to_pylist()} == {*map(str, paths)}
    assert len(tables["turns"]) == sum(game.turn_count for game in cn.verify_games(paths))
    cn.write(cn.read(paths[0]), tmp_path / "game.json")
    rows = cn.tables(tmp_path / "game.json")["turns"].drop_columns(["file", "line"])
    assert rows.equals(cn.tables(paths[0])["turns"].drop_columns(["file", "line"]))
    polars = pytest.importorskip("polars")
    assert isinstance(tables["turns"].to_polars(), polars.DataFrame)


def test_the_picture_of_a_position_in_the_readme_is_what_a_notebook_shows() -> None:
    """If this fails on purpose, write what `_repr_svg_` returns into the file."""
    [game] = cn.read(SAMPLES / "first-deal.canasta")
    shown = next(each for each in cn.positions(game) if (each.turn, each.action) == (6, 2))
    picture = SAMPLES / "pictures" / "notebook.svg"
    assert picture.read_text("utf-8") == shown._repr_svg_()
