"""Sets of possible amounts: of unwritten cards, and of figures that depend on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import gcd

from canasta_notation.cards import BLACK_THREE, FOUR, RED_THREE, UNKNOWN_RANK
from canasta_notation.counts import i64
from canasta_notation.engine.ruleset import Rules


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
def sums_of(rules: Rules, pool: tuple[int, ...], cards: i64, black_three: i64) -> frozenset[int]:
    """Return every sum of points that `cards` cards can have; `pool` counts the cards by rank.

    A black three counts `black_three` points.
    """
    copies_of: dict[int, int] = {-rules.red3_held: pool[RED_THREE]}
    copies_of[black_three] = copies_of.get(black_three, 0) + pool[BLACK_THREE]
    for rank in range(FOUR, UNKNOWN_RANK):
        points = rules.rank_points[rank]
        copies_of[points] = copies_of.get(points, 0) + pool[rank]
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
