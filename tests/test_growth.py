"""When a list doubles, the work for it doubles: nothing grows faster than its input.

Work is counted in executed lines, not in time, so a busy machine changes nothing. It is counted for
each function, so a cheap one that grows too fast is seen beside dear ones.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple, TypeVar

import pytest

import canasta_notation as cn
from canasta_notation.cli.files import spreadsheet_reading
from canasta_notation.corpus.collect import collect
from canasta_notation.corpus.columns import Tables
from canasta_notation.foreign.score_export import read_export
from canasta_notation.foreign.spreadsheet_file import SpreadsheetError
from canasta_notation.foreign.spreadsheet_form import read_sheets
from canasta_notation.notation.format import format_game
from canasta_notation.notation.json_form import format_json, games_from_json, parse_json
from canasta_notation.render.excerpt import finding_block, folded, github_lines
from canasta_notation.render.paint import Look
from canasta_notation.render.replay_rows import game_rows
from canasta_notation.render.score_card import game_card
from canasta_notation.report.ledger import audit_game, csv_rows, game_json
from canasta_notation.report.outcome import check_game, findings_json
from canasta_notation.report.played import play_back
from tests.programs import canasta

PACKAGE: Final = str(Path(cn.__file__).parent)
#: How much more a doubled list may cost than the list itself did.
MOST: Final = 2.3
#: A function with fewer lines for each element is not looked at.
LEAST: Final = 16
#: A screen on which no line is cut: a line that is cut costs the same, however long it is.
WIDE: Final = Look(width=10_000)
T = TypeVar("T")


def executed(work: Callable[[], object]) -> Counter[str]:
    """Return how many lines of each function some work executes; of other packages, the calls."""
    functions: dict[int, CodeType] = {}  # to hash the code itself takes long
    lines: dict[int, int] = defaultdict(int)

    def call(frame: FrameType, *_: object) -> object:
        functions[id(frame.f_code)] = frame.f_code
        lines[id(frame.f_code)] += 1
        return line if frame.f_code.co_filename.startswith(PACKAGE) else None

    def line(frame: FrameType, *_: object) -> object:
        lines[id(frame.f_code)] += 1
        return line

    sys.settrace(call)
    try:
        work()
    finally:
        sys.settrace(None)
    found = Counter[str]()
    for at, code in functions.items():
        found[f"{Path(code.co_filename).name}: {code.co_qualname}"] += lines[at]
    return found


def sizes(few: int) -> tuple[int, int, int]:
    """Return the lengths of lists that are compared."""
    return few, 2 * few, 4 * few


def growing(work: Callable[[T], object], inputs: Sequence[T], few: int) -> dict[str, float]:
    """Return the functions that grow too fast, with how much more a longer list costs in them.

    `inputs` have lists of the `sizes` of `few`. The elements from `2 * few` on are compared with
    those from `few` on; so what the work costs for any input is left out. Nothing is loaded or kept
    for the first time while lines are counted.
    """
    for each in inputs:
        work(each)
    some, more, most = (executed(partial(work, each)) for each in inputs)
    found = {}
    for name, lines in most.items():
        by = (lines - more[name]) / max(more[name] - some[name], LEAST * few)
        if by > MOST:
            found[name] = round(by, 2)
    return found


# --- records --------------------------------------------------------------------------------------


class Record(NamedTuple):
    """A record: its text, and the games as they are read from it, each with its number."""

    text: str
    readings: list[tuple[int, cn.Reading]]


def verify(record: Record) -> None:
    """Verify games: the fast path reads each, and a replay judges what it cannot verify."""
    for _ in cn.verify_games(record.text):
        pass


def audit(record: Record) -> None:
    for number, reading in record.readings:
        ledger = audit_game(reading, number)
        game_card("a", ledger, WIDE)
        game_json(ledger)
        for _ in csv_rows("a", ledger):
            pass


def show(record: Record) -> None:
    for number, reading in record.readings:
        rules = reading.game.tag("Rules")
        profile = cn.parse_rules(rules.value if rules else "classic").profile
        if profile:
            game_rows(play_back("a", reading, number, profile), WIDE)


def list_findings(record: Record) -> None:
    for number, reading in record.readings:
        outcome = check_game(None, "a", reading, number)
        for finding, *alike in folded(outcome.findings):
            line = outcome.lines.get(finding.span.line)
            finding_block("a", outcome.rules, finding, line, WIDE, alike)
        for _ in (*findings_json(outcome.findings), *github_lines("a", outcome.findings)):
            pass


def spell(record: Record) -> None:
    for _, reading in record.readings:
        format_game(reading.game)


def convert(record: Record) -> None:
    """Convert games to JSON and back.

    A long comment is part of each, so every line is measured whatever the size of the rest.
    """
    for _, reading in record.readings:
        text = format_json(replace(reading.game, comments=("x" * 20_000,)))
        for _ in games_from_json(parse_json(text)):
            pass


def tabulate(record: Record) -> None:
    for number, reading in record.readings:
        collect(Tables(), "a", reading, number)


WORKS: Final[tuple[Callable[[Record], None], ...]] = (
    verify, audit, show, list_findings, spell, convert, tabulate,
)  # fmt: skip


HEAD: Final = '[CGN "1"]\n'
DEAL: Final = f"{HEAD}deal 1 dealer N\n"
ENDED: Final = f"{DEAL}end out N\n"


def lines(line: str, before: str = DEAL) -> Callable[[int], str]:
    """Return what makes records in which a line stands again and again."""
    return lambda number: before + f"{line}\n" * number


def numbered(line: str, before: str = DEAL) -> Callable[[int], str]:
    """Return what makes records of lines with their numbers, and with the seat that is due."""
    return lambda number: (
        before
        + "".join(
            line.format(at=at, seat="ESWN"[(at - 1) % 4], dealer="NESW"[(at - 1) % 4], ten=10 * at)
            + "\n"
            for at in range(1, number + 1)
        )
    )


def pieces(piece: str, before: str, head: str = DEAL) -> Callable[[int], str]:
    """Return what makes records with one line of many pieces."""
    return lambda number: f"{head}{before}{piece * number}\n"


class Listed(NamedTuple):
    """What makes records by the length of a list, and the shortest length that is tried."""

    make: Callable[[int], str]
    few: int = 10


RECORDS: Final = {
    "tags": Listed(numbered('[T{at} "x"]', HEAD)),
    "one tag again": Listed(lines('[Event "x"]', HEAD)),
    "comments": Listed(lines("; x")),
    "comments of turns": Listed(numbered("{at}. {seat} + -4s ; x"), 6),
    "games": Listed(lines("deal 1 dealer N\nscore NS 100\nscore EW 50", HEAD), 5),
    "games of their own": Listed(lines(f"{DEAL}score NS 100\nscore EW 50", ""), 4),
    "deals": Listed(numbered("deal {at} dealer {dealer}", HEAD), 5),
    "deals of one number": Listed(lines("deal 1 dealer N", HEAD), 5),
    "scores and totals": Listed(
        numbered(
            "deal {at} dealer {dealer}\nscore NS 10\nscore EW 10\ntotal NS {ten} EW {ten}", HEAD
        ),
        5,
    ),
    "false totals": Listed(
        numbered("deal {at} dealer {dealer}\nscore NS 5\nscore EW 10\ntotal NS {ten} EW 5", HEAD), 8
    ),
    "final tables": Listed(
        numbered(
            "deal {at} dealer {dealer}\nend out N\nmelds NS 6:6s6c6h2d K:KsKsKhKhKdKdKc\n"
            "melds EW\nthrees NS 3h\nthrees EW\nleft E 4s 5s\nleft W 6d\nleft S 4d",
            HEAD,
        ),
        3,
    ),
    "turns": Listed(numbered("{at}. {seat} + -4s")),
    "turns of unknown cards": Listed(numbered("{at}. {seat} + -_"), 5),
    "turns of one seat": Listed(lines("N +5h -5h"), 6),
    "turns with melds": Listed(numbered("{at}. {seat} + 5:___ -_"), 5),
    "groups of a turn": Listed(pieces("5:5h5h5h ", "1. E + ")),
    "groups of unknown cards": Listed(pieces("5:___ ", "1. E + ")),
    "cards of a group": Listed(pieces("5h", "1. E + 5:")),
    "unknown cards of a group": Listed(pieces("_", "1. E + 5:")),
    "cards of a draw": Listed(pieces("_", "1. E +")),
    "cards of a hand": Listed(pieces("5h ", "N: ")),
    "unknown cards of a hand": Listed(pieces("_ ", "N: ")),
    "replacements": Listed(pieces("+5h ", "N: 3h ")),
    "cards turned up": Listed(pieces("5h ", "up ")),
    "cards of the stock": Listed(pieces("5h ", "stock "), 24),
    "unknown cards of the stock": Listed(pieces("_ ", "stock "), 24),
    "talons": Listed(lines("talon _____", f'{HEAD}[Rules "american-4p"]\ndeal 1 dealer N\n')),
    "cards of a meld": Listed(pieces("5h", "melds NS 5:", ENDED)),
    "unknown cards of a meld": Listed(pieces("_", "melds NS 5:", ENDED)),
    "melds": Listed(pieces("5:555 ", "melds NS ", ENDED)),
    "melds of unknown cards": Listed(pieces("5:___ ", "melds NS ", ENDED), 9),
    "threes": Listed(pieces("3h ", "threes NS ", ENDED)),
    "unknown threes": Listed(pieces("_ ", "threes NS ", ENDED)),
    "cards left": Listed(pieces("5h ", "left E ", ENDED)),
    "unknown cards left": Listed(pieces("_ ", "left E ", ENDED)),
    "scores": Listed(lines("score NS 5")),
    "items of a score": Listed(pieces("melds 5 ", "score NS 5 = ")),
    "totals": Listed(lines("total NS 5 EW 5")),
    "penalties": Listed(lines("penalty NS 50 word")),
    "penalties between turns": Listed(numbered("{at}. {seat} + -4s\npenalty NS 5 word"), 6),
    "bonuses": Listed(lines("bonus NS 50 word")),
    "ends": Listed(lines("end out N")),
    "findings of the text": Listed(lines("?? x")),
    "findings of a turn": Listed(pieces("~meld-short ", "1. E + -4s ")),
    "annotations": Listed(pieces("$14 ", "1. E + -4s ")),
    "overrides of rules": Listed(
        lambda number: f'{HEAD}[Rules "classic{" target=5000" * number}"]\ndeal 1 dealer N\n'
    ),
}

#: Lines that continue the one above them.
CONTINUED: Final = {
    "melds": lines("6:666", f"{ENDED}melds NS 5:555\n"),
    "groups": lines("6:666", f"{DEAL}1. E +5h\n"),
    "annotations": lines("! ! !", f"{DEAL}1. E +\n"),
    "cards": lines("5h", f"{DEAL}N: 5h\n"),
    "items": lines("natural 500", f"{DEAL}score NS 5 = melds 5\n"),
}


@pytest.mark.parametrize("name", RECORDS)
def test_a_longer_list_in_a_record(name: str) -> None:
    make, few = RECORDS[name]
    records = [Record(text, [*enumerate(cn.read_text(text), 1)]) for text in map(make, sizes(few))]
    found = {work.__name__: growing(work, records, few) for work in WORKS}
    assert {work: functions for work, functions in found.items() if functions} == {}


@pytest.mark.parametrize("name", CONTINUED)
def test_more_lines_that_continue_one(name: str) -> None:
    """The lines are more than those that may continue another."""
    records = [Record(CONTINUED[name](number), []) for number in sizes(32)]
    assert growing(verify, records, 32) == {}


# --- score sheets ---------------------------------------------------------------------------------

READING: Final = spreadsheet_reading(None)
SIDES: Final = "Deal,We score,They score\n"
BARE: Final = "Deal,We,They\n"


def read_sheet(text: str) -> None:
    """Read a score sheet; one that is refused has been looked at too."""
    with suppress(SpreadsheetError):
        read_sheets(text.encode(), READING)


def rows(line: str, header: str = SIDES) -> Callable[[int], str]:
    """Return what makes sheets with a line for each deal."""
    return numbered(line, header)


def beside(*cells: str) -> Callable[[int], str]:
    """Return what makes sheets of rows whose cells after the first `|` stand again and again."""

    def make(number: int) -> str:
        parts = [row.split("|") for row in cells]
        return "".join(",".join([first, *rest * number]) + "\n" for first, *rest in parts)

    return make


SHEETS: Final = {
    "rows": Listed(rows("{at},5,10")),
    "rows of open figures": Listed(rows("{at},5,10", BARE)),
    "rows without numbers": Listed(lines("5,10", "We,They\n")),
    "rows of one deal": Listed(lines("1,5,10", SIDES)),
    "rows with totals": Listed(rows("{at},5,10,5,{ten}", "Deal,We,They,We total,They total\n")),
    "rows of sides": Listed(rows("{at},NS,5\n{at},EW,10", "Deal,Side,Score\n")),
    "rows of items": Listed(rows("{at},NS,melds,5\n{at},EW,red3,100", "Deal,Side,Item,Points\n")),
    "rows of players": Listed(rows("{at},P{at},5", "Deal,Player,Score\n")),
    "dealers": Listed(rows("{at},{dealer},5,10", "Deal,Dealer,We score,They score\n")),
    "sums below deals": Listed(rows("{at},5,10\nSum,5,{ten}")),
    "sums below all deals": Listed(lines("Sum,10,20", f"{SIDES}1,5,10\n2,5,10\n")),
    "sums above": Listed(lambda number: "Sum,10,20\n" * number + f"{SIDES}1,5,10\n2,5,10\n"),
    "empty cells": Listed(rows("{at},5,")),
    "cells that are wrong": Listed(rows("{at},x,10")),
    "rows left out": Listed(lines("note,,", f"{SIDES}1,5,10\n2,5,10\n")),
    "titles": Listed(lambda number: "Canasta\n" * number + f"{SIDES}1,5,10\n2,5,10\n", 24),
    "columns": Listed(beside("Deal|We score|They score", "1|5|10"), 12),
    "unknown columns": Listed(beside("Deal,We,They|x", "1,5,10|a")),
    "columns of players": Listed(
        lambda n: f"Deal{''.join(f',P{at}' for at in range(100, 100 + n))}\n1{',5' * n}\n", 24
    ),
    "columns without names": Listed(beside("Deal,We,They|", "1,5,10|7")),
    "tables": Listed(lines(f"{SIDES}1,5,10\n2,5,10\n", ""), 8),
    "tables that continue": Listed(rows(f"{SIDES}{{at}},5,10\n", ""), 8),
    "tables with sums": Listed(lines(f"{BARE}1,5,10\n2,5,10\nSum,10,20\n", ""), 8),
    "tables with titles": Listed(rows(f"Game {{at}}\n{SIDES}1,5,10\n", ""), 8),
    "tables beside": Listed(beside("Deal|We score|They score|", "1|5|10|", "2|5|10|"), 8),
    "games": Listed(rows("{at},1,5,10\n{at},2,5,10", "Game,Deal,We score,They score\n"), 8),
    "games that begin again": Listed(lines("1,5,10\n2,5,10\nSum,10,20", SIDES), 8),
    "results": Listed(
        lambda number: (
            lines(f"{SIDES}1,5,10\n2,5,10\n", "")(number)
            + rows("{at},10,20", "Game,We,They\n")(number)
        ),
        8,
    ),
}


@pytest.mark.parametrize("name", SHEETS)
def test_a_longer_list_in_a_sheet(name: str) -> None:
    make, few = SHEETS[name]
    assert growing(read_sheet, [*map(make, sizes(few))], few) == {}


# --- exports of score apps ------------------------------------------------------------------------


def read_app(text: str) -> None:
    """Read an export of a score app; one that is refused has been looked at too."""
    with suppress(SpreadsheetError):
        read_export(text, READING.rules)


def app_export(rounds: int, entries: int) -> str:
    """Return an export with rounds that have as many entries of each side; all figures are 0."""
    sides = [{"team_id": side} for side in "ab" for _ in range(entries)]
    shown = [
        *({"team_id": f"c{at}", "total": 0} for at in range(entries)),
        *({"team_id": side, "total": 0} for side in "ab"),
    ]
    game: dict[str, Any] = {
        "teams": [{"id": side, "name": side, "order": at} for at, side in enumerate("ab")],
        "rounds": [{"input": {"teams": sides}, "computed": {"scores": shown}}] * rounds,
    }
    return json.dumps({"format": "canasta-game-export", "version": 1, "game": game})


@pytest.mark.parametrize(
    "make", [lambda number: app_export(number, 1), lambda number: app_export(1, number)]
)
def test_a_longer_list_in_an_export(make: Callable[[int], str]) -> None:
    assert growing(read_app, [*map(make, sizes(10))], 10) == {}


# --- answers of a corpus --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a corpus of one game."""
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "a.canasta").write_text(f"{DEAL}score NS 100\nscore EW 50\n", "utf-8")
    assert canasta("corpus", "build", folder, "-o", folder / "out").exit_code == 0
    return folder / "out"


#: Queries by the length of a list in their answer.
ROWS: Final[Callable[[int], str]] = "SELECT 'x', unnest(range({}))".format
VALUES: Final[Callable[[int], str]] = "SELECT range({})".format


def columns(number: int) -> str:
    return f"SELECT {', '.join(f'{at} AS c{at}' for at in range(number))}"


@pytest.mark.parametrize(
    ("sql", "form"),
    [(ROWS, ()), (ROWS, ("--json",)), (ROWS, ("--csv",)), (columns, ()), (VALUES, ("--json",))],
)
def test_a_longer_answer_of_a_corpus(
    sql: Callable[[int], str], form: tuple[str, ...], corpus: Path
) -> None:
    def query(text: str) -> None:
        done = canasta("corpus", "query", corpus, text, *form)
        assert done.exit_code == 0, done.output

    assert growing(query, [*map(sql, sizes(20))], 20) == {}
