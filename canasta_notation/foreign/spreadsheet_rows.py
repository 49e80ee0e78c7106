"""The rows of a table, collected into the deals of its games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from canasta_notation.foreign.spreadsheet_columns import (
    BARE,
    Figure,
    Layout,
    SpreadsheetReading,
    column_name,
    quote,
)
from canasta_notation.foreign.spreadsheet_file import SheetRow
from canasta_notation.foreign.spreadsheet_order import game_starts, in_words
from canasta_notation.foreign.spreadsheet_shape import first_cell
from canasta_notation.foreign.spreadsheet_words import (
    FIGURES,
    date_of,
    deal_number,
    is_no_deal,
    is_points,
    is_sum,
    plain,
    points_of,
    side_of,
    words,
)
from canasta_notation.names import is_known
from canasta_notation.quoting import QUOTED, shortened

_HIGHEST: Final = 10_000_000
#: The first deal, and two more with their sums below them.
_SUMMED: Final = 5

#: Figures with the numbers of their rows, by side and name.
RowFigures = dict[tuple[str, str], tuple[int, int]]


@dataclass(slots=True)
class SheetDeal:
    """A deal being collected: its figures, and the sums that a row right below it gives."""

    number: int
    dealer: str | None = None
    figures: RowFigures = field(default_factory=dict)
    sums: RowFigures = field(default_factory=dict)


@dataclass(slots=True)
class SheetGame:
    """A game being collected: its deals by their numbers, and its day."""

    deals: dict[int, SheetDeal] = field(default_factory=dict)
    date: str | None = None
    #: The sum and the last of the figures so far, by side and name.
    standing: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    #: The deal with the highest number among those with figures so far.
    latest: SheetDeal | None = None
    #: How many rows each side has, if no column numbers the deals.
    rows: Counter[str] = field(default_factory=Counter)
    #: Whether a side then had another row before each side had as many.
    uneven: bool = False

    @property
    def downwards(self) -> bool:
        """Whether the deals stand from the last to the first."""
        return len(self.deals) > 1 and all(a > b for a, b in pairwise(self.deals))

    @property
    def order(self) -> str:
        """In words, the order in which the deals stand if they neither rise nor fall, else ""."""
        if self.downwards or all(a < b for a, b in pairwise(self.deals)):
            return ""
        return f"the deals stand in the order {in_words(self.deals)}"

    def begun(self) -> list[SheetDeal]:
        """Return the deals in order, without those at the end that have no figures yet."""
        deals = [self.deals[number] for number in sorted(self.deals)]
        while deals and not deals[-1].figures:
            deals.pop()
        return deals


@dataclass(slots=True)
class Collected:
    """What the rows of a table hold: games, rows of sums, what is left out, wrong cells."""

    layout: Layout
    games: list[SheetGame] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    #: Whether a map of the columns can help with one of the problems.
    map_helps: bool = False


def collect(layout: Layout, reading: SpreadsheetReading) -> Collected:
    """Return the games in the rows of a table, with whatever is wrong with its cells."""
    rows = _SheetRows(layout, reading)
    for number, cells in layout.table.rows:
        rows.add(number, cells)
    rows.check()
    return rows.found


def _sums_between(layout: Layout) -> set[int]:
    """Return the numbers of rows with sums, if they follow every deal after the first one.

    On paper, the new sums stand below the points of each deal, without words. Two of them at least
    show that a sheet without the numbers of deals was kept so.
    """
    if {"deal", "side", "item", "game", "file"} & layout.places.keys():
        return set()
    columns = [each.at for each in layout.figures if each.what in ("score", "total", BARE)]
    rows = [row for row in layout.table.rows if not is_no_deal(first_cell(row[1]))]
    if len(rows) < _SUMMED or len(rows) % 2 == 0 or not columns:
        return set()
    for at in columns:
        if not all(is_points(cells[at]) for _, cells in rows):
            return set()
        held = [points_of(cells[at]) or 0 for _, cells in rows]
        steps = zip(held[::2], held[1::2], held[2::2], strict=False)
        if any(before + points != after for before, points, after in steps):
            return set()
    return {number for number, _ in rows[2::2]}


def _is_start(layout: Layout, cells: Sequence[str]) -> bool:
    """Return whether a row has the number 0, and no points but 0: the standing before deal 1."""
    number = layout.cell(cells, "deal")
    figures = [cells[each.at] for each in layout.figures]
    return bool(number) and not number.strip("0") and not any(each.strip("-0") for each in figures)


class _SheetRows:
    """The rows of one table as they are collected."""

    def __init__(self, layout: Layout, reading: SpreadsheetReading) -> None:
        self.layout = layout
        self.reading = reading
        self.found = Collected(layout)
        self.games: dict[tuple[str, ...], SheetGame] = {}
        #: How many games began with another first deal, if no column distinguishes games.
        self.begun = 0
        self.last: SheetDeal | None = None
        #: Whether a row has the figures of one side.
        self.by_side = not {"side", "item"}.isdisjoint(layout.places)
        #: The last cells of places that are merged with those of the rows below, by place.
        self.merged: dict[str, str] = {}
        #: Rows of sums above all deals.
        self.above: list[SheetRow] = []
        self.between = _sums_between(layout)
        starts = game_starts(layout, one_game=reading.columns.one_game)
        #: The rows that begin another game.
        self.begins = {row for each in starts for row in each.rows}
        questions = [each.question for each in starts if each.question]
        self.found.problems += [f"row {layout.table.line}: {question}" for question in questions]
        self.found.map_helps = bool(questions)
        #: The columns whose cells count: those of places and figures.
        self.used = {*layout.places.values(), *(figure.at for figure in layout.figures)}

    def add(self, number: int, cells: list[str]) -> None:
        """Add one row: a deal, sums, or what is left out."""
        label = plain(first_cell(cells))
        deal = self._merged(cells, "deal") if "deal" in self.layout.places else cells[0]
        marked = is_sum(first_cell(cells)) or is_sum(deal)
        other = label in self.reading.columns.leave_out or label in words().no_deal
        if other or _is_start(self.layout, cells):
            self.found.left_out.append(f"row {number} ({shortened(first_cell(cells), QUOTED)})")
        elif marked or number in self.between or self._adds_up(cells):
            self.found.sums.append(number)
            self._sums(number, cells)
            if self.by_side and marked:
                self.merged["deal"] = deal if is_sum(deal) else first_cell(cells)
        elif self._is_text(cells):
            self.found.left_out.append(f"row {number} ({shortened(first_cell(cells), QUOTED)})")
        else:
            self._row(number, cells)

    def _adds_up(self, cells: Sequence[str]) -> bool:
        """Return whether a row without the number of a deal has the sums of those before it."""
        if "deal" not in self.layout.places or self.layout.cell(cells, "deal") or not self.last:
            return False
        standing = self.found.games[-1].standing
        fits = set()
        for figure in self.layout.figures:
            said = cells[figure.at]
            if figure.side and figure.what in ("score", "total", BARE) and is_points(said):
                fits.add(points_of(said) in standing.get((figure.side, figure.what), ()))
        return fits == {True}

    def _is_text(self, cells: Sequence[str]) -> bool:
        """Return whether a row has neither figures nor words in the columns of figures."""
        deal = deal_number(self.layout.cell(cells, "deal"))
        if deal is not None or any(is_points(cells[at]) for at in self.used):
            return False
        numbered = "deal" in self.layout.places
        if not numbered and side_of(self.layout.cell(cells, "side"), self.layout.called):
            return False
        return numbered or not any(cells[each.at] for each in self.layout.figures)

    def _row(self, number: int, cells: list[str]) -> None:
        names = self.layout.table.header
        for at, cell in enumerate(cells):
            unnamed = at not in self.used and not (names[at] or self.reading.columns.columns)
            if unnamed and is_points(cell):
                self._wrong(number, at, cell, "has no header", map_helps=True)
                return
        deal = self._deal(number, cells)
        side = self._side(number, cells)
        if deal is None or side is None:
            return
        if "item" in self.layout.places:
            self._item(number, cells, deal, side)
        else:
            self._figures(number, cells, deal, side)
        game = self.games[self._key(cells)]
        if deal.figures and (game.latest is None or deal.number >= game.latest.number):
            game.latest = deal
        self.last = game.latest or self.last

    def _sums(self, number: int, cells: list[str]) -> None:
        """Add the sums to the deal before them; of several games, the row must name its own."""
        key = self._key(cells)
        last = self.last
        if "game" in self.layout.places or "file" in self.layout.places:
            games = self.games.get(key)
            if games is None and len(self.games) == 1:
                (games,) = self.games.values()
            last = games.latest if games else None
        elif last is None:
            self.above.append((number, cells))
        if last is None:
            return
        said = side_of(self.layout.cell(cells, "side"), self.layout.called)
        for figure in self.layout.figures:
            side = figure.side or said
            again = last.sums.get((side, figure.what), (None,))[0]
            carried = is_points(cells[figure.at]) and points_of(cells[figure.at]) == again
            if side and figure.what in ("score", "total", BARE) and not carried:
                self._figure(number, cells, figure, last.sums, last.number, side)

    # --- places -----------------------------------------------------------------------------------

    def _key(self, cells: Sequence[str]) -> tuple[str, ...]:
        return (*(self._merged(cells, place) for place in ("file", "game")), str(self.begun))

    def _merged(self, cells: Sequence[str], place: str) -> str:
        """Return a row's cell of a place, or the last one above it if the cells are merged."""
        return self.layout.cell(cells, place) or self.merged.get(place, "")

    def _deal(self, number: int, cells: list[str]) -> SheetDeal | None:
        """Return the deal of a row, None if its number or its dealer is wrong."""
        said = self._merged(cells, "deal")
        found = deal_number(said)
        if "deal" in self.layout.places and found is None:
            why = "is not the number of a deal"
            self._wrong(number, self.layout.places["deal"], said, why, map_helps=True)
            return None
        self._begin_another(number, cells)
        game = self.games.get(self._key(cells))
        if game is None:
            game = self.games[self._key(cells)] = SheetGame()
            self.found.games.append(game)
        game.date = game.date or date_of(self.layout.cell(cells, "date"))
        at = found or self._next_deal(game, cells)
        deal = game.deals.setdefault(at, SheetDeal(at))
        merged = ("file", "game", *(["deal"] if self.by_side else []))
        self.merged |= {place: self._merged(cells, place) for place in merged}
        return deal if self._deals(number, cells, deal) else None

    def _next_deal(self, game: SheetGame, cells: Sequence[str]) -> int:
        """Return the number of the deal of a row without one: each side has a row in each deal."""
        if not self.by_side:
            return len(game.deals) + 1
        if "item" in self.layout.places:
            return 1
        sides = self.layout.rules.sides
        side = side_of(self.layout.cell(cells, "side"), self.layout.called)
        game.rows[side] += side in sides
        if game.rows[side] > -(-game.rows.total() // len(sides)):
            game.uneven = True
        return game.rows[side]

    def _begin_another(self, number: int, cells: Sequence[str]) -> None:
        """Begin another game if the deals, one in each row, begin again, or on another day."""
        layout = self.layout
        if self.by_side and "deal" in layout.places:
            return
        game = self.games.get(self._key(cells))
        if game is None or not game.deals:
            return
        date = date_of(layout.cell(cells, "date"))
        another_day = "deal" not in layout.places and date is not None and date != game.date
        another_day = another_day and not self.reading.columns.one_game
        if number in self.begins or another_day:
            self.begun += 1

    def _deals(self, number: int, cells: Sequence[str], deal: SheetDeal) -> bool:
        """Note the dealer of a row; return False if it is wrong."""
        word = self.layout.cell(cells, "dealer")
        if not is_known(word):
            return True
        seat = self.layout.dealers.get(plain(word))
        if seat is None or deal.dealer not in (None, seat):
            why = "is not a seat" if seat is None else "is a second dealer"
            self._wrong(number, self.layout.places["dealer"], word, why)
            return False
        deal.dealer = seat
        return True

    def _side(self, number: int, cells: list[str]) -> str | None:
        """Return the side of a row, "" if its columns name the sides, None for a wrong one."""
        if "side" not in self.layout.places:
            return ""
        by_item = "item" in self.layout.places
        said = self._merged(cells, "side") if by_item else self.layout.cell(cells, "side")
        self.merged["side"] = said
        side = side_of(said, self.layout.called)
        if side not in self.layout.rules.sides:
            others = "--rules for other rules, [sides] of --columns for names"
            why = f"is not a side ({', '.join(self.layout.rules.sides)}; {others})"
            self._wrong(number, self.layout.places["side"], said, why, map_helps=True)
            return None
        return side

    # --- figures ----------------------------------------------------------------------------------

    def _item(self, number: int, cells: list[str], deal: SheetDeal, side: str) -> None:
        places = self.layout.places
        said = self.layout.cell(cells, "item")
        what = words().columns.get(plain(said))
        if what not in FIGURES:
            self._wrong(number, places["item"], said, "is not an item, `score` or `total`")
            return
        figure = Figure(places["claimed"], side, what)
        self._figure(number, cells, figure, deal.figures, deal.number, side)

    def _figures(self, number: int, cells: list[str], deal: SheetDeal, side: str) -> None:
        """Add the figures of a row to its deal, and to what its game has so far."""
        game = self.games[self._key(cells)]
        newest = game.latest is None or deal.number >= game.latest.number
        for figure in self.layout.figures:
            name = figure.side or side, figure.what
            self._figure(number, cells, figure, deal.figures, deal.number, name[0])
            if name in deal.figures:
                points, _ = deal.figures[name]
                before, last = game.standing.get(name, (0, 0))
                game.standing[name] = before + points, points if newest else last
            if game.latest and not newest and name in game.latest.sums:
                why = f"is of deal {deal.number}, below the sums of deal {game.latest.number}"
                self._wrong(number, figure.at, cells[figure.at], why)

    def _figure(
        self,
        number: int,
        cells: list[str],
        figure: Figure,
        figures: RowFigures,
        deal: int,
        side: str,
    ) -> None:
        """Add one figure; an empty cell claims nothing."""
        said = cells[figure.at] if figure.at < len(cells) else ""
        name = side, figure.what
        try:
            points = self._points(said, figure)
        except ValueError as error:
            self._wrong(number, figure.at, said, str(error))
            return
        if points is None:
            return
        if name in figures:
            before = figures[name][1]
            what = f"{figure.what} of {side}".removeprefix(f"{BARE} of ")
            why = f"is a second {what} in deal {deal}, after row {before}"
            self._wrong(number, figure.at, said, why)
        elif abs(points) > _HIGHEST:
            self._wrong(number, figure.at, said, "is more than any score can be")
        else:
            figures[name] = points, number

    def _points(self, said: str, figure: Figure) -> int | None:
        """Return the points that a cell claims, None if it claims nothing. Raises ValueError."""
        word = plain(said)
        if word in words().yes | words().no:
            yes = self.layout.rules.yes.get(figure.what) if figure.times == 1 else figure.times
            if yes is not None:
                return yes if word in words().yes else 0
        points = points_of(said)
        if points is None or not figure.counted:
            return None if points is None else points * figure.times
        return figure.counted[points - 1] if points else 0

    def _wrong(self, number: int, at: int, said: str, why: str, *, map_helps: bool = False) -> None:
        self.found.map_helps = self.found.map_helps or map_helps
        place = self.layout.table.place(number, at)
        self.found.problems.append(f"{place}: {quote(said)} {why}")

    # --- the whole --------------------------------------------------------------------------------

    def check(self) -> None:
        """Give sums above all deals to the last one; refuse games that cannot be distinguished."""
        layout = self.layout
        games = self.found.games
        if self.above and len(games) == 1 and 1 in games[0].deals:
            self.last = games[0].latest
            above, self.above = self.above, []
            for number, cells in above:
                self._sums(number, cells)
        elif self.above and len(games) > 1:
            number = self.above[0][0]
            why = "these sums stand above several games; put them below their games"
            self.found.problems.append(f"row {number}: {why}")
        if "deal" in layout.places or self.found.problems:
            return
        if self.by_side and "item" not in layout.places:
            self._check_rounds()
        for place in ("game", "date"):
            if place in layout.places and len(games) > 1 and all(len(e.deals) == 1 for e in games):
                name = column_name(layout, layout.places[place])
                entry = 'rows = "deal"' if place == "date" else f'deal = "{name}"'
                self.found.map_helps = True
                self.found.problems.append(
                    f"each row has a {place} of its own ({name}); if the rows are deals of one "
                    f"game, write {entry} in --columns MAP.toml; results of games are not deals"
                )

    def _check_rounds(self) -> None:
        """Refuse rows of sides without numbers of deals if they may be anything but deals."""
        layout, table = self.layout, self.layout.table
        sides = ", ".join(layout.rules.sides)
        why = ""
        for game in self.found.games:
            if game.uneven or game.rows.total() % len(layout.rules.sides):
                why = f"so each deal needs a row of each side ({sides}), one deal after the other"
            elif self._are_results(game):
                why = "and these may be results of games, which are not deals"
        if why:
            self.found.map_helps = True
            self.found.problems.append(f"row {table.line}: there is no column `deal`, {why}")

    def _are_results(self, game: SheetGame) -> bool:
        """Return whether the rows of the sides may have results of games: they reach the target."""
        figures = [
            (what, each) for deal in game.deals.values() for what, each in deal.figures.items()
        ]
        target = self.layout.rules.target
        if any(points >= target for (_, what), (points, _) in figures if what != "total"):
            return True
        table = self.layout.table
        ranked = any(plain(name) in words().no_deal for name in table.header)
        totals = any(what == "total" for (_, what), _ in figures)
        return len(game.deals) == 1 and (ranked or totals or any(map(is_sum, table.titles)))
