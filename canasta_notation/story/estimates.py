"""How an estimate is stated: rounded, with three standard errors, or not at all."""

from __future__ import annotations

from math import ceil
from typing import Final, NamedTuple

#: From this many points on, figures are rounded to tens; below, to fives.
_TENS: Final = 100
#: How many standard errors are given.
ERRORS: Final = 3


class Stated(NamedTuple):
    """An estimate as it is stated: points without their sign, and what they may differ by."""

    x: int
    e: int


def stated(points: float, error: float) -> Stated | None:
    """Return how points with their standard error are stated, None if they are too close to call.

    Points are rounded to tens, below 100 to fives; three errors are rounded up to the same.
    """
    size = abs(points)
    step = 10 if size >= _TENS else 5
    x, e = step * round(size / step), step * ceil(ERRORS * error / step)
    return Stated(x, e) if e < x else None


def rounded(points: float) -> int:
    """Return points without their sign, rounded as an estimate is."""
    step = 10 if abs(points) >= _TENS else 5
    return step * round(abs(points) / step)
