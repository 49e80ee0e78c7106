"""What a side can have melded, by the bonuses that its melds earn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from canasta_notation.engine.scoring import ITEMS, MELDED, MELDS, UNFINISHED

#: The items that are in a `Board`: unfinished melds in place of the points of melds.
BOARD_ITEMS: Final = (ITEMS[UNFINISHED], *ITEMS[MELDS + 1 : MELDED])


class Board(NamedTuple):
    """Melds that a side can have: the amounts of `BOARD_ITEMS`, and how many canastas it has."""

    amounts: tuple[int, ...]
    canastas: int


class Melded(NamedTuple):
    """What is known about a side's melds: the number of canastas, the fewest points of cards."""

    canastas: frozenset[int]
    fewest: int


class Ways:
    """Possible ways to have earned a score, each with an amount for every item."""

    def __init__(self, ways: Collection[tuple[int, ...]]) -> None:
        self.all = (1 << len(ways)) - 1
        #: For each item and each of its amounts, a bit for each way that has it.
        self.having: list[dict[int, int]] = []
        for column in zip(*ways, strict=True):
            having: dict[int, int] = {}
            for at, amount in enumerate(column):
                having[amount] = having.get(amount, 0) | 1 << at
            self.having.append(having)

    def narrow(
        self, items: tuple[str, ...], written: Mapping[str, int]
    ) -> tuple[list[tuple[str, set[int]]], Iterator[int]]:
        """Return the items that fit none of the ways, and the ways that fit all other items.

        Each of the items comes with the amounts that would fit. The ways are their places, from 0.
        An item that is not written is claimed to be 0. The first item is compared last.
        """
        false, left = [], self.all
        for at in (*range(1, len(items)), 0):
            having = self.having[at]
            kept = left & having.get(written.get(items[at], 0), 0)
            if not kept:
                false.append((items[at], {each for each, ways in having.items() if ways & left}))
            left = kept or left
        return false, _bits(left)


def _bits(bits: int) -> Iterator[int]:
    """Yield the places (from 0) of the bits that are set."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


class Boards:
    """Everything that a side can have melded, with the fewest points that the cards can count.

    Only melds that appear in a score are distinguished: canastas, and melds that cost points
    because they are unfinished. Not checked: whether the deck is enough for both sides.
    """

    def __init__(self, choices: Iterable[Iterable[tuple[Board, int]]]) -> None:
        """`choices` has for each rank the melds that a side can have, with their fewest points."""
        found = {Board((0,) * len(BOARD_ITEMS), 0): 0}
        for melds in choices:
            more: dict[Board, int] = {}
            for meld, points in melds:
                for board, fewest in found.items():
                    sums = zip(board.amounts, meld.amounts, strict=True)
                    both = Board(tuple([a + b for a, b in sums]), board.canastas + meld.canastas)
                    more[both] = min(more.get(both, fewest + points), fewest + points)
            found = more
        self.fewest = found
        by_amounts: dict[tuple[int, ...], Melded] = {}
        for board, fewest in found.items():
            canastas, least = by_amounts.get(board.amounts, (frozenset[int](), fewest))
            by_amounts[board.amounts] = Melded(canastas | {board.canastas}, min(least, fewest))
        self.ways = Ways(by_amounts)
        #: What is known of the melds by each of the ways.
        self.melded = [*by_amounts.values()]

    def narrow(self, amounts: tuple[int, ...]) -> tuple[list[tuple[str, set[int]]], Melded]:
        """Return which amounts of `BOARD_ITEMS` cannot be, and the melds of the others."""
        false, left = self.ways.narrow(BOARD_ITEMS, dict(zip(BOARD_ITEMS, amounts, strict=True)))
        kept = [self.melded[at] for at in left]
        canastas = frozenset[int]().union(*(each.canastas for each in kept))
        return false, Melded(canastas, min(each.fewest for each in kept))
