"""How an estimate is stated: rounded, with three standard errors, or not at all."""

from __future__ import annotations

from math import ceil
from typing import Final, NamedTuple

#: From this many points on, figures are rounded to tens; below, to fives.
_TENS: Final = 100
#: How many standard errors are given.
ERRORS: Final = 3


class Stated(NamedTuple):
    """An estimate as it is stated: points without their sign, and three standard errors."""

    x: int
    e: int


def stated(points: float, error: float) -> Stated | None:
    """Return how points with their standard error are stated, None if they are too close to call.

    Points are rounded to tens, below 100 to fives; three errors are rounded up to the same.
    """
    x, e = rounded(abs(points)), give_or_take(points, error)
    return Stated(x, e) if e < x else None


def rounded(points: float) -> int:
    """Return points rounded as an estimate is."""
    return _step(points) * round(points / _step(points))


def give_or_take(points: float, error: float) -> int:
    """Return three standard errors of points, rounded up."""
    return _step(points) * ceil(ERRORS * error / _step(points))


def _step(points: float) -> int:
    return 10 if abs(points) >= _TENS else 5


def estimate_cells(shown: int, off: int, form: str = "d") -> tuple[str, str]:
    """Return an estimate with three errors for a table; in brackets if it may be 0.

    `form` is how Python formats the estimate.
    """
    cell = format(shown, form)
    return f"({cell})" if off >= abs(shown) and off else cell, str(off)
