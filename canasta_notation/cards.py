"""Cards and the seats that hold them, as small integers and as the notation spells them.

A *card code* is an int from 0 to 67 in canonical order: red threes, black threes, 4 to A, 2, joker,
unknown; within a rank the suits s h d c, then the rank without a suit. A *rank* is an int from 0 to
14, or `UNKNOWN_RANK`. The only rule here is the points of cards, which the rules of a
game may change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from canasta_notation.arrays import array
from canasta_notation.counts import i64, vec
from canasta_notation.quoting import quoted

RED_THREE: Final = 0
BLACK_THREE: Final = 1
FOUR: Final = 2
SEVEN: Final = 5
ACE: Final = 12
TWO: Final = 13
JOKER_RANK: Final = 14
UNKNOWN_RANK: Final = 15

#: The letter of each rank, in a label too; both threes are `3`.
RANK_LETTERS: Final = "33456789TJQKA2*_"
#: The name of each rank, singular and plural.
RANK_NAMES: Final = (
    ("red three", "red threes"),
    ("black three", "black threes"),
    ("four", "fours"),
    ("five", "fives"),
    ("six", "sixes"),
    ("seven", "sevens"),
    ("eight", "eights"),
    ("nine", "nines"),
    ("ten", "tens"),
    ("jack", "jacks"),
    ("queen", "queens"),
    ("king", "kings"),
    ("ace", "aces"),
    ("two", "twos"),
    ("joker", "jokers"),
    ("unknown card", "unknown cards"),
)


def _cards() -> list[tuple[str, int, str]]:
    """Return (text, rank, suit) of every code in order; the suit is '' if none is recorded."""
    cards = [("3h", RED_THREE, "h"), ("3d", RED_THREE, "d"), ("3r", RED_THREE, "")]
    cards += [("3s", BLACK_THREE, "s"), ("3c", BLACK_THREE, "c"), ("3b", BLACK_THREE, "")]
    for rank in range(FOUR, TWO + 1):
        letter = RANK_LETTERS[rank]
        cards += [(letter + suit, rank, suit) for suit in "shdc"] + [(letter, rank, "")]
    return [*cards, ("*", JOKER_RANK, ""), ("_", UNKNOWN_RANK, "")]


_CARDS: Final = _cards()
#: The canonical spelling of each code.
TEXT: Final[tuple[str, ...]] = tuple(text for text, _, _ in _CARDS)
#: The rank of each code. The tables here are never changed.
RANK: Final[vec[i64]] = array(rank for _, rank, _ in _CARDS)
#: True if a code names a suit; a joker has none.
SUITED: Final[tuple[bool, ...]] = tuple(suit != "" for _, _, suit in _CARDS)
#: The code of each canonical spelling.
CODE: Final[dict[str, int]] = {text: code for code, text in enumerate(TEXT)}

#: Constants that the compiler can inline.
CODES: Final[i64] = 68
JOKER: Final[i64] = 66
UNKNOWN: Final[i64] = 67
assert (CODE["*"], CODE["_"], len(TEXT)) == (JOKER, UNKNOWN, CODES)
#: How many ranks there are, including that of unknown cards.
RANKS: Final[i64] = 16
#: For each rank, the code for the rank without a suit; for jokers, the joker itself.
BARE: Final[vec[i64]] = array(
    (
        CODE["3r"],
        CODE["3b"],
        *(CODE[RANK_LETTERS[rank]] for rank in range(FOUR, TWO + 1)),
        JOKER,
        UNKNOWN,
    )
)
#: For each rank its codes, with the one without a suit last.
OF_RANK: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(code for code in range(CODES) if RANK[code] == rank) for rank in range(UNKNOWN_RANK + 1)
)
#: The first code of each rank, and the end of the last one: the codes of a rank are adjacent.
FIRST_OF: Final[vec[i64]] = array([*(codes[0] for codes in OF_RANK), CODES])
#: Whether each code names an exact card: a card with its suit, or a joker.
EXACT: Final[vec[i64]] = array(suited or code == JOKER for code, suited in enumerate(SUITED))
#: The codes that name a card exactly, each once.
SINGLE_CARDS: Final[tuple[int, ...]] = tuple(code for code in range(CODES) if EXACT[code])
#: A zero for each code, and for each rank: arrays to copy for counting.
NO_CODES: Final[vec[i64]] = vec[i64]([0] * CODES)
NO_RANKS: Final[vec[i64]] = vec[i64]([0] * (UNKNOWN_RANK + 1))
#: The points of a card of each rank, melded or left in a hand; red threes and unknown cards are
#: scored differently. Source: the card tables of Wikipedia, Davenport Games,
#: MeggieSoft Games and Board Game Arena.
RANK_POINTS: Final[vec[i64]] = array((0, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 20, 20, 50, 0))
#: The points of every card are multiples of this.
CARD_STEP: Final = 5
#: The points of each code.
POINTS: Final[vec[i64]] = array(RANK_POINTS[rank] for rank in RANK)

#: The *place* of a meld among its side's melds: its kind, plus KINDS times its number minus 1. A
#: kind is the rank of a set (JOKER_RANK for wild cards), or, after the ranks, the suit of a
#: sequence. A side's only meld of a rank therefore has the rank as its place.
KINDS: Final[i64] = 20
#: The rank of a card at each place of a sequence from ace to ace; a three has that of black ones.
ROW_RANKS: Final = (ACE, TWO, BLACK_THREE, *range(FOUR, ACE), ACE)
#: How many places that are, where a four stands, and how many cards go from ace to king.
ROW_PLACES: Final = len(ROW_RANKS)
FOUR_PLACE: Final[i64] = 3
FROM_ACE_TO_KING: Final = 13
#: The first kind of a sequence; the suits follow in the order of `SUIT_LETTERS`.
SEQUENCE: Final[i64] = RANKS
SUIT_LETTERS: Final = "shdc"
SUIT_NAMES: Final = ("spades", "hearts", "diamonds", "clubs")
#: The sign of each suit, by its letter.
SUIT_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
#: The greatest number of a meld, and how many places there are.
MOST_MELDS: Final = 9
PLACES: Final[i64] = KINDS * MOST_MELDS
#: The kind of each place.
KIND: Final[vec[i64]] = array(place % KINDS for place in range(PLACES))
#: The label of each place. The number 1 is not written.
LABELS: Final[tuple[str, ...]] = tuple(
    (RANK_LETTERS + SUIT_LETTERS)[place % KINDS]
    + (f"/{place // KINDS + 1}" if place >= KINDS else "")
    for place in range(PLACES)
)
#: The place that each label names; `3` means black threes, and has no number.
PLACE_OF: Final[dict[str, int]] = {
    label: place
    for place, label in enumerate(LABELS)
    if place % KINDS not in (RED_THREE, UNKNOWN_RANK) and not label.startswith("3/")
}
#: The kind of a sequence that a card can belong to: that of its suit if it is one of 4 to A with
#: its suit, else UNKNOWN_RANK.
SEQUENCE_OF: Final[vec[i64]] = array(
    SEQUENCE + SUIT_LETTERS.index(suit) if suit and FOUR <= rank <= ACE else UNKNOWN_RANK
    for _, rank, suit in _CARDS
)


#: The kind of a sequence of each card's suit, whatever its rank; UNKNOWN_RANK without a suit.
SUIT_OF: Final[vec[i64]] = array(
    SEQUENCE + SUIT_LETTERS.index(suit) if suit in SUIT_LETTERS and suit else UNKNOWN_RANK
    for _, _, suit in _CARDS
)


def is_wild(code: int) -> bool:
    """Return whether the card is a two or a joker; an unknown card is not."""
    return RANK[code] == TWO or code == JOKER


def sequence_card(kind: int, rank: int) -> int:
    """Return the card of a rank from three to two in the suit of a kind of sequence."""
    return CODE[RANK_LETTERS[rank] + SUIT_LETTERS[kind - SEQUENCE]]


def meld_place(label: int) -> int:
    """Return the place of the meld that a label names; `2` is the meld of wild cards."""
    return label + 1 if KIND[label] == TWO else label


def kinds(cards: Sequence[int]) -> tuple[int, int, int, int]:
    """Return how many of the cards are natural, twos, jokers, unknown."""
    twos = sum(RANK[code] == TWO for code in cards)
    jokers, unknown = cards.count(JOKER), cards.count(UNKNOWN)
    return len(cards) - twos - jokers - unknown, twos, jokers, unknown


#: A card, or what should be one, in a text of cards.
_PIECE: Final = re.compile(r"(?:10|[^ \t])[shdcrb]?")
#: The code of each spelling; a ten is also spelled `10`.
_SPELLED: Final = {**CODE, **{text.replace("T", "10"): code for text, code in CODE.items()}}


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the codes of cards written with or without spaces between them; `10` is read as `T`.

    Raises ValueError for the first piece that is not a card, TypeError if `text` is not a string.
    Not checked: the number of copies.
    """
    if not isinstance(text, str):
        raise TypeError(f"cards must be a string such as 'KsKh', not {quoted(text)}")
    pieces = _PIECE.findall(text)
    try:
        return tuple([_SPELLED[piece] for piece in pieces])
    except KeyError as error:
        raise ValueError(f"not a card: {quoted(error.args[0])}") from None


def parse_label(label: str) -> int:
    """Return the place of the meld that a label names: `K`, `K/2`, `*`, `s`.

    Raises ValueError for what is not a label.
    """
    place = PLACE_OF.get(label.replace("10", "T", 1)) if isinstance(label, str) else None
    if place is None:
        raise ValueError(f"not the label of a meld, such as K, K/2, * or s: {quoted(label)}")
    return place


def format_label(place: int) -> str:
    """Return the label of the meld at a place.

    Raises ValueError for a number that is not a place.
    """
    if type(place) is not int or place not in PLACE_OF.values():
        raise ValueError(f"not the place of a meld: {quoted(place)}")
    return LABELS[place]


def format_card(code: int) -> str:
    """Return the canonical spelling of a card. Raises ValueError if `code` is not a card code."""
    return format_cards((code,))


def format_cards(codes: tuple[int, ...] | list[int], separator: str = "") -> str:
    """Return the canonical spelling of cards, in the order given.

    Raises ValueError for a number that is not a card code.
    """
    try:
        return separator.join([TEXT[code] for code in codes])
    except (IndexError, OverflowError, TypeError):
        raise ValueError(
            f"not the codes of cards, as parse_cards returns them: {quoted(codes)}"
        ) from None


def card_texts(codes: tuple[int, ...]) -> list[str]:
    """Return the canonical spelling of each card, in the order given. The codes are not checked."""
    return [TEXT[code] for code in codes]


#: The seats of a game by the number of players, clockwise.
SEATS: Final[dict[int, str]] = {2: "NS", 3: "NES", 4: "NESW", 6: "ABCDEF"}
#: The letters of all seats.
SEAT_LETTERS: Final = frozenset("".join(SEATS.values()))
#: The sides of a game, each spelled by its seats, by the numbers of players and of sides.
SIDES: Final[dict[tuple[int, int], tuple[str, ...]]] = {
    (2, 2): ("N", "S"),
    (3, 3): ("N", "E", "S"),
    (4, 2): ("NS", "EW"),
    (6, 2): ("ACE", "BDF"),
    (6, 3): ("AD", "BE", "CF"),
}

#: A pack has four suits, two of each colour. The profile sets the numbers of packs and jokers.
SUITS: Final = 4
SUITS_OF_A_COLOUR: Final = 2
JOKERS_OF_A_PACK: Final = 2

#: How many cards a meld and a canasta need, in every text and every profile.
MELD_SIZE: Final = 3
CANASTA_SIZE: Final = 7
#: How many natural cards the American rule of five asks for.
FIVE_NATURALS: Final = 5
