"""Score sheets of a spreadsheet, read into games: every figure becomes a claim of the record.

The header shows which of three layouts a sheet has: a row for each item (as `audit --csv` prints),
for each deal and side, or for each deal. A sheet with only totals has one of the last two. A map of
columns says what the names of another sheet mean. Nothing is judged here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from canasta_notation.cards import SIDES
from canasta_notation.english import count, listed
from canasta_notation.notation.assemble import VERSION
from canasta_notation.notation.document import Deal, Game, PenaltyLine, ScoreLine, Tag, TotalLine
from canasta_notation.notation.format import format_line
from canasta_notation.notation.reader import read_line
from canasta_notation.notation.spreadsheet_file import Row, SpreadsheetError, Table, read_tables
from canasta_notation.notation.spreadsheet_words import (
    FIGURES,
    OTHER,
    PLACES,
    plain,
    points_of,
    side_names,
    words,
)
from canasta_notation.quoting import QUOTED, shortened

_MOST_TIMES: Final = 10_000
#: The word of a penalty of which only the points are known.
PENALTY_WORD: Final = "house"
#: What to do about unknown names of columns.
_NAMING: Final = (
    "use --columns MAP.toml, and say in that file what each name means: "
    'melds = "Cards down" for a column, or NS = "We" below the line [sides] for a side'
)
#: The sides of any rules.
_SIDES: Final = {side for sides in SIDES.values() for side in sides}
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,3}")
_HIGHEST: Final = 10_000_000
#: A name of a column has fewer parts than this.
_NAME_PARTS: Final = 12
#: The most wrong cells that are listed.
_MOST: Final = 20


# --- the map of columns ---------------------------------------------------------------------------


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
    for name, value in data.items():
        if name in ("sides", "tags"):
            continue
        if name in _SIDES and isinstance(value, Mapping):
            for what, column in value.items():
                columns[name, what] = _source(f"{name}.{what}", what, column, FIGURES)
        elif name in _SIDES:
            raise ValueError(f"{name}: write the name of a side below the line [sides]")
        else:
            columns["", name] = _source(name, name, value, (*PLACES, *FIGURES))
    sides = _texts(data, "sides")
    for side in sides:
        if side not in _SIDES:
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


class _Figure(NamedTuple):
    """A figure's column: its place in the row, its side ("": the row's side), and its name.

    `bare` says that the header names only the side.
    """

    at: int
    side: str
    what: str
    times: int = 1
    bare: bool = False


@dataclass(frozen=True, slots=True)
class _Layout:
    """The meaning of the header: which columns hold places, and which hold figures."""

    header: tuple[str, ...]
    places: dict[str, int]
    figures: tuple[_Figure, ...]
    left_out: tuple[str, ...]


@dataclass(slots=True)
class _SheetDeal:
    """A deal being collected: its figures, each with its row number, by side and name."""

    number: int
    dealer: str | None = None
    figures: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SpreadsheetReading:
    """How sheets are read.

    `sides` are those of the games, such as NS and EW. `columns` are the names that the sheets use
    in addition to the known ones. `yes` are the points of each item that a sheet may have as yes or
    no.
    """

    sides: Sequence[str]
    columns: ColumnMap = ColumnMap()
    yes: Mapping[str, int] = field(default_factory=dict)

    @property
    def called(self) -> dict[str, str]:
        """Each side by its names in the sheet, in the form of `plain`."""
        return {**side_names(self.sides), **self.columns.sides}


class Sheets(NamedTuple):
    """What was read: the games, and what was understood, a line for each kind of sheet."""

    games: list[Game]
    understood: list[str]


# --- tables ---------------------------------------------------------------------------------------


def read_sheets(data: bytes, reading: SpreadsheetReading) -> Sheets:
    """Return the games of a file by their first rows. Raises SpreadsheetError and NoReader.

    Every sheet of a workbook holds games of its own; those without two known columns are left out.
    Not checked: that any figure is right.
    """
    called = reading.called
    mapped = {source.header for source in reading.columns.columns.values()}
    tables = read_tables(
        data, lambda name: name.strip() in mapped or _meaning(name, called)[1] not in ("", OTHER)
    )
    read = [table for table in tables if table.names > 1] or tables[:1]
    games: list[Game] = []
    problems: list[str] = []
    understood: dict[str, dict[str, int]] = {}
    for table in read:
        try:
            found, meant = _read_table(table, reading)
        except SpreadsheetError as error:
            place = f"sheet {_quote(table.name)}: " if len(tables) > 1 else ""
            problems += [place + problem for problem in error.problems]
        else:
            games += found
            understood.setdefault(meant, {})[table.name] = len(found)
    if problems:
        raise SpreadsheetError(_first(problems))
    left_out = [table.name for table in tables if table not in read]
    return Sheets(games, [*_by_sheet(understood, left_out)])


def _by_sheet(
    understood: Mapping[str, Mapping[str, int]], left_out: Sequence[str]
) -> Iterator[str]:
    """Yield what was understood, with the names of the sheets if there are several kinds."""
    for meant, games in understood.items():
        place = f"sheet {', '.join(games)}: " if len(understood) > 1 else ""
        yield f"{place}{count(sum(games.values()), 'game')}, {meant}"
    if left_out:
        yield f"sheets left out, because their columns are not known: {', '.join(left_out)}"


def _read_table(table: Table, reading: SpreadsheetReading) -> tuple[list[Game], str]:
    """Return the games of a table, and what its columns mean. Raises SpreadsheetError."""
    (header, names), *rows = table.rows
    layout = _layout(header, names, reading)
    is_sum = _sum_test(layout)
    deals = [row for row in rows if not is_sum(row[1])]
    sums = [row for row in rows if is_sum(row[1])]
    layout = _without_marks(_with_scores(layout, deals, sums), deals, reading)
    collected = _Collection(layout, reading)
    for number, cells in deals:
        collected.row(number, cells)
    for number, cells in sums:
        collected.sum_row(number, cells)
    if collected.problems:
        raise SpreadsheetError(collected.problems)
    if not any(deal.figures for game in collected.games.values() for deal in game.values()):
        raise SpreadsheetError(["there are no figures in this sheet"])
    games = [
        _game(_begun(game.values()), reading.sides, reading.columns.tags)
        for game in collected.games.values()
    ]
    return games, _understood(layout, header, sums)


def _begun(deals: Iterable[_SheetDeal]) -> list[_SheetDeal]:
    """Return the deals without those at the end that have no figures yet."""
    begun = list(deals)
    while begun and not begun[-1].figures:
        begun.pop()
    return begun


def _understood(layout: _Layout, header: int, sums: Sequence[Row]) -> str:
    """Return what the columns of a table mean, in words."""
    meant = dict(zip(layout.places.values(), layout.places, strict=True))
    bare = next((each.what for each in layout.figures if each.bare), "")
    for each in layout.figures:
        meant[each.at] = each.side if each.bare else f"{each.side} {each.what}".strip()
    said = ", ".join(
        shortened(layout.header[at], QUOTED)
        + (f" = {meant[at]}" if plain(layout.header[at]) != plain(meant[at]) else "")
        for at in sorted(meant)
    )
    return "; ".join(
        [
            f"columns {said}" + (f" ({bare}s)" if bare else ""),
            *([f"header in row {header}"] if header > 1 else []),
            *([f"sums in row {', '.join(str(number) for number, _ in sums)}"] if sums else []),
            *([f"columns left out: {', '.join(layout.left_out)}"] if layout.left_out else []),
        ]
    )


def _first(problems: list[str]) -> list[str]:
    """Return the first problems, and how many more there are."""
    more = len(problems) - _MOST
    return [*problems[:_MOST], f"and {more} more"] if more > 0 else problems


# --- the header -----------------------------------------------------------------------------------


def _layout(header: int, cells: list[str], reading: SpreadsheetReading) -> _Layout:
    """Return what each column holds. Raises SpreadsheetError if the header fits no score sheet."""
    problems: list[str] = []
    names = [name.strip() for name in cells]
    called = reading.called
    mapped: dict[int, _Figure] = {}
    for (side, what), source in reading.columns.columns.items():
        if source.header not in names:
            problems.append(
                f"row {header}: there is no column {_quote(source.header)}, "
                f"which --columns names for {what}"
            )
        elif side and side not in reading.sides:
            problems.append(_no_side([side], reading.sides))
        else:
            at = names.index(source.header)
            mapped[at] = _Figure(at, side, what, source.times)
    taken = {(each.side, each.what) for each in mapped.values()}
    places: dict[str, int] = {}
    figures: dict[tuple[str, str], _Figure] = {}
    left_out: list[str] = []
    unknown: list[str] = []
    for at, name in enumerate(names):
        side, what = _meaning(name, called)
        if at not in mapped and ((side, what) in taken or not name):
            continue
        figure = mapped.get(at) or _Figure(at, side, what, bare=plain(name) in called)
        if not figure.what:
            unknown.append(name)
        elif figure.side and figure.side not in reading.sides:
            problems.append(f"{_quote(name)}: {_no_side([figure.side], reading.sides)}")
        elif figure.what == OTHER:
            left_out.append(name)
        elif figure.what in places or (figure.side, figure.what) in figures:
            meant = f"{figure.side} {figure.what}".strip()
            place = f"row {header}, column {at + 1}"
            problems.append(f"{place}: {_quote(name)} is a second column of {meant}")
        elif figure.what in FIGURES:
            figures[figure.side, figure.what] = figure
        else:
            places[figure.what] = at
    if "item" in places and "claimed" not in places and [*figures] == [("", "score")]:
        places["claimed"] = figures.pop(("", "score")).at
    if not reading.columns.columns:
        problems += _unnamed(header, names, unknown, reading.sides)
    problems = problems or list(_missing(header, places, [*figures.values()]))
    if problems:
        raise SpreadsheetError(_first(problems))
    return _Layout(tuple(names), places, tuple(figures.values()), (*left_out, *unknown))


def _unnamed(
    header: int, names: list[str], unknown: list[str], sides: Sequence[str]
) -> Iterator[str]:
    """Yield what to do about unknown names in a header."""
    if unknown and all(_NUMBER.fullmatch(name) for name in names if name):
        known = (f"{side} {what}" for what in ("score", "total") for side in sides)
        said = ", ".join(("deal", *known))
        yield f"row {header}: the first row must name the columns, for example: {said}"
    elif unknown and _SIDES.issuperset(unknown):
        yield f"row {header}: {_no_side(unknown, sides)}"
    elif unknown:
        more = [f"and {len(unknown) - _MOST} more"] if len(unknown) > _MOST else []
        said = ", ".join([*map(_quote, unknown[:_MOST]), *more])
        yield f"row {header}: not a column of a score sheet: {said} ({_NAMING})"


def _no_side(found: Sequence[str], sides: Sequence[str]) -> str:
    """Return that sides are those of other rules than the sheet's."""
    are = "is not a side" if len(found) == 1 else "are not sides"
    return f"{listed(found)} {are} of these rules ({', '.join(sides)}); --rules is for other rules"


def _meaning(name: str, called: Mapping[str, str]) -> tuple[str, str]:
    """Return the side and the figure or place that a column's name means, ("", "") if unknown."""
    known = plain(name)
    columns = words().columns
    if known in columns:
        return "", columns[known]
    if known in called:
        return called[known], "total"
    parts = known.split("-")
    for at in range(1, min(len(parts), _NAME_PARTS)):
        first, second = "-".join(parts[:at]), "-".join(parts[at:])
        for side, what in ((first, second), (second, first)):
            if side in called and columns.get(what) in FIGURES:
                return called[side], columns[what]
    return "", ""


def _missing(header: int, places: Mapping[str, int], figures: Sequence[_Figure]) -> Iterator[str]:
    """Yield what the header lacks for its layout."""
    needed: tuple[str, ...] = ()
    if "item" in places:
        needed = ("deal", "side", "claimed")
    elif "side" in places:
        needed = ("deal",)
        if not figures:
            yield f"row {header}: no column is an item, `score` or `total` ({_NAMING})"
    elif not figures:
        yield f"row {header}: no column is a figure, such as `NS score` or, beside `side`, `score`"
    elif any(not figure.side for figure in figures):
        yield f"row {header}: there is no column `side` to say whose figures a row has"
    for name in needed:
        if name not in places:
            yield f"row {header}: there is no column `{name}`"


# --- rows -----------------------------------------------------------------------------------------


def _sum_test(layout: _Layout) -> Callable[[list[str]], bool]:
    """Return a function that says whether a row adds up others, as its first cell or deal says."""
    deal = layout.places.get("deal", 0)

    def is_sum(cells: list[str]) -> bool:
        first = next(cell for cell in cells if cell.strip())
        return any(plain(cell) in words().sum for cell in (first, *cells[deal : deal + 1]))

    return is_sum


def _with_scores(layout: _Layout, deals: Sequence[Row], sums: Sequence[Row]) -> _Layout:
    """Return the layout with scores in columns that are named only by a side, if there are sums.

    Such columns hold totals. But below totals there is no sum, except their last ones again.
    """
    bare = [each for each in layout.figures if each.bare]
    named = {(each.side, each.what) for each in layout.figures}
    if not sums or any((each.side, "score") in named for each in bare):
        return layout
    last, sum_ = (
        [row[each.at].strip() for _, row in rows[-1:] for each in bare if each.at < len(row)]
        for rows in (deals, sums)
    )
    if last == sum_:
        return layout
    scores = (each._replace(what="score") if each.bare else each for each in layout.figures)
    return replace(layout, figures=tuple(scores))


def _without_marks(layout: _Layout, deals: Sequence[Row], reading: SpreadsheetReading) -> _Layout:
    """Return the layout without columns of yes and no if they are its only items beside a score.

    Such a sheet says who went out, but its items would not add up to the score.
    """
    items = [each for each in layout.figures if each.what not in ("score", "total")]
    marks = words().yes | words().no | {""}
    for each in items:
        cells = (row[each.at] for _, row in deals if each.at < len(row))
        if each.what not in reading.yes or not all(plain(cell) in marks for cell in cells):
            return layout
    figures = tuple(each for each in layout.figures if each not in items)
    if not any(each.what == "score" for each in figures):
        return layout
    left_out = (layout.header[each.at] for each in items)
    return replace(layout, figures=figures, left_out=(*layout.left_out, *left_out))


class _Collection:
    """The rows of one table as they are collected into deals, and the wrong cells."""

    def __init__(self, layout: _Layout, reading: SpreadsheetReading) -> None:
        self.layout = layout
        self.reading = reading
        self.called = reading.called
        self.games: dict[tuple[str, str], dict[int, _SheetDeal]] = {}
        self.problems: list[str] = []

    def row(self, number: int, cells: list[str]) -> None:
        """Add one row."""
        names = self.layout.header
        for at, cell in enumerate(cells):
            unnamed = at >= len(names) or not (names[at] or self.reading.columns.columns)
            if unnamed and cell.strip():
                self._wrong(number, at, cell, "has no header")
                return
        cells = [*cells, *[""] * (len(names) - len(cells))]
        deal = self._deal(number, cells)
        side = self._side(number, cells)
        if deal is None or side is None:
            return
        if "item" in self.layout.places:
            self._item(number, cells, deal, side)
            return
        for figure in self.layout.figures:
            self._figure(number, cells, figure, deal, figure.side or side)

    def sum_row(self, number: int, cells: list[str]) -> None:
        """Add the sums of scores, as the totals after the last deal of the game; leave out others.

        Of several games, the row must name the one that it belongs to.
        """
        cells = [*cells, *[""] * (len(self.layout.header) - len(cells))]
        game = self._cell(cells, "file"), self._cell(cells, "game")
        deals = self.games.get(game)
        if deals is None and len(self.games) == 1:
            (deals,) = self.games.values()
        begun = [deal for deal in deals.values() if deal.figures] if deals else []
        said = plain(self._cell(cells, "side"))
        for figure in self.layout.figures:
            side = figure.side or self.called.get(said)
            if begun and side and figure.what == "score":
                last = max(begun, key=lambda deal: deal.number)
                if (side, "total") not in last.figures:
                    total = figure._replace(what="total")
                    self._figure(number, cells, total, last, side)

    def _cell(self, cells: list[str], place: str) -> str:
        at = self.layout.places.get(place)
        return "" if at is None else cells[at].strip()

    def _deal(self, number: int, cells: list[str]) -> _SheetDeal | None:
        """Return the deal of a row, None if its number or its dealer is wrong."""
        game = self._cell(cells, "file"), self._cell(cells, "game")
        deals = self.games.setdefault(game, {})
        said = self._cell(cells, "deal")
        if "deal" in self.layout.places and not _NUMBER.fullmatch(said):
            self._wrong(number, self.layout.places["deal"], said, "is not the number of a deal")
            return None
        deal_number = int(said) if said else len(deals) + 1
        deal = deals.setdefault(deal_number, _SheetDeal(deal_number))
        word = self._cell(cells, "dealer")
        dealer = words().sides.get(plain(word), word)
        seated = dealer in [*"".join(self.reading.sides)]
        if dealer and (not seated or deal.dealer not in (None, dealer)):
            why = "is a second dealer" if seated else "is not a seat"
            self._wrong(number, self.layout.places["dealer"], word, why)
            return None
        deal.dealer = dealer or deal.dealer
        return deal

    def _side(self, number: int, cells: list[str]) -> str | None:
        """Return the side of a row, "" if its columns name the sides, None for a wrong one."""
        if "side" not in self.layout.places:
            return ""
        said = self._cell(cells, "side")
        side = self.called.get(plain(said))
        if side not in self.reading.sides:
            others = "--rules for other rules, [sides] of --columns for names"
            why = f"is not a side ({', '.join(self.reading.sides)}; {others})"
            self._wrong(number, self.layout.places["side"], said, why)
            return None
        return side

    def _item(self, number: int, cells: list[str], deal: _SheetDeal, side: str) -> None:
        places = self.layout.places
        said = self._cell(cells, "item")
        what = words().columns.get(plain(said))
        if what not in FIGURES:
            self._wrong(number, places["item"], said, "is not an item, `score` or `total`")
            return
        self._figure(number, cells, _Figure(places["claimed"], side, what), deal, side)

    def _figure(
        self, number: int, cells: list[str], figure: _Figure, deal: _SheetDeal, side: str
    ) -> None:
        """Add one figure; an empty cell claims nothing."""
        said = cells[figure.at].strip()
        name = side, figure.what
        try:
            points = self._points(said, figure)
        except ValueError as error:
            self._wrong(number, figure.at, said, str(error))
            return
        if points is None:
            return
        if name in deal.figures:
            before = deal.figures[name][1]
            why = f"is a second {figure.what} of {side} in deal {deal.number}, after row {before}"
            self._wrong(number, figure.at, said, why)
        elif abs(points) > _HIGHEST:
            self._wrong(number, figure.at, said, "is more than any score can be")
        else:
            deal.figures[name] = points, number

    def _points(self, said: str, figure: _Figure) -> int | None:
        """Return the points that a cell claims, None if it claims nothing. Raises ValueError."""
        word = plain(said)
        if word in words().yes | words().no:
            yes = self.reading.yes.get(figure.what) if figure.times == 1 else figure.times
            if yes is not None:
                return yes if word in words().yes else 0
        points = points_of(said)
        return None if points is None else points * figure.times

    def _wrong(self, number: int, at: int, said: str, why: str) -> None:
        name = self.layout.header[at] if at < len(self.layout.header) else ""
        column = f"column {at + 1}" + (f" ({name[:QUOTED]})" if name else "")
        self.problems.append(f"row {number}, {column}: {_quote(said)} {why}")


def _quote(said: str) -> str:
    return repr(said if len(said) <= QUOTED else said[:QUOTED] + "...")


# --- games ----------------------------------------------------------------------------------------


def _game(deals: Iterable[_SheetDeal], sides: Sequence[str], tags: Mapping[str, str]) -> Game:
    held = {**tags, "CGN": VERSION}
    made = tuple(_document(deal, sides) for deal in deals)
    return Game(tuple(Tag(name, value) for name, value in held.items()), made)


def _document(deal: _SheetDeal, sides: Sequence[str]) -> Deal:
    figures = {name: points for name, (points, _) in deal.figures.items()}
    penalties = tuple(
        PenaltyLine(side, -figures[side, "penalty"], PENALTY_WORD)
        for side in sides
        if figures.get((side, "penalty"), 0) < 0
    )
    totals = tuple((side, figures[side, "total"]) for side in sides if (side, "total") in figures)
    scores = (_score(side, figures) for side in sides)
    return Deal(
        deal.number,
        deal.dealer,
        play=penalties,
        scores=tuple(score for score in scores if score is not None),
        total=TotalLine(totals) if totals else None,
    )


def _score(side: str, figures: Mapping[tuple[str, str], int]) -> ScoreLine | None:
    """Return a side's score line, None if nothing but a total is claimed.

    Items of 0 are left out, because a missing item claims the same; but `cards 0` is kept if there
    is no other figure for cards. If the score is missing, the sum of the items takes its place,
    because a score line must have one.
    """
    items = {
        what: points
        for (whose, what), points in figures.items()
        if whose == side and what not in ("score", "total")
    }
    score = figures.get((side, "score"))
    if score is None and not items:
        return None
    kept = {what: points for what, points in items.items() if points}
    if "cards" in items and not kept.keys() & {"melds", "hand"}:
        kept["cards"] = items["cards"]
    written = kept or dict(list(items.items())[:1])
    total = sum(items.values()) if score is None else score
    return ScoreLine(side, total, tuple(written.items()) or None)
