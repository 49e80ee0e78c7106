"""The brute force over small packs reads the examples of the texts as they do."""

from __future__ import annotations

from math import comb

import pytest

from tests.sequence_readings import Reading, hands, readings, small_pack


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("5h 6h * 8h", [Reading((5, 6, 8), "*", 7)]),
        ("5h 6h 8h 7h *", [Reading((5, 6, 7, 8), "*")]),
        ("5h 6h 8h 7h * Th", [Reading((5, 6, 7, 8, 10), "*", 9)]),
        ("5h 6h * 8h Th", []),
        ("5h 6h 7h * 2c", []),
        ("3h Ah 2h", [Reading((1, 2, 3))]),
        ("4h 5h 2h", [Reading((4, 5), "2h")]),
        ("4h 5h 2h 3h", [Reading((2, 3, 4, 5))]),
        ("2h 2c 4h 5h", [Reading((2, 4, 5), "2c", 3)]),
        ("2h 3h 4h 6h", [Reading((3, 4, 6), "2h", 5)]),
        ("2h 2h 3h", [Reading((2, 3), "2h")]),
        ("Kh Ah 2h 3h", []),
        ("Kh Ah 2h", [Reading((13, 14), "2h")]),
        ("Qh Ah *", [Reading((12, 14), "*", 13)]),
        ("Ah Ah 2h 3h", []),
        ("5h 6h", []),
        ("5h 6h 7s", []),
    ],
)
def test_a_reading_of_the_texts(cards: str, expected: list[Reading]) -> None:
    assert readings(cards.split(), "h") == expected


def test_ace_to_king_is_low_and_ace_to_ace_needs_two_ends() -> None:
    suit = [f"{rank}h" for rank in "A23456789TJQK"]
    assert readings(suit, "h") == [Reading((*range(1, 14),))]
    assert readings([*suit, "Ah"], "h") == []
    assert readings([*suit, "Ah"], "h", aces=2) == [Reading((*range(1, 15),))]


def test_cards_of_a_small_pack_have_one_reading_at_most() -> None:
    """So the order in which a sequence is written says nothing."""
    pack = small_pack()
    found = [*hands(pack, 6)]
    assert len(found) == len({*found}) < comb(len(pack), 6)
    read = {each: readings(each, "h") for each in found}
    assert max(map(len, read.values())) == 1
    assert sum(map(len, read.values())) > 100
