"""The values of some tags: a date, a target, a result."""

from __future__ import annotations

import re
from calendar import monthrange
from functools import lru_cache


@lru_cache(maxsize=1024)
def is_date(text: str) -> bool:
    """Return whether the text is YYYY-MM-DD, with `?` for unknown digits, and such a day exists."""
    match = re.fullmatch(r"([\d?]{4})-([\d?]{2})-([\d?]{2})", text, re.ASCII)
    if not match:
        return False
    year, month, day = match.groups()
    years = [int(year)] if "?" not in year else [2000, 2001]
    return any(
        _matches(month, at) and any(_matches(day, each) for each in range(1, _days(y, at) + 1))
        for y in years
        for at in range(1, 13)
    )


def _days(year: int, month: int) -> int:
    return monthrange(max(year, 1), month)[1]


def _matches(pattern: str, number: int) -> bool:
    """Return whether a number of two digits fits a pattern with unknown digits."""
    return all(want in ("?", have) for want, have in zip(pattern, f"{number:02}", strict=True))


def read_target(text: str) -> int | None:
    """Return the points of a target, None if the text is not a number of one to nine digits."""
    return int(text) if re.fullmatch(r"[1-9]\d{0,8}", text, re.ASCII) else None


def read_result(text: str, sides: tuple[str, ...]) -> dict[str, int] | None:
    """Return the totals of a result, {} for `*`, None if the text is not a result of `sides`."""
    if text == "*":
        return {}
    pieces = text.split()
    if len(pieces) != 2 * len(sides) or set(pieces[::2]) != set(sides):
        return None
    if not all(re.fullmatch(r"-?\d{1,9}", points, re.ASCII) for points in pieces[1::2]):
        return None
    return {side: int(points) for side, points in zip(pieces[::2], pieces[1::2], strict=True)}
