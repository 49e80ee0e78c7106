"""Arrays of numbers, and whether the package is compiled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from canasta_notation.counts import i64, vec

#: Whether the package runs as machine code.
COMPILED: Final = not __file__.endswith(".py")
#: Zeros to copy: for short arrays, copying a part of them is faster than making a new array.
_SHORT: Final[i64] = 512
_ZEROS: Final[vec[i64]] = vec[i64]([0] * _SHORT)


def zeros(length: i64) -> vec[i64]:
    """Return an array of zeros."""
    if length > _SHORT:
        return vec[i64]([0] * length)
    return _ZEROS[:length]


def array(numbers: Iterable[int]) -> vec[i64]:
    """Return numbers or flags as an array. Callers must not change it."""
    if not COMPILED:
        return vec[i64](numbers)
    values = list(map(int, numbers))
    made = zeros(len(values))
    for at, value in enumerate(values):
        made[at] = value
    return made
