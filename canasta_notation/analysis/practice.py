"""What a player can practise: what decisions of each kind cost, without a threshold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot

from canasta_notation.analysis.values import ABOUT, Judged


@dataclass(frozen=True, slots=True)
class Practice:
    """The decisions of a kind, one of `ABOUT`, in `deals` deals.

    In `count` of them, another play was best in the half of the samples that chooses. `points` is
    how much better those plays were in the other half, in total, and `error` its standard error.
    Small losses count too, and gains are subtracted, so the sum is not biased. `given` is in how
    many of these the next seat took the pile more often, with `given_points` and their error.
    """

    kind: str
    decisions: int
    count: int
    points: float
    error: float
    deals: int
    given: int
    given_points: float
    given_error: float


def practice_of(deals: Iterable[Sequence[Judged]]) -> tuple[Practice, ...]:
    """Return the practice of every kind, for the decisions of a seat or a player by deal."""
    played = [*deals]
    return tuple(_practice(kind, played) for kind in ABOUT)


def _practice(kind: str, deals: Sequence[Sequence[Judged]]) -> Practice:
    own = [[each for each in deal if each.about == kind] for deal in deals]
    found = [each for deal in own for each in deal]
    other = [each for each in found if each.better is not None]
    given = [each for each in other if each.gave]
    return Practice(
        kind,
        len(found),
        len(other),
        *_summed(other),
        sum(bool(deal) for deal in own),
        len(given),
        *_summed(given),
    )


def _summed(decisions: Sequence[Judged]) -> tuple[float, float]:
    """Return what decisions cost together, and the standard error."""
    points = sum(each.gain for each in decisions)
    return round(points, 1), round(hypot(*(each.error for each in decisions)), 1)


def together(practices: Iterable[Sequence[Practice]]) -> tuple[Practice, ...]:
    """Return what decisions of each kind cost several players together.

    `deals` is that of the player with the most, because players of one game share their deals.
    """
    by_kind = zip(*practices, strict=True)
    return tuple(_together(kind, same) for kind, same in zip(ABOUT, by_kind, strict=False))


def _together(kind: str, same: Sequence[Practice]) -> Practice:
    return Practice(
        kind,
        sum(each.decisions for each in same),
        sum(each.count for each in same),
        round(sum(each.points for each in same), 1),
        round(hypot(*(each.error for each in same)), 1),
        max(each.deals for each in same),
        sum(each.given for each in same),
        round(sum(each.given_points for each in same), 1),
        round(hypot(*(each.given_error for each in same)), 1),
    )
