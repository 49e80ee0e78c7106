"""Arrays of numbers: what they hold, and that none shares its numbers with another."""

from __future__ import annotations

from pathlib import Path

import pytest

from canasta_notation import arrays
from canasta_notation.arrays import COMPILED, array, zeros
from canasta_notation.counts import i64, vec


@pytest.mark.parametrize("length", [0, 1, 511, 512, 513, 2000])
def test_zeros_are_as_many_as_asked_for(length: int) -> None:
    made = zeros(length)
    assert len(made) == length and not any(made[at] for at in range(length))


@pytest.mark.parametrize("length", [3, 600])
def test_an_array_is_nobody_elses(length: int) -> None:
    made = zeros(length)
    made[1] = 7
    assert zeros(length)[1] == 0


def test_an_array_holds_numbers_and_flags_in_their_order() -> None:
    made = array(each for each in (5, True, -3, False))
    assert [made[at] for at in range(4)] == [5, 1, -3, 0]


def test_the_package_knows_whether_it_is_compiled() -> None:
    assert (Path(str(arrays.__file__)).suffix != ".py") == COMPILED


def test_a_vector_has_a_fixed_order_and_an_array_of_arrays_its_rows() -> None:
    rows = vec[vec[i64]]([vec[i64]([1, 2]), vec[i64]([3])])
    assert [[row[at] for at in range(len(row))] for row in rows] == [[1, 2], [3]]
