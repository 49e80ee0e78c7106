"""A map of a sheet's columns as far as they can be guessed, for a person to complete."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from canasta_notation.foreign.spreadsheet_columns import (
    SpreadsheetReading,
    deal_rows,
    has_points,
    meaning_of,
    name_and_figure,
)
from canasta_notation.foreign.spreadsheet_file import SpreadsheetError
from canasta_notation.foreign.spreadsheet_form import choices_of, collect_tables, read_tables
from canasta_notation.foreign.spreadsheet_map import ColumnMap, column_map
from canasta_notation.foreign.spreadsheet_players import may_be_one, partners_of, tags_of
from canasta_notation.foreign.spreadsheet_shape import SheetTable, first_cell
from canasta_notation.foreign.spreadsheet_words import (
    FIGURES,
    deal_number,
    is_points,
    plain,
    points_of,
    side_names,
    words,
)

_INTRODUCTION: Final = """\
# What the columns of a sheet mean, as far as it could be guessed. Read it, correct it, use it:
#   canasta convert SHEET --columns THIS_FILE
# A column is named by what it holds: deal, dealer, side, game, date, score, total, or an item.
"""
#: How many parts of a name are searched.
_NAME_PARTS: Final = 12
#: Marks a choice that only a person can make; a map with it is refused.
_OPEN: Final = "?"
_CHOICES: Final = {
    "points": '   # "deal": points of each deal; "total": running totals',
    "rows": '   # "deal": the rows are the deals of one game',
}


@dataclass(slots=True)
class _Guess:
    """The entries of a map, each by its key, and what a person has to know."""

    settings: dict[str, object] = field(default_factory=dict)
    columns: dict[str, object] = field(default_factory=dict)
    sides: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def guess_map(data: bytes, reading: SpreadsheetReading) -> str:
    """Return a map in TOML for a file of sheets. Raises SpreadsheetError and NoReader.

    If only a person can choose, the value is `"?"`, which is refused until it is changed.
    """
    guess = _Guess()
    tables, _ = read_tables(data, reading)
    table = max(tables, key=lambda each: sum(has_points(each, at) for at in _places(each)))
    if all(is_points(cell) for cell in table.header if cell):
        guess.settings["header"] = 0
        headless = replace(reading, columns=replace(reading.columns, header=0))
        table = read_tables(data, headless)[0][0]
    _guess_columns(guess, table, reading)
    _guess_rows(guess, table)
    _guess_rest(guess, data, reading)
    return "".join(f"{line}\n" for line in _lines(guess))


def _places(table: SheetTable) -> range:
    return range(len(table.header))


# --- columns --------------------------------------------------------------------------------------


def _guess_columns(guess: _Guess, table: SheetTable, reading: SpreadsheetReading) -> None:
    """Guess the columns that have figures and no known name."""
    called = {**side_names(reading.rules[0].sides), **reading.columns.sides}
    meant = {at: meaning_of(name, called) for at, name in enumerate(table.header)}
    if any(what == "side" for _, what in meant.values()):
        at = next(at for at, (_, what) in meant.items() if what == "side")
        _guess_sides(guess, dict.fromkeys(_cells(table, at)), called, reading)
    _guess_counts(guess, table, meant, reading)
    deals = next((at for at, (_, what) in meant.items() if what == "deal"), None)
    unknown = [at for at, (_, what) in meant.items() if not what and has_points(table, at)]
    named = _guess_items(guess, table, unknown, numbered=deals is not None)
    if not any(side or what == "side" for side, what in meant.values()):
        sides = dict.fromkeys(name_and_figure(name)[0] for name in named)
        named = _guess_sides(guess, sides, called, reading)
    guess.unknown = named
    if named and not guess.columns and deals is not None:
        guess.columns["deal"] = table.header[deals]


def _guess_items(
    guess: _Guess, table: SheetTable, unknown: Iterable[int], *, numbered: bool
) -> list[str]:
    """Guess which unknown columns number the deals or are items; return the names of the others.

    `numbered` says that another column numbers the deals.
    """
    others: list[str] = []
    for at in unknown:
        name = table.header[at]
        if not numbered and all(map(deal_number, _cells(table, at))):
            guess.columns["deal"] = name
            numbered = True
        elif what := _likely_item(name):
            if guess.columns.get(what) is None or _is_points_name(name):
                guess.columns[what] = name
        elif name:
            others.append(name)
    return others


def _guess_counts(
    guess: _Guess,
    table: SheetTable,
    meant: Mapping[int, tuple[str, str]],
    reading: SpreadsheetReading,
) -> None:
    """Multiply the columns that count more than the rules have points for."""
    counted = reading.rules[0].counted
    for at, (side, what) in meant.items():
        if side or what not in counted:
            continue
        numbers = [points_of(cell) or 0 for cell in _cells(table, at) if is_points(cell)]
        if len(counted[what]) < max(numbers, default=0) < counted[what][0]:
            guess.columns[what] = {"column": table.header[at], "times": counted[what][0]}


def _cells(table: SheetTable, at: int) -> list[str]:
    return [cells[at] for _, cells in deal_rows(table, at) if cells[at]]


def _likely_item(name: str) -> str:
    """Return the figure that a name is likely to mean by one of its words, "" for none."""
    parts = plain(name.replace("_", " ")).split("-")[:_NAME_PARTS]
    for at in range(len(parts)):
        for end in range(len(parts), at, -1):
            what = _figure("-".join(parts[at:end]))
            if what not in ("", "score", "total"):
                return what
    return ""


def _figure(word: str) -> str:
    meaning = words().columns.get(word, "")
    return meaning if meaning in FIGURES else ""


def _is_points_name(name: str) -> bool:
    """Return whether a name ends with a word for points."""
    last = plain(name.replace("_", " ")).split("-")[-1]
    return last in ("pts", "pt", "p") or _figure(last) == "score"


def _guess_sides(
    guess: _Guess, names: Iterable[str], called: Mapping[str, str], reading: SpreadsheetReading
) -> list[str]:
    """Give the sides of the rules to unknown names, in order; return the names left over."""
    unknown = [name for name in names if plain(name) not in called]
    fitting = [rules for rules in reading.rules if len(rules.sides) == len(unknown)]
    sizes = {len(partners_of(name)) for name in unknown}
    seated = [each for each in fitting if {len(side) for side in each.sides} == sizes]
    rules = [*([] if "header" in guess.settings else seated), *fitting, reading.rules[0]][0]
    guess.sides |= zip(rules.sides, unknown, strict=False)
    for side, name in guess.sides.items():
        guess.tags |= {} if may_be_one(name) else tags_of(side, name)
    if rules.text and guess.sides:
        guess.tags["Rules"] = rules.text
    return unknown[len(rules.sides) :]


# --- rows, and what only a person can say ---------------------------------------------------------


def _guess_rows(guess: _Guess, table: SheetTable) -> None:
    """Leave out the rows that begin with a word, if others begin with the number of a deal."""
    called = plain(str(guess.columns.get("deal", "")))
    at = next(
        (
            at
            for at, name in enumerate(table.header)
            if words().columns.get(plain(name)) == "deal" or plain(name) == called
        ),
        0,
    )
    cells = [(cells[at], first_cell(cells)) for _, cells in deal_rows(table, at)]
    if not any(deal_number(cell) for cell, _ in cells):
        return
    left_out = dict.fromkeys(
        first for cell, first in cells if first and not deal_number(cell) and not is_points(first)
    )
    if left_out:
        guess.settings["leave_out"] = [*left_out]


def _guess_rest(guess: _Guess, data: bytes, reading: SpreadsheetReading) -> None:
    """Try the map: ask for the reading if it is open, and list the problems that remain."""
    written = column_map(tomllib.loads("\n".join(_lines(guess))))
    named = [each for each in reading.rules if each.text and each.text == guess.tags.get("Rules")]
    columns = _joined(reading.columns, written)
    tried = replace(reading, rules=named or reading.rules, columns=columns)
    try:
        tables, several = read_tables(data, tried)
        collected, _ = collect_tables(tables, tried, several=several)
        choices = choices_of(collected, tried)
    except SpreadsheetError as error:
        guess.remarks += error.problems
        if any('rows = "deal"' in problem for problem in error.problems):
            guess.settings["rows"] = _OPEN
        return
    open_ = [choice for choice in choices if choice.reading is None]
    if open_:
        guess.settings["points"] = _OPEN
        guess.remarks += [choice.why for choice in open_]


def _joined(columns: ColumnMap, guessed: ColumnMap) -> ColumnMap:
    """Return the guessed map with the tags and the reading that are given otherwise."""
    return replace(
        guessed, tags={**guessed.tags, **columns.tags}, points=columns.points or guessed.points
    )


# --- TOML -----------------------------------------------------------------------------------------


def _lines(guess: _Guess) -> Iterator[str]:
    """Yield the lines of the map."""
    yield from _INTRODUCTION.splitlines()
    for remark in guess.remarks:
        yield f"# {''.join(each if each.isprintable() else '?' for each in remark)}"
    for key, value in guess.settings.items():
        yield f"{key} = {_spelled(value)}{_CHOICES[key] if value == _OPEN else ''}"
    for key, name in guess.columns.items():
        yield f"{key} = {_spelled(name)}"
    for name in guess.unknown:
        yield f"# {_OPEN} = {_spelled(name)}   # not known, left out"
    for table, entries in (("sides", guess.sides), ("tags", guess.tags)):
        if entries:
            yield f"\n[{table}]"
            yield from (f"{key} = {_spelled(value)}" for key, value in entries.items())


def _spelled(value: object) -> str:
    """Return a value as TOML, which spells texts, numbers and lists of them as JSON does."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_spelled(each)}' for key, each in value.items())} }}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
