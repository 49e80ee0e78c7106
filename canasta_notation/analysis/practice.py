"""What a player can practise: what decisions of each kind cost, without a threshold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot

from canasta_notation.analysis.values import ABOUT, Judged


@dataclass(frozen=True, slots=True)
class Practice:
    """The decisions of a kind, one of `ABOUT`, in `deals` deals.

    In `count` of them another play led in the half of the samples that chooses. `points` is by how
    much those plays were better in the other half, together, and `error` its standard error. Small
    losses count, too, and gains against them, so the sum is not biased.
    """

    kind: str
    decisions: int
    count: int
    points: float
    error: float
    deals: int


def practice_of(deals: Iterable[Sequence[Judged]]) -> tuple[Practice, ...]:
    """Return every kind, for the decisions of a seat or a player by deal."""
    played = [*deals]
    return tuple(_practice(kind, played) for kind in ABOUT)


def _practice(kind: str, deals: Sequence[Sequence[Judged]]) -> Practice:
    own = [[each for each in deal if each.about == kind] for deal in deals]
    found = [each for deal in own for each in deal]
    other = [each for each in found if each.better is not None]
    return Practice(
        kind,
        len(found),
        len(other),
        round(sum(each.gain for each in other), 1),
        round(hypot(*(each.error for each in other)), 1),
        sum(bool(deal) for deal in own),
    )
