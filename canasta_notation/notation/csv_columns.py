"""The names of columns and sides in a CSV sheet: the known names, and a user's map of others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from canasta_notation.cards import SIDES
from canasta_notation.engine.scoring import ITEMS
from canasta_notation.notation.assemble import VERSION
from canasta_notation.notation.document import Tag
from canasta_notation.notation.format import format_line
from canasta_notation.notation.reader import read_line

#: What a column other than a figure can contain.
PLACES: Final = ("file", "game", "deal", "dealer", "side", "item", "claimed")
#: The names of figures.
FIGURES: Final = (*ITEMS, "cards", "score", "total")
_SEPARATORS: Final = re.compile(r"[\s_./:]+")
_MOST_TIMES: Final = 10_000


class SheetColumn(NamedTuple):
    """The header of a column, and what its figures are multiplied by."""

    header: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """The names of a sheet's columns and sides, and the tags that the sheet lacks.

    `columns` maps a side ("" for none) and a name of `FIGURES` or of the places to its column;
    `sides` maps the sheet's name of a side to the side; `tags` are written into every game.
    """

    columns: Mapping[tuple[str, str], SheetColumn] = field(default_factory=dict)
    sides: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)


def column_map(data: Mapping[str, Any]) -> ColumnMap:
    """Return the map that a TOML file holds. Raises ValueError saying what is wrong with it.

    `melds = "Meld points"` names a column, `red3 = { column = "threes", times = 100 }` multiplies
    it; a table named for a side holds that side's columns, `[sides]` what the sheet calls each
    side, `[tags]` the tags of the games.
    """
    columns: dict[tuple[str, str], SheetColumn] = {}
    known_sides = {side for sides in SIDES.values() for side in sides}
    for name, value in data.items():
        if name in ("sides", "tags"):
            continue
        if name in known_sides and isinstance(value, Mapping):
            for what, column in value.items():
                columns[name, what] = _source(f"{name}.{what}", what, column, FIGURES)
        elif name in known_sides:
            raise ValueError(f"{name}: write the name of a side below the line [sides]")
        else:
            columns["", name] = _source(name, name, value, (*PLACES, *FIGURES))
    sides = _texts(data, "sides")
    for side in sides:
        if side not in known_sides:
            raise ValueError(f"sides: {side} is not a side")
    called = {plain(name): side for side, name in sides.items()}
    tags = _texts(data, "tags")
    for name, value in tags.items():
        try:
            written = isinstance(read_line(format_line(Tag(name, value))), Tag)
        except ValueError:
            written = False
        if not written:
            raise ValueError(f"tags: {name}: cannot be written as a tag")
    if tags.get("CGN", VERSION) != VERSION:
        raise ValueError(f"tags: CGN: is always {VERSION}")
    return ColumnMap(columns, called, tags)


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


def plain(name: str) -> str:
    """Return a name in the form in which names are compared: lower case, with `-` as separator."""
    return _SEPARATORS.sub("-", name.strip().casefold())
