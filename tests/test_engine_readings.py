"""The brute force over small packs reads the examples of the texts as they do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb

import pytest

from canasta_notation import positions
from canasta_notation.notation.reader import read_text
from canasta_notation.replay.game_replay import replay_game
from tests.sequence_readings import Reading, hands, places_of, readings, small_pack


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


def canonical(reading: Reading, cards: Sequence[str], suit: str) -> tuple[str, ...]:
    """Return cards low to high: a wild card in its gap, a free one first if there is room below."""
    naturals = [*(Counter(cards) - Counter([reading.wild_card] if reading.wild_card else []))]
    row = {
        place: card
        for place in reading.naturals
        for card in naturals
        if place in places_of(card, suit)
    }
    free = reading.naturals[0] - 1 or reading.naturals[-1] + 1
    if reading.wild_card:
        row[reading.enclosed or free] = reading.wild_card
    return tuple(row[place] for place in sorted(row))


def judged(cards: Sequence[str], suit: str) -> tuple[str, ...]:
    """Return the cards of a sequence as the program puts them on the table; none if it objects."""
    laid = f"{suit}:{''.join(cards)}"
    record = f"deal 1 dealer W\nN: {' '.join(cards)} ...\n1. N + {laid} -_\n"
    (reading,) = read_text(f'[CGN "1"]\n[Rules "burraco"]\n{record}')
    found = replay_game(reading.game).findings
    if any(each.severity == "error" for each in found):
        return ()
    *_, last = positions(reading.game)
    return last.melds["NS"][suit]


def test_the_engine_reads_a_sequence_as_the_brute_force_does() -> None:
    """Every few cards that can be wild or of the suit, and a sample of those of two suits."""
    found = [*hands(small_pack(), 6)]
    likely = [each for each in found if not any(card[1:] == "s" and card != "2s" for card in each)]
    legal = 0
    for cards in [*likely, *found[::20]]:
        read = readings(cards, "h")
        legal += len(read)
        assert judged(cards, "h") == (canonical(read[0], cards, "h") if read else ()), cards
    assert legal > 100
