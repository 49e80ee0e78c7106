"""What a person says about a sheet: the names of its columns and sides, its header, its tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from canasta_notation.cards import SIDES
from canasta_notation.foreign.spreadsheet_words import FIGURES, PLACES, plain
from canasta_notation.notation.assemble import VERSION
from canasta_notation.notation.document import Tag
from canasta_notation.notation.format import format_line
from canasta_notation.notation.reader import read_line

#: What the figures of a column without a word for it can be.
POINTS: Final = ("deal", "total")
_MOST_TIMES: Final = 10_000
#: The sides of any rules.
ALL_SIDES: Final = {side for sides in SIDES.values() for side in sides}
#: The entries of a map that are not columns.
_SETTINGS: Final = ("sides", "tags", "points", "header", "leave_out", "rows")


class SheetColumn(NamedTuple):
    """The header of a column, and what its figures are multiplied by."""

    header: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """The names of a sheet's columns and sides, and what else the sheet does not say itself.

    `columns` maps a side ("" for none) and a name of `FIGURES` or of the places to its column;
    `sides` maps the sheet's name of a side to the side; `tags` are written into every game.
    `points` is one of `POINTS`, or None; `header` is the number of the header's row, 0 for none;
    `leave_out` are the first cells of rows that are not deals, in the form of `plain`; `one_game`
    says that the rows are the deals of one game, although each has a date of its own.
    """

    columns: Mapping[tuple[str, str], SheetColumn] = field(default_factory=dict)
    sides: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    points: str | None = None
    header: int | None = None
    leave_out: frozenset[str] = frozenset()
    one_game: bool = False


def column_map(data: Mapping[str, Any]) -> ColumnMap:
    """Return the map of columns in a TOML file. Raises ValueError, which says what is wrong.

    `melds = "Meld points"` names a column, `red3 = { column = "threes", times = 100 }` multiplies
    it. A table named after a side holds that side's columns, `[sides]` the sheet's names of the
    sides, and `[tags]` the tags of the games.
    """
    columns = _columns(data)
    sides = _texts(data, "sides")
    for side in sides:
        if side not in ALL_SIDES:
            raise ValueError(f"sides: {side} is not a side")
    called = {plain(name): side for side, name in sides.items()}
    tags = _texts(data, "tags")
    _check_tags(tags)
    if data.get("rows", "deal") != "deal":
        raise ValueError('rows: write "deal" if the rows are the deals of one game')
    return ColumnMap(
        columns,
        called,
        tags,
        _points(data),
        _header(data),
        _leave_out(data),
        one_game="rows" in data,
    )


def _columns(data: Mapping[str, Any]) -> dict[tuple[str, str], SheetColumn]:
    """Return the columns by their side ("" for none) and what they hold. Raises ValueError."""
    columns: dict[tuple[str, str], SheetColumn] = {}
    for name, value in data.items():
        if name in _SETTINGS:
            continue
        if name in ALL_SIDES and isinstance(value, Mapping):
            for what, column in value.items():
                columns[name, what] = _source(f"{name}.{what}", what, column, FIGURES)
        elif name in ALL_SIDES:
            raise ValueError(f"{name}: write the name of a side below the line [sides]")
        else:
            columns["", name] = _source(name, name, value, (*PLACES, *FIGURES))
    return columns


def _check_tags(tags: Mapping[str, str]) -> None:
    for name, value in tags.items():
        try:
            written = isinstance(read_line(format_line(Tag(name, value))), Tag)
        except ValueError:
            written = False
        if not written:
            raise ValueError(f"tags: {name}: cannot be written as a tag")
    if tags.get("CGN", VERSION) != VERSION:
        raise ValueError(f"tags: CGN: is always {VERSION}")


def _points(data: Mapping[str, Any]) -> str | None:
    points = data.get("points")
    if points is None or points in POINTS:
        return points
    raise ValueError('points: write "deal" for the points of each deal, "total" for running totals')


def _header(data: Mapping[str, Any]) -> int | None:
    header = data.get("header")
    if header is None or (type(header) is int and header >= 0):
        return header
    raise ValueError("header: write the number of the row with the names of the columns, or 0")


def _leave_out(data: Mapping[str, Any]) -> frozenset[str]:
    names = data.get("leave_out", [])
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return frozenset(map(plain, names))
    raise ValueError('leave_out: write the first cells of rows in a list, such as ["Best deal"]')


def _source(place: str, what: str, value: Any, known: Sequence[str]) -> SheetColumn:
    if what not in known:
        raise ValueError(f"{place}: is not one of {', '.join(known)}")
    if isinstance(value, str):
        return SheetColumn(value)
    if isinstance(value, Mapping) and set(value) <= {"column", "times"}:
        header, times = value.get("column"), value.get("times", 1)
        if isinstance(header, str) and type(times) is int and abs(times) <= _MOST_TIMES:
            return SheetColumn(header, times)
    raise ValueError(f'{place}: write the name of a column, or {{ column = "name", times = 100 }}')


def _texts(data: Mapping[str, Any], name: str) -> dict[str, str]:
    table = data.get(name, {})
    if not isinstance(table, Mapping) or not all(isinstance(each, str) for each in table.values()):
        raise ValueError(f"{name}: is a table of texts in quotes")
    return dict(table)
