"""What the columns of a table hold: places such as the deal, and figures, each of a side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Final, NamedTuple

from canasta_notation.english import listed
from canasta_notation.foreign.spreadsheet_file import SpreadsheetError, column_letters
from canasta_notation.foreign.spreadsheet_map import ALL_SIDES, ColumnMap
from canasta_notation.foreign.spreadsheet_players import (
    Seated,
    SheetRules,
    dealers,
    is_nobody,
    seated,
    side_and_players,
    tags_of,
    ways_to_seat,
)
from canasta_notation.foreign.spreadsheet_shape import SheetTable
from canasta_notation.foreign.spreadsheet_words import (
    FIGURES,
    OTHER,
    PLAYER,
    date_of,
    deal_number,
    is_no_deal,
    is_points,
    plain,
    points_of,
    side_names,
    side_of,
    spellings,
    words,
)
from canasta_notation.names import is_known
from canasta_notation.quoting import QUOTED
from canasta_notation.rules.items import TAKEN_OFF

#: What a column named only by its side holds: points of a deal, or running totals.
BARE: Final = "bare"
#: The items that rules count.
_COUNTED: Final = {
    *("natural", "mixed", "sevens", "aces", "wild", "sequence", "red3", "out", "concealed"),
}
#: The most wrong cells or columns that are listed.
MOST: Final = 20
#: What to do about unknown names of columns.
NAMING: Final = (
    "use --columns MAP.toml, and say in that file what each name means: "
    'melds = "Cards down" for a column, or NS = "We" below the line [sides] for a side'
)
#: The items of which a score has at least one.
_OF_CARDS: Final = {"melds", "cards", "hand", "special"}
#: A name of a column has fewer parts than this.
_NAME_PARTS: Final = 12
#: The points of one of an item after its name, as in `Clean books (500)` or `Red books x 500`.
_PRICE: Final = re.compile(r"(?:-?[x@\u00d7=])?-?\d{2,4}$")
#: The names of the books of a colour that cannot be mistaken.
_BOOKS: Final = {"red": "red-books", "black": "black-books"}
#: What surrounds a name after the word for its figures has been removed.
_AROUND: Final = " \t-:/()[]|,.\u2013"


@dataclass(frozen=True, slots=True)
class SpreadsheetReading:
    """How sheets are read: the names that they use, and the rules of their games.

    The first of the rules is the usual one; another is used if the sides of a sheet require it.
    """

    rules: Sequence[SheetRules]
    columns: ColumnMap = field(default_factory=ColumnMap)


class Figure(NamedTuple):
    """A figure's column: its index in the row, its side ("": the row's side), and its name."""

    at: int
    side: str
    what: str
    times: int = 1
    #: The points of each number of an item, from 1, if the column counts instead.
    counted: Sequence[int] = ()
    #: Whether the name of the column says that it counts.
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """The meaning of a table's columns: which hold places, and which hold figures.

    `called` are the sides by their names, `dealers` the seats by the words for them, both in the
    form of `plain`; `tags` are the names of players by seat, or of teams by side.
    """

    table: SheetTable
    rules: SheetRules
    called: Mapping[str, str]
    tags: Mapping[str, str]
    places: Mapping[str, int] = field(default_factory=dict)
    figures: tuple[Figure, ...] = ()
    left_out: tuple[str, ...] = ()
    dealers: Mapping[str, str] = field(default_factory=dict)

    def cell(self, cells: Sequence[str], place: str) -> str:
        """Return a row's cell of a place, "" if there is no such column."""
        at = self.places.get(place)
        return "" if at is None or at >= len(cells) else cells[at]


class _NamedColumn(NamedTuple):
    """A column whose name is read: its side, the name of an unknown one, and what it holds."""

    at: int
    side: str = ""
    what: str = ""
    named: str = ""
    times: int = 1
    #: The names of players beside the word for their side.
    players: str = ""
    #: Whether the name says that the column counts.
    counts: bool = False


def read_columns(table: SheetTable, reading: SpreadsheetReading) -> Layout:
    """Return what each column holds. Raises SpreadsheetError if the header fits no score sheet."""
    problems: list[str] = []
    usual = reading.rules[0]
    called = {**side_names(usual.sides), **reading.columns.sides}
    columns = [*_mapped(table, reading, problems)]
    taken = {(each.side, each.what) for each in columns}
    done = {each.at for each in columns}
    for at, name in enumerate(_with_books(table.header, called)):
        if at not in done:
            side, what, counts = _meaning(name, called)
            if (side, what) not in taken or not what:
                columns.append(_NamedColumn(at, side, what, counts=counts))
    columns = _with_players(sorted(columns))
    columns = _unnamed(table, _beside_sides(_named(table, columns, called)))
    named = _sides(table, columns, reading)
    columns = [each._replace(side=named.sides.get(each.named, each.side)) for each in columns]
    called = {**side_names(named.rules.sides), **reading.columns.sides, **named.sides}
    layout = _gathered(Layout(table, named.rules, called, named.tags), columns, reading, problems)
    return _checked(_with_dealers(layout), problems)


def _with_books(header: Sequence[str], called: Mapping[str, str]) -> list[str]:
    """Return the names of columns; if red and black mean nothing else, both are books."""
    colours = words().colours
    named, found = [*header], set[str]()
    for at, name in enumerate(header):
        parts = plain(name).split("-")
        mine = {colours[part] for part in parts if part in colours}
        if mine and not _meaning(name, called)[1]:
            found |= mine
            named[at] = "-".join(_BOOKS.get(colours.get(part, ""), part) for part in parts)
    return named if found == {*_BOOKS} else [*header]


def meaning_of(name: str, called: Mapping[str, str]) -> tuple[str, str]:
    """Return the side and the figure or place that a column's name means, ("", "") if unknown."""
    return _meaning(name, called)[:2]


def _meaning(name: str, called: Mapping[str, str]) -> tuple[str, str, bool]:
    """Return the side and the figure or place of a name, and whether it names a number of items.

    A name with a word for a number, such as `NaturalCanastaCount`, means only what rules count.
    """
    columns = words().columns
    spelled = spellings(name)
    for known in spelled:
        if known in columns:
            return "", columns[known], False
        if known in words().no_deal:
            return "", OTHER, False
        side = side_of(known, called) or side_of(name, called)
        if side:
            return side, BARE, False
        side, what = _side_and_figure(known, called)
        if what:
            return side, what, False
    for known in spelled:
        side, what = _counted_figure(_PRICE.sub("", known), called)
        if what:
            return side, what, False
    for known in spelled:
        for rest in _without_word(known, words().count):
            side, what = _counted_figure(rest, called)
            if what:
                return side, what, True
    return "", "", False


def _counted_figure(known: str, called: Mapping[str, str]) -> tuple[str, str]:
    """Return the side and the item of a name, two empty texts if rules do not count it."""
    side, what = _side_and_figure(known, called)
    what = what or words().columns.get(known, "")
    return (side, what) if what in _COUNTED else ("", "")


def _side_and_figure(known: str, called: Mapping[str, str]) -> tuple[str, str]:
    """Return the side and the figure that a name joins in either order, or two empty texts."""
    columns = words().columns
    parts = known.split("-")
    for at in range(1, min(len(parts), _NAME_PARTS)):
        first, second = "-".join(parts[:at]), "-".join(parts[at:])
        for side, what in ((first, second), (second, first)):
            if side in called and columns.get(what) in FIGURES:
                return called[side], columns[what]
    return "", ""


def _without_word(known: str, meant: Set[str]) -> Iterator[str]:
    """Yield a name without one of some words, all in the form of `plain`."""
    parts = known.split("-")
    for at in range(len(parts) if len(parts) < _NAME_PARTS else 0):
        first, second = "-".join(parts[:at]), "-".join(parts[at:])
        if parts[at] in meant:
            yield "-".join((*parts[:at], *parts[at + 1 :]))
        elif first in meant or second in meant:
            yield second if first in meant else first


# --- names ----------------------------------------------------------------------------------------


def _with_players(columns: Sequence[_NamedColumn]) -> list[_NamedColumn]:
    """Return the columns; one of players has the sides of the rows if no column has its own."""
    by_row = any(each.what in FIGURES for each in columns) and not any(
        each.side or each.what == "side" for each in columns
    )
    return [
        each._replace(what="side" if by_row else OTHER) if each.what == PLAYER else each
        for each in columns
    ]


def _mapped(
    table: SheetTable, reading: SpreadsheetReading, problems: list[str]
) -> Iterator[_NamedColumn]:
    """Yield the columns that the map names."""
    for (side, what), source in reading.columns.columns.items():
        header = " ".join(source.header.split())
        if header not in table.header:
            problems.append(
                f"row {table.line}: there is no column {quote(source.header)}, "
                f"which --columns names for {what}"
            )
        elif side and side not in reading.rules[0].sides:
            problems.append(_no_side([side], reading.rules[0].sides))
        else:
            yield _NamedColumn(table.header.index(header), side, what, times=source.times)


def _named(
    table: SheetTable, columns: Iterable[_NamedColumn], called: Mapping[str, str]
) -> Iterator[_NamedColumn]:
    """Yield the columns; an unknown name above figures may be a side's, alone or with a word."""
    columns, deal = [*columns], False
    nobodies = Counter[tuple[str, str]]()
    by_row = any(each.what == "side" for each in columns)
    for each in columns:
        name = table.header[each.at]
        deal = deal or each.what in ("deal", "item")
        if not deal and _numbers_deals(table, each, by_row=by_row):
            deal = True
            yield each._replace(what="deal")
        elif not each.what and _may_be_a_side(name) and has_points(table, each.at):
            rest, what = name_and_figure(name)
            side, players = side_and_players(rest, called)
            named = "" if side else plain(rest)
            if named and is_nobody(rest):
                nobodies[named, what] += 1
                named = f"{named} {nobodies[named, what]}"
            yield each._replace(side=side, named=named, what=what, players=players)
        elif not each.what and _are_dates(table, each.at):
            yield each._replace(what="date")
        else:
            yield each


def _may_be_a_side(name: str) -> bool:
    """Return whether a name that means nothing else may be that of a side: it has no number."""
    return bool(name) and not is_points(name) and deal_number(name) is None


def _numbers_deals(table: SheetTable, column: _NamedColumn, *, by_row: bool) -> bool:
    """Return whether a column without a known name, or called a hand, counts the deals from 1.

    Without any name, it may have the numbers in another order.
    """
    if column.what not in ("", "hand") or column.side:
        return False
    cells = [cells[column.at] for _, cells in deal_rows(table, column.at)]
    numbers = [deal_number(cell) for cell in cells if cell]
    if not numbers or not all(numbers):
        return False
    if by_row and len({*numbers}) == len(numbers):
        return False  # such as the places of the sides
    counted = [number or 0 for number in numbers]
    if not table.header[column.at] and sorted(counted) == [*range(1, len(counted) + 1)]:
        return True
    steps = all(b in (a, a + 1, 1) for a, b in pairwise(counted))
    return counted[0] == 1 and steps and (not table.header[column.at] or len(counted) > 1)


def _are_dates(table: SheetTable, at: int) -> bool:
    cells = [cells[at] for _, cells in deal_rows(table, at) if cells[at]]
    return bool(cells) and all(map(date_of, cells))


def has_points(table: SheetTable, at: int) -> bool:
    """Return whether a column has figures."""
    return any(is_points(cells[at]) for _, cells in table.rows)


def deal_rows(table: SheetTable, at: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that can be deals, and that have no word for another row in a column."""
    return (row for row in table.deals if not is_no_deal(row[1][at]))


def name_and_figure(name: str) -> tuple[str, str]:
    """Return a name without a known word for figures at one of its ends, and their meaning."""
    parts = name.split()
    for at in range(1, min(len(parts), _NAME_PARTS)):
        first, second = " ".join(parts[:at]), " ".join(parts[at:])
        for rest, word in ((first, second), (second, first)):
            what = words().columns.get(plain(word))
            if what in FIGURES and rest.strip(_AROUND):
                return rest.strip(_AROUND), what
    return name, BARE


def _beside_sides(columns: Iterable[_NamedColumn]) -> Iterator[_NamedColumn]:
    """Yield the columns; a figure repeated beside the columns of sides belongs to those sides.

    Such a header is `Deal, We, Total, They, Total`.
    """
    columns = [*columns]
    repeated = Counter(each.what for each in columns if each.what in FIGURES and not _owner(each))
    owner: _NamedColumn | None = None
    for each in columns:
        if each.what == BARE:
            owner = each
        if owner and each.what in FIGURES and not _owner(each) and repeated[each.what] > 1:
            each = each._replace(side=owner.side, named=owner.named)
        yield each


def _owner(column: _NamedColumn) -> str:
    return column.side or column.named


def _unnamed(table: SheetTable, columns: Iterable[_NamedColumn]) -> list[_NamedColumn]:
    """Return the columns; one without a name must have the running totals of the one before it."""
    found: list[_NamedColumn] = []
    for each in columns:
        before = found[-1] if found else None
        if table.header[each.at] or each.what:
            found.append(each)
        elif before and before.what == BARE and _adds_up(table, before.at, each.at):
            found.append(each._replace(side=before.side, named=before.named, what="total"))
    return found


def _adds_up(table: SheetTable, at: int, sums: int) -> bool:
    """Return whether a column has the running totals of another one, of at least two deals."""
    total, deals = 0, 0
    for _, cells in deal_rows(table):
        if is_points(cells[at]) and is_points(cells[sums]):
            total += points_of(cells[at]) or 0
            deals += 1
            if total != points_of(cells[sums]):
                return False
    return deals > 1


# --- sides ----------------------------------------------------------------------------------------


def _sides(
    table: SheetTable, columns: Sequence[_NamedColumn], reading: SpreadsheetReading
) -> Seated:
    """Return the rules, the sides by the unknown names of columns or cells, and their tags.

    Unknown names are sides if no column is named by a known side, and if there are rules with as
    many sides.
    """
    usual = reading.rules[0]
    if any(each.side for each in columns):
        return Seated(
            usual, {}, dict(chain(*(tags_of(each.side, each.players) for each in columns)))
        )
    spelled: dict[str, str] = {}
    for each in columns:
        if each.named:
            spelled.setdefault(each.named, name_and_figure(table.header[each.at])[0])
    by_row = next((each.at for each in columns if each.what == "side"), None)
    if by_row is not None:
        known = {**side_names(usual.sides), **reading.columns.sides}
        cells = [cells[by_row] for _, cells in deal_rows(table) if cells[by_row]]
        if spelled or any(side_of(cell, known) for cell in cells):
            return Seated(usual, {}, {})
        split = {plain(cell): side_and_players(cell, known) for cell in cells}
        if any(side for side, _ in split.values()):
            tags = dict(chain(*(tags_of(*each) for each in split.values())))
            return Seated(usual, {key: side for key, (side, _) in split.items() if side}, tags)
        spelled = {plain(cell): cell for cell in cells}
    ways = ways_to_seat(spelled, reading.rules)
    if len(ways) > 1:
        said = listed(
            (f"--rules {text!r} for sides of {size}" for size, text in ways.items()), "or"
        )
        name = quote(next(name for name in spelled.values() if "," in name))
        why = f"how many players are {name}? Write `+` between partners, or add {said}"
        raise SpreadsheetError([f"row {table.line}: {why}"], map_helps=True)
    return seated(spelled, reading.rules) or Seated(usual, {}, {})


def _with_dealers(layout: Layout) -> Layout:
    """Return the layout with the seats of dealers, by words for seats or by names of players.

    If the seats of the named players are not known, their column is left out.
    """
    seats = layout.rules.seats
    known = {word: seat for word, seat in words().sides.items() if seat in [*seats]}
    known |= {plain(seat): seat for seat in seats}
    at = layout.places.get("dealer")
    cells = [] if at is None else [cells[at] for _, cells in deal_rows(layout.table)]
    said = [cell for cell in cells if is_known(cell)]
    if at is None or all(plain(word) in known for word in said):
        return replace(layout, dealers=known)
    found = dealers(said, Seated(layout.rules, layout.called, layout.tags))
    if found is None and any(plain(word) in known or len(word) == 1 for word in said):
        return replace(layout, dealers=known)
    if found is None:
        places = {place: at for place, at in layout.places.items() if place != "dealer"}
        left_out = (*layout.left_out, layout.table.header[at])
        return replace(layout, places=places, left_out=left_out)
    return replace(layout, dealers=found.sides, tags=found.tags)


# --- the layout -----------------------------------------------------------------------------------


def _gathered(
    layout: Layout,
    columns: Sequence[_NamedColumn],
    reading: SpreadsheetReading,
    problems: list[str],
) -> Layout:
    """Return the layout with places, figures and what is left out; add problems about columns."""
    table, sides = layout.table, layout.rules.sides
    places: dict[str, int] = {}
    figures: dict[tuple[str, str], Figure] = {}
    left_out: list[str] = []
    unknown: list[str] = []
    for each in columns:
        name = table.header[each.at]
        if not each.what or (each.named and not each.side):
            counts = is_points(name) or has_points(table, each.at)
            (unknown if name and counts else left_out).append(name)
        elif each.side and each.side not in sides:
            problems.append(f"{quote(name)}: {_no_side([each.side], sides)}")
        elif each.what == OTHER:
            left_out.append(name)
        elif each.what in places or (each.side, each.what) in figures:
            meant = f"{each.side} {each.what}".replace(BARE, "").strip()
            place = f"row {table.line}, column {table.columns[each.at]}"
            problems.append(f"{place}: {quote(name)} is a second column of {meant}")
        elif each.what in (*FIGURES, BARE):
            figures[each.side, each.what] = Figure(
                each.at, each.side, each.what, each.times, counts=each.counts
            )
        else:
            places[each.what] = each.at
    if "item" in places and "claimed" not in places and [*figures] == [("", "score")]:
        places["claimed"] = figures.pop(("", "score")).at
    if not reading.columns.columns:
        problems += _unknown(table, unknown, sides)
    left = tuple(name for name in (*left_out, *unknown) if name)
    return replace(layout, places=places, figures=tuple(figures.values()), left_out=left)


def _checked(layout: Layout, problems: list[str]) -> Layout:
    """Return the layout with the points of counts. Raises SpreadsheetError for any problem."""
    layout = _without_sums_of_sides(_without_marks(layout))
    problems = problems or [*_missing(layout)]
    figures = tuple(_counting(layout, each, problems) for each in layout.figures)
    if problems:
        raise SpreadsheetError(first_of(problems))
    return replace(layout, figures=figures)


def _without_marks(layout: Layout) -> Layout:
    """Return the layout without items beside a score if none of them has the points of cards.

    Such a sheet says who went out, or how many red threes there were, but its items would not add
    up to the score. If names say who went out, the column is left out too.
    """
    marks = words().yes | words().no | {""}
    held = {
        each: {plain(cells[each.at]) for _, cells in deal_rows(layout.table)}
        for each in layout.figures
        if each.what not in ("score", "total", BARE)
    }
    items = [*held]
    named = [
        each
        for each, cells in held.items()
        if each.what in layout.rules.yes and not cells <= marks and not any(map(is_points, cells))
    ]
    marked = all(each.what in layout.rules.yes and held[each] <= marks for each in items)
    scored = any(each.what in ("score", BARE) for each in layout.figures)
    if not marked and not (scored and _OF_CARDS.isdisjoint(each.what for each in items)):
        items = named
    figures = tuple(each for each in layout.figures if each not in items)
    if not figures:
        return layout
    left_out = (layout.table.header[each.at] for each in items)
    return replace(layout, figures=figures, left_out=(*layout.left_out, *left_out))


def _without_sums_of_sides(layout: Layout) -> Layout:
    """Return the layout without a column of no side that only adds up the sides of each row."""
    lone = [each for each in layout.figures if not each.side and each.what in ("score", "total")]
    sides = [each for each in layout.figures if each.side and each.what in ("score", "total", BARE)]
    if len(lone) != 1 or "side" in layout.places or len({each.what for each in sides}) != 1:
        return layout
    at = lone[0].at
    for _, cells in layout.table.rows:
        if not is_points(cells[at]) and cells[at].strip("-"):
            return layout
        if is_points(cells[at]):
            added = [points_of(cells[each.at]) or 0 for each in sides if is_points(cells[each.at])]
            if sum(added) != points_of(cells[at]):
                return layout
    figures = tuple(each for each in layout.figures if each is not lone[0])
    left_out = (*layout.left_out, layout.table.header[at])
    return replace(layout, figures=figures, left_out=left_out)


def _counting(layout: Layout, figure: Figure, problems: list[str]) -> Figure:
    """Return the figure with the points of counts, if its column can hold nothing else.

    Points of an item are never as small as the number of the cards or canastas that earned it,
    and the name of the column may say that it counts. An item that takes points off counts
    backwards if all of its column's figures are without a sign.
    """
    rules, at = layout.rules, figure.at
    cells = [cells[at] for _, cells in deal_rows(layout.table) if is_points(cells[at])]
    numbers = {points_of(cell) or 0 for cell in cells}
    if figure.times == 1 and figure.what in TAKEN_OFF and any(numbers) and min(numbers) >= 0:
        return figure._replace(times=-1)
    if figure.times != 1 or figure.what not in rules.counted:
        return figure
    counted, name = rules.counted[figure.what], layout.table.header[at]
    misfits = [number for number in numbers if not 0 <= number < counted[0]]
    if figure.counts and misfits:
        problems.append(
            f"{quote(name)} is a number of {figure.what} by its name, but {min(misfits)} cannot be"
        )
    if not any(numbers) or misfits:
        return figure
    if max(numbers) > len(counted):
        times = f'{figure.what} = {{ column = "{name}", times = {counted[0]} }}'
        problems.append(
            f"{quote(name)} counts more than these rules have points for; write {times} in the map"
        )
    return figure._replace(counted=counted)


def numbered_items(layout: Layout) -> dict[str, int]:
    """Return the items that are given as numbers or as yes and no, with the points of one."""
    found = {each.what: each.counted[0] for each in layout.figures if each.counted}
    found.pop("red3", None)  # the second has other points than the first
    marks = words().yes | words().no | {""}
    for each in layout.figures:
        said = {plain(cells[each.at]) for _, cells in deal_rows(layout.table)}
        if each.what in layout.rules.yes and said <= marks:
            found[each.what] = layout.rules.yes[each.what]
    return found


def _unknown(table: SheetTable, unknown: list[str], sides: Sequence[str]) -> Iterator[str]:
    """Yield what to do about unknown names in a header."""
    names = [name for name in table.header if name]
    if unknown and all(map(is_points, names)):
        known = (f"{side} {what}" for what in ("score", "total") for side in sides)
        said = ", ".join(("deal", *known))
        yield f"row {table.line}: the first row must name the columns, for example: {said}"
    elif unknown and ALL_SIDES.issuperset(unknown):
        yield f"row {table.line}: {_no_side(unknown, sides)}"
    elif unknown:
        more = [f"and {len(unknown) - MOST} more"] if len(unknown) > MOST else []
        said = ", ".join([*map(quote, unknown[:MOST]), *more])
        yield f"row {table.line}: not a column of a score sheet: {said} ({NAMING})"


def _no_side(found: Sequence[str], sides: Sequence[str]) -> str:
    """Return the message that sides belong to other rules than the sheet's."""
    are = "is not a side" if len(found) == 1 else "are not sides"
    return f"{listed(found)} {are} of these rules ({', '.join(sides)}); --rules is for other rules"


def _missing(layout: Layout) -> Iterator[str]:
    """Yield what the header lacks for its layout."""
    places, figures, line = layout.places, layout.figures, layout.table.line
    needed: tuple[str, ...] = ()
    if "item" in places:
        needed = ("side", "claimed")
    elif "side" in places:
        if not figures:
            yield f"row {line}: no column is an item, `score` or `total` ({NAMING})"
    elif not figures:
        yield f"row {line}: no column is a figure, such as `NS score` or, beside `side`, `score`"
    elif any(not figure.side for figure in figures):
        lone = [quote(layout.table.header[each.at]) for each in figures if not each.side]
        yield f"row {line}: there is no column `side` to say whose figures a row has"
        if len(lone) < len(figures):
            yield f"row {line}: {listed(lone)} names no side, such as `NS total`"
    for name in needed:
        if name not in places:
            yield f"row {line}: there is no column `{name}`"


def first_of(problems: list[str]) -> list[str]:
    """Return the first problems, and how many more there are."""
    more = len(problems) - MOST
    return [*problems[:MOST], f"and {more} more"] if more > 0 else problems


def quote(said: str) -> str:
    """Return a text in quotes, shortened."""
    return repr(said if len(said) <= QUOTED else said[:QUOTED] + "...")


def column_name(layout: Layout, at: int) -> str:
    """Return the name of a column, or its letters; in a turned table, it is a row of the sheet."""
    number = layout.table.columns[at]
    letters = f"row {number}" if layout.table.turned else f"column {column_letters(number)}"
    return layout.table.header[at] or letters
