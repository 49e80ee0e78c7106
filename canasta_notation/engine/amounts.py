"""Sets of possible amounts: of unwritten cards, and of figures that depend on them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

from canasta_notation.cards import BLACK_THREE, RANK_POINTS, RED_THREE, UNKNOWN_RANK
from canasta_notation.counts import i64


@dataclass(frozen=True, slots=True)
class ScoreEntry:
    """Points for one item and what earned them: a meld's rank, a seat, a number of cards.

    `possible` holds every amount that the unwritten cards allow, or None if it cannot be
    known; a known figure is a set of one.
    """

    item: str
    possible: set[int] | None
    key: str
    rank: int
    seat: int
    count: int


@lru_cache
def sums_of(pool: tuple[int, ...], cards: i64, red_three: i64) -> frozenset[int]:
    """Return every sum of points that `cards` cards can have; `pool` counts the cards by rank.

    A red three counts `red_three` points.
    """
    copies_of: dict[int, int] = {red_three: pool[RED_THREE]}
    for rank in range(BLACK_THREE, UNKNOWN_RANK):
        copies_of[RANK_POINTS[rank]] = copies_of.get(RANK_POINTS[rank], 0) + pool[rank]
    least = min(copies_of)
    step = gcd(*[points - least for points in copies_of]) or 1
    # By number of cards, the possible sums as bits: bit n is n steps above the least sum.
    sums = [1] + [0] * cards
    for points, copies in copies_of.items():
        steps = (points - least) // step
        sums = [_with_copies(sums, held, steps, copies) for held in range(cards + 1)]
    digits = f"{sums[cards]:b}"[::-1]
    return frozenset(least * cards + at * step for at, digit in enumerate(digits) if digit == "1")


def _with_copies(sums: list[int], held: i64, steps: int, copies: int) -> int:
    """Return the sums (bits) of `held` cards, up to `copies` of which count `steps` each."""
    bits = 0
    for taken in range(min(copies, held) + 1):
        bits |= sums[held - taken] << taken * steps
    return bits


def add_possible(sets: list[set[int] | None]) -> set[int] | None:
    """Return every sum of one amount from each set, or None if a set is not known."""
    sums = {0}
    for each in sets:
        if each is None:
            return None
        sums = {one + other for one in sums for other in each}
    return sums


def span_of(amounts: Collection[int]) -> range:
    """Return the shortest range, with a common step, that contains the amounts (at least one)."""
    if isinstance(amounts, range):
        return amounts
    least = min(amounts)
    return range(least, max(amounts) + 1, gcd(*[each - least for each in amounts]) or 1)


def add_spans(one: range, other: range) -> range:
    """Return a range with every sum of an amount from each range; it may contain more."""
    steps = [each.step for each in (one, other) if len(each) > 1]
    return range(one[0] + other[0], one[-1] + other[-1] + 1, gcd(*steps) or 1)
