"""Cards as numbers: every code, place and label, there and back."""

from __future__ import annotations

import pytest

from canasta_notation import cards
from canasta_notation.cards import (
    BARE,
    CODE,
    CODES,
    EXACT,
    FIRST_OF,
    JOKER,
    JOKER_RANK,
    KIND,
    KINDS,
    LABELS,
    MOST_MELDS,
    OF_RANK,
    PLACE_OF,
    PLACES,
    POINTS,
    RANK,
    RANK_LETTERS,
    RANK_NAMES,
    SEAT_LETTERS,
    SEATS,
    SEQUENCE,
    SEQUENCE_OF,
    SIDES,
    SINGLE_CARDS,
    SUIT_LETTERS,
    TEXT,
    TWO,
    UNKNOWN,
    UNKNOWN_RANK,
    card_texts,
    format_card,
    format_cards,
    format_label,
    is_wild,
    kinds,
    meld_place,
    parse_cards,
    parse_label,
    sequence_card,
)

#: The points of cards by their letters, as players know them; a red three counts 0 here.
KNOWN = dict.fromkeys("4567", 5) | dict.fromkeys("89TJQK", 10) | {"A": 20, "2": 20, "*": 50, "_": 0}


@pytest.mark.parametrize("code", range(CODES))
def test_a_code_has_its_spelling_rank_and_points(code: int) -> None:
    text = TEXT[code]
    assert parse_cards(text) == (code,) and format_card(code) == text and CODE[text] == code
    red, black = text in ("3h", "3d", "3r"), text in ("3s", "3c", "3b")
    rank = 0 if red else 1 if black else RANK_LETTERS.index(text[0])
    assert RANK[code] == rank
    assert POINTS[code] == (0 if red else 5 if black else KNOWN[text[0]])
    assert EXACT[code] == (text == "*" or (text[1:] in (*SUIT_LETTERS,) and text != "_"))
    assert is_wild(code) == (text[0] in "2*")
    assert code in OF_RANK[rank]
    assert BARE[rank] == OF_RANK[rank][-1]


def test_the_codes_of_a_rank_are_adjacent_and_in_canonical_order() -> None:
    for rank in range(UNKNOWN_RANK + 1):
        first, end = FIRST_OF[rank], FIRST_OF[rank + 1]
        assert tuple(range(first, end)) == OF_RANK[rank]
    suits = [TEXT[code][1:] for code in OF_RANK[5]]
    assert suits == [*SUIT_LETTERS, ""]
    assert len(SINGLE_CARDS) == 53 and JOKER in SINGLE_CARDS and UNKNOWN not in SINGLE_CARDS


def test_each_rank_has_its_letter_and_its_names() -> None:
    assert len(RANK_NAMES) == len(RANK_LETTERS) == UNKNOWN_RANK + 1
    assert RANK_NAMES[JOKER_RANK] == ("joker", "jokers") and RANK_NAMES[TWO] == ("two", "twos")
    assert [name for name, _ in RANK_NAMES[2:8]] == [
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
    ]


def test_a_ten_has_two_spellings_and_cards_may_stand_apart() -> None:
    assert parse_cards("10h Ts\tK 3r*_") == parse_cards("ThTsK3r*_")
    assert parse_label("10/2") == parse_label("T/2")
    assert format_cards(parse_cards("KsKh"), " ") == "Ks Kh"
    assert card_texts(parse_cards("Ks*")) == ["Ks", "*"]


@pytest.mark.parametrize(
    ("text", "piece"),
    [("3", "3"), ("1h", "1h"), ("Kx", "x"), ("ks", "k"), ("Ks,Kh", ","), ("J*x", "x")],
)
def test_what_is_not_a_card_is_named(text: str, piece: str) -> None:
    with pytest.raises(ValueError, match=f"not a card: '{piece}"):
        parse_cards(text)


def test_only_a_text_holds_cards() -> None:
    with pytest.raises(TypeError, match="KsKh"):
        parse_cards(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("label", sorted(PLACE_OF))
def test_a_label_has_its_place(label: str) -> None:
    place = parse_label(label)
    assert format_label(place) == label == LABELS[place]
    letter, _, number = label.partition("/")
    assert place // KINDS + 1 == int(number or 1)
    at = SEQUENCE + SUIT_LETTERS.index(letter) if letter in SUIT_LETTERS else KIND[place]
    assert KIND[place] == place % KINDS == at
    assert letter in SUIT_LETTERS or letter == RANK_LETTERS[KIND[place]]


def test_every_number_that_is_no_place_is_refused() -> None:
    places = {*PLACE_OF.values()}
    assert len(places) == (KINDS - 3) * MOST_MELDS + 1 and max(places) < PLACES
    for place in {-1, 0, UNKNOWN_RANK, PLACES, 21, *range(PLACES)} - places:
        with pytest.raises(ValueError, match="not the place of a meld"):
            format_label(place)
    for label in ("3/2", "K/1", "K/10", "", "_", "x", None):
        with pytest.raises(ValueError, match="not the label of a meld"):
            parse_label(label)  # type: ignore[arg-type]


def test_wild_cards_are_melded_at_one_place() -> None:
    assert meld_place(parse_label("2")) == parse_label("*")
    assert meld_place(parse_label("2/3")) == parse_label("*/3")
    assert meld_place(parse_label("K/2")) == parse_label("K/2")


def test_a_sequence_has_the_cards_of_its_suit_from_four_to_ace() -> None:
    for at, suit in enumerate(SUIT_LETTERS):
        held = [TEXT[code] for code in range(CODES) if SEQUENCE_OF[code] == SEQUENCE + at]
        assert held == [rank + suit for rank in "456789TJQKA"]
        assert [TEXT[sequence_card(SEQUENCE + at, RANK[CODE[each]])] for each in held] == held
    assert SEQUENCE_OF[CODE["K"]] == SEQUENCE_OF[CODE["2s"]] == UNKNOWN_RANK


def test_cards_are_counted_by_kind() -> None:
    assert kinds(parse_cards("KsKK2c2**_3r")) == (4, 2, 2, 1)


def test_a_number_that_is_no_code_is_refused() -> None:
    for wrong in (CODES, 1 << 70, "Ks"):
        with pytest.raises(ValueError, match="not the codes of cards"):
            format_cards((wrong,))  # type: ignore[arg-type]


def test_sides_hold_all_seats_of_their_game() -> None:
    for (players, count), sides in SIDES.items():
        assert len(sides) == count and sorted("".join(sides)) == sorted(SEATS[players])
        assert all(len(side) == players // count for side in sides)
    assert frozenset("NESWABCDEF") == SEAT_LETTERS
    assert cards.CANASTA_SIZE == 7 and cards.MELD_SIZE == 3
