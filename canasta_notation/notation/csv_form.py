"""Score sheets in CSV, read into games: every figure becomes a claim of the record.

The header shows which of three layouts a sheet has: a row for each item (as `audit --csv` prints),
for each deal and side, or for each deal. A sheet with only totals has one of the last two. A map of
columns says what the names of another sheet mean. Nothing is judged here.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from canasta_notation.cards import SIDES
from canasta_notation.engine.scoring import ITEMS
from canasta_notation.notation.assemble import VERSION
from canasta_notation.notation.document import Deal, Game, PenaltyLine, ScoreLine, Tag, TotalLine
from canasta_notation.notation.format import format_line
from canasta_notation.notation.reader import read_line

#: What a column other than a figure can contain.
PLACES: Final = ("file", "game", "deal", "dealer", "side", "item", "claimed")
#: The names of figures.
FIGURES: Final = (*ITEMS, "cards", "score", "total")
_SEPARATORS: Final = re.compile(r"[\s_./:]+")
_MOST_TIMES: Final = 10_000
#: The separators of cells; the one that appears most often in the header is used.
DELIMITERS: Final = ",;\t"
#: The word of a penalty of which only the points are known.
PENALTY_WORD: Final = "house"
#: What to do about unknown names of columns.
_NAMING: Final = (
    "use --columns MAP.toml, and say in that file what each name means: "
    'melds = "Cards down" for a column, or NS = "We" below the line [sides] for a side'
)
#: Columns of `audit --csv` that are not claims.
_COMPUTED: Final = ("computed", "agrees")
_POINTS: Final = re.compile(r"[-+\u2212]?[0-9]{1,7}")
_SEPARATED: Final = re.compile(r"[-+\u2212]?[0-9]{1,3}(?:[.,' \u2019\u00a0\u202f][0-9]{3})+")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,3}")
_HIGHEST: Final = 10_000_000
#: The most characters of a wrong cell that a message repeats.
_QUOTED: Final = 60
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
    called = {_plain(name): side for side, name in sides.items()}
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


def _plain(name: str) -> str:
    """Return a name in the form in which names are compared: lower case, with `-` as separator."""
    return _SEPARATORS.sub("-", name.strip().casefold())


class SheetError(ValueError):
    """A sheet that cannot be read; `problems` says why, a line for each cell."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class _Figure(NamedTuple):
    """A figure's column: its place in the row, its side ("": the row's side), and its name."""

    at: int
    side: str
    what: str
    times: int


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


class Sheets(NamedTuple):
    """What was read: the games, and the columns of the sheet that were left out."""

    games: list[Game]
    left_out: tuple[str, ...]


# --- rows -----------------------------------------------------------------------------------------


def read_sheets(text: str, sides: Sequence[str], columns: ColumnMap) -> Sheets:
    """Return the games of a sheet, in the order of their first rows. Raises SheetError.

    `sides` are those of the games, such as NS and EW. Not checked: that any figure is right.
    """
    rows = _rows(text)
    if not rows:
        raise SheetError(["the sheet is empty"])
    layout = _layout(rows[0][1], sides, columns)
    reading = _SheetReading(layout, sides, columns)
    for number, cells in rows[1:]:
        reading.row(number, cells)
    if reading.problems:
        raise SheetError(_first(reading.problems))
    if not any(deal.figures for game in reading.games.values() for deal in game.values()):
        raise SheetError(["there are no figures in this sheet"])
    games = [_game(deals.values(), sides, columns.tags) for deals in reading.games.values()]
    return Sheets(games, layout.left_out)


def _first(problems: list[str]) -> list[str]:
    """Return the first problems, and how many more there are."""
    more = len(problems) - _MOST
    return [*problems[:_MOST], f"and {more} more"] if more > 0 else problems


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the rows that are not blank, each with its number (from 1)."""
    delimiter = max(DELIMITERS, key=lambda each: _width(text, each))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows = []
    number = 0
    try:
        for number, cells in enumerate(reader, 1):
            if any(cell.strip() for cell in cells):
                rows.append((number, cells))
    except csv.Error as error:
        raise SheetError([f"row {number + 1}: {error}"]) from error
    return rows


def _width(text: str, delimiter: str) -> int:
    """Return how many cells the first row has with this delimiter, 0 if it cannot be read."""
    try:
        return len(next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), []))
    except csv.Error:
        return 0


def _layout(header: list[str], sides: Sequence[str], columns: ColumnMap) -> _Layout:
    """Return what each column holds. Raises SheetError if the header does not fit a score sheet."""
    problems: list[str] = []
    names = [name.strip() for name in header]
    mapped: dict[int, tuple[str, str, int]] = {}
    for (side, what), source in columns.columns.items():
        if source.header not in names:
            problems.append(
                f"row 1: there is no column {_quote(source.header)}, "
                f"which --columns names for {what}"
            )
        elif side and side not in sides:
            problems.append(f"{side} is not a side of these rules ({', '.join(sides)})")
        else:
            mapped[names.index(source.header)] = (side, what, source.times)
    taken = {(side, what) for side, what, _ in mapped.values()}
    places: dict[str, int] = {}
    figures: list[_Figure] = []
    left_out: list[str] = []
    for at, name in enumerate(names):
        side, what, times = mapped.get(at) or (*_known(name, sides, columns), 1)
        if at not in mapped and ((side, what) in taken or _plain(name) in _COMPUTED):
            continue
        if not what:
            left_out.append(name)
        elif what in places or any(each[1:3] == (side, what) for each in figures):
            meant = f"{side} {what}".strip()
            problems.append(f"row 1, column {at + 1}: {_quote(name)} is a second column of {meant}")
        elif what in FIGURES:
            figures.append(_Figure(at, side, what, times))
        else:
            places[what] = at
    if left_out and all(_POINTS.fullmatch(name) for name in names if name):
        known = (f"{side} {what}" for what in ("score", "total") for side in sides)
        said = ", ".join(("deal", *known))
        problems.append(f"row 1: the first row must name the columns, for example: {said}")
    elif left_out and not columns.columns:
        more = [f"and {len(left_out) - _MOST} more"] if len(left_out) > _MOST else []
        said = ", ".join([*map(_quote, left_out[:_MOST]), *more])
        problems.append(f"row 1: not a column of a score sheet: {said} ({_NAMING})")
    problems = problems or list(_missing(places, figures))
    if problems:
        raise SheetError(_first(problems))
    return _Layout(tuple(names), places, tuple(figures), tuple(left_out))


def _known(name: str, sides: Sequence[str], columns: ColumnMap) -> tuple[str, str]:
    """Return the side and the figure that a column's name means, ("", "") if it is unknown."""
    known = _plain(name)
    if known in PLACES or known in FIGURES:
        return "", known
    for word, side in _called(sides, columns).items():
        if known == word:
            return side, "total"
        for what in FIGURES:
            if known in (f"{word}-{what}", f"{what}-{word}"):
                return side, what
    return "", ""


def _missing(places: Mapping[str, int], figures: Sequence[_Figure]) -> Iterator[str]:
    """Yield what the header lacks for its layout."""
    needed: tuple[str, ...] = ()
    if "item" in places:
        needed = ("deal", "side", "claimed")
    elif "side" in places:
        needed = ("deal",)
        if not figures:
            yield f"row 1: no column is an item, `score` or `total` ({_NAMING})"
    elif not figures:
        yield "row 1: no column is a figure, such as `NS score` or, beside `side`, `score`"
    elif any(not figure.side for figure in figures):
        yield "row 1: there is no column `side` to say whose figures a row has"
    for name in needed:
        if name not in places:
            yield f"row 1: there is no column `{name}`"


def _called(sides: Sequence[str], columns: ColumnMap) -> dict[str, str]:
    """Return each side by its names in the sheet, in the form of `_plain`."""
    return {**{_plain(side): side for side in sides}, **columns.sides}


class _SheetReading:
    """The rows of one sheet as they are collected into deals, and the wrong cells."""

    def __init__(self, layout: _Layout, sides: Sequence[str], columns: ColumnMap) -> None:
        self.layout = layout
        self.sides = sides
        self.called = _called(sides, columns)
        self.games: dict[tuple[str, str], dict[int, _SheetDeal]] = {}
        self.problems: list[str] = []

    def row(self, number: int, cells: list[str]) -> None:
        """Add one row."""
        if len(cells) > len(self.layout.header):
            extra = len(self.layout.header)
            if any(cell.strip() for cell in cells[extra:]):
                self._wrong(number, extra, cells[extra], "has no header")
                return
        cells = [*cells, *[""] * (len(self.layout.header) - len(cells))]
        deal = self._deal(number, cells)
        side = self._side(number, cells)
        if deal is None or side is None:
            return
        if "item" in self.layout.places:
            self._item(number, cells, deal, side)
            return
        for figure in self.layout.figures:
            name = (figure.side or side, figure.what)
            self._figure(number, cells, figure.at, deal, name, figure.times)

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
        dealer = self._cell(cells, "dealer")
        seated = dealer in [*"".join(self.sides)]
        if dealer and (not seated or deal.dealer not in (None, dealer)):
            why = "is a second dealer" if seated else "is not a seat"
            self._wrong(number, self.layout.places["dealer"], dealer, why)
            return None
        deal.dealer = dealer or deal.dealer
        return deal

    def _side(self, number: int, cells: list[str]) -> str | None:
        """Return the side of a row, "" if its columns name the sides, None for a wrong one."""
        if "side" not in self.layout.places:
            return ""
        said = self._cell(cells, "side")
        side = self.called.get(_plain(said))
        if side is None:
            others = "--rules for other rules, [sides] of --columns for names"
            why = f"is not a side ({', '.join(self.sides)}; {others})"
            self._wrong(number, self.layout.places["side"], said, why)
        return side

    def _item(self, number: int, cells: list[str], deal: _SheetDeal, side: str) -> None:
        places = self.layout.places
        what = _plain(self._cell(cells, "item"))
        if what not in FIGURES:
            self._wrong(number, places["item"], what, "is not an item, `score` or `total`")
            return
        self._figure(number, cells, places["claimed"], deal, (side, what), 1)

    def _figure(
        self,
        number: int,
        cells: list[str],
        at: int,
        deal: _SheetDeal,
        name: tuple[str, str],
        times: int,
    ) -> None:
        """Add one figure; an empty cell claims nothing."""
        said = cells[at].strip()
        if not said:
            return
        if _SEPARATED.fullmatch(said):
            self._wrong(number, at, said, "has a thousands separator; write only digits")
        elif not _POINTS.fullmatch(said):
            self._wrong(number, at, said, "is not a whole number of points")
        elif name in deal.figures:
            side, what = name
            before = deal.figures[name][1]
            why = f"is a second {what} of {side} in deal {deal.number}, after row {before}"
            self._wrong(number, at, said, why)
        elif abs(points := int(said.replace("\u2212", "-")) * times) > _HIGHEST:
            self._wrong(number, at, said, "is more than any score can be")
        else:
            deal.figures[name] = points, number

    def _wrong(self, number: int, at: int, said: str, why: str) -> None:
        name = self.layout.header[at] if at < len(self.layout.header) else ""
        column = f"column {at + 1}" + (f" ({name[:_QUOTED]})" if name else "")
        self.problems.append(f"row {number}, {column}: {_quote(said)} {why}")


def _quote(said: str) -> str:
    return repr(said if len(said) <= _QUOTED else said[:_QUOTED] + "...")


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
