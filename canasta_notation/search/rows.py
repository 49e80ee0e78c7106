"""What can be laid of one suit in sequences that begin with an ace and may have wild cards.

Wild cards are only counted here: a plan chooses them last. The engine's reading decides whether
cards may stand together (`engine.sequence`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from canasta_notation.cards import CANASTA_SIZE, MELD_SIZE, ROW_PLACES, ROW_RANKS, TWO
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.sequence import (
    NO_READING,
    SECOND_ACE,
    count_bits,
    may_stand,
    own_twos,
    read,
    wilds_in,
    with_card,
)

#: How many ways a suit may have before a search stops looking for more.
MOST_ROWS = 300


class LaidRow(NamedTuple):
    """A sequence after some cards are added: its own cards and its other wild cards.

    `ranks` are the cards of the suit that are added, `wilds` how many wild cards.
    """

    own: int
    others: int
    ranks: tuple[int, ...]
    wilds: int

    @property
    def size(self) -> int:
        """How many cards it has."""
        return row_size(self.own, self.others)


def row_size(own: int, others: int) -> int:
    """Return how many cards a sequence has; see `engine.sequence`."""
    ranks = own & ((1 << TWO) - 1)
    return int(count_bits(ranks)) + int(own & SECOND_ACE != 0) + int(own_twos(own)) + others


@lru_cache(maxsize=20_000)
def row_options(
    rules: Rules, own: int, others: int, counts: tuple[int, ...], wilds: int
) -> tuple[LaidRow, ...]:
    """Return what may be added to a sequence, or to a new one if `own` is 0; not: nothing.

    `counts` are the cards of the suit in the hand by rank, `wilds` how many wild cards it has, the
    twos of the suit included.
    """
    most = min(wilds, rules.sequence_wilds)
    standing = int(read(rules, own, others)) if own else 0
    if standing == NO_READING:
        return ()
    found: dict[tuple[tuple[int, ...], int], LaidRow] = {}
    for low, high in _spans(standing):
        inside = [at for at in range(low, high + 1) if not standing >> at & 1]
        lacking = [at for at in inside if not counts[ROW_RANKS[at]]]
        spare = [at for at in inside if counts[ROW_RANKS[at]] and low < at < high]
        if low in lacking or high in lacking or len(lacking) > rules.sequence_wilds:
            continue
        for more in range(rules.sequence_wilds - len(lacking) + 1):
            for left in combinations(spare, more):
                added = [ROW_RANKS[at] for at in inside if at not in lacking and at not in left]
                for wild in range(most + 1):
                    row = _added(rules, own, others, added, wild, counts)
                    if row is not None and (row.ranks or row.wilds):
                        found.setdefault((row.ranks, row.wilds), row)
    return tuple(found.values())


def _spans(standing: int) -> Iterator[tuple[int, int]]:
    """Yield the lowest and the highest natural place that a row may have after some are added."""
    lowest, highest = ROW_PLACES - 1, 0
    if standing:
        lowest = (standing & -standing).bit_length() - 1
        highest = standing.bit_length() - 1
    for low in range(lowest, -1, -1):
        for high in range(max(highest, low), ROW_PLACES):
            yield low, high


def _added(
    rules: Rules, own: int, others: int, ranks: list[int], wilds: int, counts: tuple[int, ...]
) -> LaidRow | None:
    """Return a sequence with cards added, None if the hand or the rules do not have it."""
    for rank in ranks:
        if ranks.count(rank) > counts[rank]:
            return None
        own = int(with_card(rules, own, rank))
        if own < 0:
            return None
    others += wilds
    if row_size(own, others) < MELD_SIZE or not may_stand(rules, own, others):
        return None
    wild = wilds_in(read(rules, own, others), own, others)
    if wild and row_size(own, others) - wild < rules.min_naturals:
        return None
    return LaidRow(own, others, tuple(sorted(ranks)), wilds)


#: The sequences of a suit after a turn: by the index of each on the table, or -1, and how.
LaidRows = tuple[tuple[int, LaidRow], ...]


@lru_cache(maxsize=2_000)
def row_ways(
    rules: Rules,
    standing: tuple[tuple[int, int], ...],
    counts: tuple[int, ...],
    wilds: int,
    free: int,
) -> tuple[LaidRows, ...]:
    """Return what may be laid of a suit together, nothing first; at most MOST_ROWS ways.

    `standing` are the own cards and the other wild cards of each sequence on the table, `free` is
    how many may be begun.
    """
    found: list[LaidRows] = []
    left = list(counts)

    def use(row: LaidRow, change: int) -> None:
        for rank in row.ranks:
            left[rank] += change

    def begin(rows: LaidRows, more: int, wild: int, after: tuple[int, ...]) -> None:
        if len(found) >= MOST_ROWS:
            return
        found.append(rows)
        for row in row_options(rules, 0, 0, tuple(left), wild) if more else ():
            if (row.wilds, *row.ranks) >= after:
                use(row, -1)
                begin((*rows, (-1, row)), more - 1, wild - row.wilds, (row.wilds, *row.ranks))
                use(row, 1)

    def extend(at: int, rows: LaidRows, wild: int) -> None:
        if at == len(standing):
            begin(rows, free, wild, ())
            return
        extend(at + 1, rows, wild)
        for row in row_options(rules, *standing[at], tuple(left), wild):
            if len(found) >= MOST_ROWS:
                return
            use(row, -1)
            extend(at + 1, (*rows, (at, row)), wild - row.wilds)
            use(row, 1)

    extend(0, (), wilds)
    return tuple(found)


def completes(before: int, row: LaidRow) -> bool:
    """Return whether a sequence of `before` cards becomes a canasta."""
    return before < CANASTA_SIZE <= row.size
