"""What is done with whole arrays of counts, and whether that is compiled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from canasta_notation.counts import i64, vec

#: Whether this runs as machine code.
COMPILED: Final = not __file__.endswith(".py")


def array(numbers: Iterable[int]) -> vec[i64]:
    """Return numbers, or flags, as an array; not checked: that nobody changes it."""
    return vec[i64](list(map(int, numbers)))


def tally(counts: vec[i64], codes: vec[i64]) -> None:
    """Count one more of each code."""
    for code in codes:
        counts[code] += 1


def tally_within(counts: vec[i64], codes: vec[i64], most: vec[i64]) -> bool:
    """Count one more of each code; return whether none is counted more often than it may be."""
    within = True
    for code in codes:
        count = counts[code] + 1
        counts[code] = count
        if count > most[code]:
            within = False
    return within


def dot(counts: vec[i64], worths: vec[i64]) -> i64:
    """Return the sum of the values, each times its count."""
    total: i64 = 0
    at: i64 = 0
    for count in counts:
        if count:
            total += count * worths[at]
        at += 1  # noqa: SIM113
    return total
