"""Which rows begin another game, by the numbers of their deals, in whatever order they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from canasta_notation.foreign.spreadsheet_columns import Layout
from canasta_notation.foreign.spreadsheet_words import date_of, deal_number

#: How many numbers of deals a question lists.
_LISTED: Final = 12


class Numbered(NamedTuple):
    """A row with the number of a deal: its own number in the sheet, the deal's, and its date."""

    row: int
    deal: int
    date: str | None


class GameStarts(NamedTuple):
    """The rows that begin another game, and a question if that is not certain."""

    rows: frozenset[int]
    question: str = ""


def game_starts(layout: Layout, *, one_game: bool) -> list[GameStarts]:
    """Return where other games begin, for each group of rows with the same game and file.

    `one_game` says that there is only one. Tables with several rows for a deal have no such rows.
    """
    if "deal" not in layout.places or {"side", "item"} & layout.places.keys():
        return []
    if one_game:
        return []
    return [_starts(group) for group in _groups(layout)]


def in_words(deals: Iterable[int]) -> str:
    """Return the numbers of deals in the order of the sheet."""
    numbers = [*map(str, deals)]
    more = ["..."] if len(numbers) > _LISTED else []
    return ", ".join([*numbers[:_LISTED], *more])


def _groups(layout: Layout) -> Iterator[list[Numbered]]:
    """Yield the numbered rows of each game that a column distinguishes, at least one group."""
    group: list[Numbered] = []
    before: tuple[str, ...] = ()
    for row, cells in layout.table.rows:
        deal = deal_number(layout.cell(cells, "deal"))
        if deal is None:
            continue
        said = (layout.cell(cells, "file"), layout.cell(cells, "game"))
        if any(said) and said != before:
            yield group
            group, before = [], said
        group.append(Numbered(row, deal, date_of(layout.cell(cells, "date"))))
    yield group


def _starts(rows: Sequence[Numbered]) -> GameStarts:
    """Return the rows that begin another game.

    Numbers that begin again with 1 are of another game. If the first number is not 1, the deals
    may stand in another order: from the last to the first, or in any order if each number stands
    once and none is missing.
    """
    ones = [at for at, row in enumerate(rows) if row.deal == 1]
    usual = GameStarts(frozenset(rows[at].row for at in ones if at and rows[at - 1].deal != 1))
    if not ones or ones[0] == 0:
        return usual
    deals = [row.deal for row in rows]
    rising = all(a < b for a, b in pairwise(deals) if b != 1)
    if len({*deals}) == len(deals):
        uncertain = rising and (_may_be_two(rows, ones[0]) or max(deals) > len(deals))
        return GameStarts(frozenset(), _question(rows) if uncertain else "")
    if all(a == 1 or a > b for a, b in pairwise(deals)):
        return GameStarts(frozenset(rows[at + 1].row for at in ones if at + 1 < len(rows)))
    return GameStarts(usual.rows, _question(rows))


def _may_be_two(rows: Sequence[Numbered], one: int) -> bool:
    """Return whether rising numbers before a 1 may be the end of a game, and those after it new.

    A single deal is not taken for the end of a game, unless it has another date.
    """
    before, after = rows[:one], rows[one:]
    several = len(before) > 1 and len(after) > 1
    days = [{row.date for row in part if row.date} for part in (before, after)]
    return several or (all(days) and days[0].isdisjoint(days[1]))


def _question(rows: Sequence[Numbered]) -> str:
    order = in_words(row.deal for row in rows)
    return (
        f"the deals stand in the order {order}: are they of one game? If they are, put them in "
        'order or write rows = "deal" in --columns MAP.toml; if not, add a column `game`'
    )
