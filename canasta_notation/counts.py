"""Integers and arrays of them: machine words if the engine is compiled, else Python's own.

`i64` is a number that always fits 64 bits; `vec[i64](numbers)` makes an array of a fixed length,
and `vec[vec[i64]](arrays)` an array of arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from librt.vecs import vec
    from mypy_extensions import i64
else:
    i64 = int
    vec = {i64: list, list: list}

__all__ = ["i64", "vec"]
