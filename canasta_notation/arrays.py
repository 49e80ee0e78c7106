"""Arrays of numbers, and whether this runs compiled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from canasta_notation.counts import i64, vec

#: Whether this runs as machine code.
COMPILED: Final = not __file__.endswith(".py")


def array(numbers: Iterable[int]) -> vec[i64]:
    """Return numbers, or flags, as an array; not checked: that nobody changes it."""
    return vec[i64](list(map(int, numbers)))
