"""Snapshots of what people see, and its layout."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion
from typer.testing import CliRunner

from canasta_notation.cli.app import app
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.format import format_game
from canasta_notation.notation.reader import read_text
from canasta_notation.render.excerpt import finding_block, folded
from canasta_notation.render.paint import (
    Look,
    Row,
    Run,
    clip,
    columns,
    escape,
    paint,
    row,
    row_width,
    width,
    wrap,
    wrap_row,
)
from canasta_notation.rules import codes, keys, profile_names
from tests.cli_records import BROKEN, FALSE, SHEET, UNSEEN, VERIFIED
from tests.programs import canasta

RUN = CliRunner()
SAMPLES = sorted((Path(__file__).parent.parent / "samples").glob("*.canasta"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain [red]Ana[/red]", "plain [red]Ana[/red]"),
        ("José 漢字 👩‍👩‍👧", "José 漢字 👩\\u200d👩\\u200d👧"),
        ("\x1b[31m\x07\n\r\t\x7f", "\\x1b[31m\\x07\\x0a\\x0d\\x09\\x7f"),
        ("\x9b\x85", "\\x9b\\x85"),
        ("\u202e\u2066\u200f\u061c", "\\u202e\\u2066\\u200f\\u061c"),
        ("\u2028\ud800\ufeff", "\\u2028\\ud800\\ufeff"),
        ("\U000e0041", "\\U000e0041"),
        ("a\xa0b", "a\xa0b"),
    ],
)
def test_escape(text: str, shown: str) -> None:
    assert escape(text) == shown
    assert escape(shown) == shown


def test_an_annotation_with_a_sign_is_shown_as_its_sign() -> None:
    club = Path(__file__).parent.parent / "samples" / "thursday-club.canasta"
    shown = canasta("replay", club, "--deal", "4", "--turn", "49").output
    assert "went out !" in shown and "$1" not in shown


def block(line: str, column: int, end: int, look: Look) -> list[str]:
    """Return the line of an excerpt and the line below it."""
    finding = Finding("syntax", "error", "wrong", Span(7, column, end))
    return paint(finding_block("f", None, finding, line, look)).splitlines()[2:4]


@pytest.mark.parametrize("line", ["\tN: 4s X", "漢字 X", "é\x1b\u202e X", "a\u0301 X", "X"])
@pytest.mark.parametrize("unicode", [True, False])
def test_the_caret_keeps_its_place(line: str, unicode: bool) -> None:
    at = line.index("X") + 1
    text, under = block(line, at, at + 1, Look(80, False, unicode))
    assert row_width([Run(text[: text.index("X")])]) == under.index("^")
    assert under.count("^") == 1


@pytest.mark.parametrize("at", [1, 40, 500, 999, 1000])
@pytest.mark.parametrize("size", [1, 5, 300])
def test_a_long_line_is_cut_around_the_span(at: int, size: int) -> None:
    line = ("." * (at - 1) + "X" * size).ljust(1000, ",")
    text, under = block(line, at, at + size, Look(80))
    assert row_width([Run(text)]) <= 80
    assert text[under.index("^")] == "X"
    assert len(under) <= 80


def test_the_end_of_a_line_can_be_marked() -> None:
    assert block("abc", 4, 5, Look())[1].index("^") == len("7 | abc")


def test_a_mistake_on_every_line_is_shown_once() -> None:
    lines = ['[CGN "1"]', "deal 1 dealer N", "end stock", "", "score NS 5"]
    [reading] = read_text("\n".join(line and f"> {line}" for line in lines))
    [first, *alike], [other] = folded(reading.problems)
    shown = paint(finding_block("f", None, first, None, Look(), alike))
    assert "`>` at the beginning of the line, as on 2 more lines, down to line 3" in shown
    assert other.span.line == 5


@settings(max_examples=300)
@given(
    st.lists(st.tuples(st.text("ab 漢\u0301", max_size=20), st.sampled_from("xy")), max_size=6),
    st.integers(2, 15),
)
def test_wrapped_rows_keep_every_word_and_are_as_long_as_fits(
    runs: list[tuple[str, str]], to: int
) -> None:
    cells = [Run(*run) for run in runs]
    rows = wrap_row(cells, to)
    styled = [(char, run.style) for line in rows for run in line for char in run.text]
    assert [each for each in styled if each[0] != " "] == [
        (char, run.style) for run in cells for char in run.text if char != " "
    ]
    assert row_width(cells) <= to or all(row_width(line) <= to for line in rows)
    assert [*map(row_text, rows)] == wrap(row_text(cells), to) or to >= row_width(cells)
    words = [row_text(line).partition(" ")[0] for line in rows]
    between = max(map(len, re.findall(" *", row_text(cells))))
    fits = all(width(word) <= to for word in row_text(cells).split(" "))
    for line, word in zip(rows, words[1:] if fits else (), strict=False):
        assert row_width(line) + between + width(word) > to or not row_text(line).strip()


def row_text(cells: Row) -> str:
    return "".join(run.text for run in cells)


def test_layout() -> None:
    table = [[row("a"), row("1")], [row("bcd"), row("100")]]
    assert paint(columns(table, right=(1,), indent=1)) == " a      1\n bcd  100\n"
    assert wrap("one two three", 8) == ["one two", "three"]
    runs = wrap_row(row("takes Qc", Run("; ", "dim"), "melds", Run(";")), 9)
    assert [*map(row_text, runs)] == ["takes Qc;", "melds;"]
    assert wrap("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert all(row_width(line) <= 6 for line in wrap_row(row("漢字漢字 漢字"), 6))
    assert [*map(row_text, wrap_row(row("a", Run("bcde fg"), "h"), 4))] == ["abcd", "e", "fgh"]
    assert wrap("  one  two", 4) == ["", "one", "two"]
    assert clip("Maximilian", 6) == "Maxim…"
    assert clip("Maximilian", 6, Look(unicode=False)) == "Max..."


def test_findings(snapshot: SnapshotAssertion) -> None:
    assert canasta("validate", "-", stdin=BROKEN).stdout == snapshot(name="broken")
    assert canasta("validate", "-", stdin=FALSE).stdout == snapshot(name="false claims")
    acknowledged = BROKEN.replace("-6h\n", "-6h ~meld-wilds\n")
    assert canasta("validate", "-", stdin=acknowledged).stdout == snapshot(name="acknowledged")
    assert canasta("validate", "-", stdin=UNSEEN).stdout == snapshot(name="undetermined")
    damaged = FALSE.encode().replace(b'[Event "', b"[Event ").replace(b" ; a bold", b" ; a b\xf2ld")
    assert canasta("validate", "-", stdin=damaged).stdout == snapshot(name="beside the play")


def test_score_cards(snapshot: SnapshotAssertion) -> None:
    assert canasta("audit", "-", stdin=FALSE).stdout == snapshot(name="false claims")
    rules = '[CGN "1"]\n[Rules "classic target=3000"]'
    false = SHEET.replace('[CGN "1"]', rules).replace("245 =", "255 =")
    assert canasta("audit", "-", stdin=false).stdout == snapshot(name="sheet")
    assert canasta("audit", "-", stdin=UNSEEN).stdout == snapshot(name="unseen hands")


def test_compared_scores(snapshot: SnapshotAssertion) -> None:
    shown = canasta("audit", "-", "--against", "classic score.natural=400", stdin=VERIFIED).stdout
    assert shown == snapshot


def test_replays(snapshot: SnapshotAssertion) -> None:
    assert canasta("replay", "-", stdin=BROKEN).stdout == snapshot(name="compact")
    turns = canasta("replay", "-", "--turn", "59:61", stdin=VERIFIED).stdout
    assert turns == snapshot(name="turns")
    shown = canasta("replay", "-", "--seat", "N", "--turn", "60", stdin=VERIFIED).stdout
    assert shown == snapshot(name="seat")
    assert canasta("replay", "-", stdin=UNSEEN).stdout == snapshot(name="unseen hands")


def test_rules(snapshot: SnapshotAssertion) -> None:
    listed = canasta("rules").stdout
    assert [name for name in profile_names() if f"{name}  " not in listed] == []
    compared, _, counts = canasta("rules", "classic", "bga").stdout.rpartition("\n\n")
    assert compared == snapshot(name="compared")
    assert re.fullmatch(r"9 keys differ, \d+ are the same\n", counts)
    assert (
        f"1 key differs, {len(keys()) - 1} are"
        in canasta("rules", "classic", "classic target=3000").stdout
    )


def test_explanations(snapshot: SnapshotAssertion) -> None:
    shown = canasta("explain", "meld-wilds").stdout
    assert shown.partition("\nrules ")[0] == snapshot(name="meld-wilds")
    assert "meld.max_wilds = 3 in classic," in shown
    listed = canasta("explain").stdout.split()
    assert [code for code in codes() if code not in listed] == []


@pytest.mark.parametrize("width", [64, 80, 120])
@pytest.mark.parametrize(
    "args",
    [
        ["replay"],
        ["replay", "--turn", "1:99"],
        ["replay", "--seat", "N"],
        ["audit"],
        ["legal", "--deal", "1", "--turn", "3"],
    ],
    ids=" ".join,
)
def test_pages_fit_the_terminal(args: list[str], width: int) -> None:
    """Exceptions are texts to copy: a finding's place and message, and the file's name.

    Narrow pages are tried with every third sample, wider ones with every tenth.
    """
    for path in SAMPLES[:: 3 if width == 64 else 10]:
        if args[0] == "replay" and len(args) > 1 and path.name.startswith("score-sheet"):
            continue
        done = RUN.invoke(app, [*args, str(path)], env={"COLUMNS": str(width), "NO_COLOR": "1"})
        for line in done.stdout.splitlines():
            assert row_width([Run(line)]) <= width or str(path) in line, (path.name, line)


@pytest.mark.parametrize("width", [40, 60])
@pytest.mark.parametrize("names", [["classic"], ["american-4p", "bga"], []], ids=" ".join)
def test_rules_fit_the_terminal(names: list[str], width: int) -> None:
    done = RUN.invoke(app, ["rules", *names], env={"COLUMNS": str(width), "NO_COLOR": "1"})
    assert max(len(line) for line in done.stdout.splitlines()) <= width


def test_every_comment_of_a_record_is_shown(tmp_path: Path) -> None:
    """Each line of a deal has a comment above it and one on it; they are shown in order."""
    (reading,) = read_text((SAMPLES[0].parent / "first-deal.canasta").read_text("utf-8"))
    lines = [line for line in format_game(reading.game).splitlines() if line]
    text = ""
    for at, line in enumerate(lines):
        text += f"; above {at}\n{line.partition(' ;')[0]} ; on {at}\n"
    path = tmp_path / "commented.canasta"
    path.write_text(text + "; last\n", "utf-8")
    done = canasta("replay", path)
    marked = re.findall(r"; (above|on) (\d+)", done.stdout)
    assert len(marked) == 2 * len(lines) and "; last" in done.stdout
    hands = [at for at, line in enumerate(lines) if re.match("[NESW]:", line)]
    order = [int(at) for _, at in marked if int(at) not in hands]
    assert order == sorted(order)


def test_a_meld_of_wild_cards_is_called_so() -> None:
    path = SAMPLES[0].parent / "profile-american-4p.canasta"
    shown = canasta("audit", path).stdout
    assert "canasta of wild cards: 7 cards" in shown and "jokers" not in shown
    assert "laid wild cards * 2s 2s 2h 2d" in canasta("replay", path, "--turn", "4:24").stdout
