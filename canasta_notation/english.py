"""Words, numbers, cards and ranks for sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from canasta_notation.cards import (
    JOKER_RANK,
    KIND,
    KINDS,
    LABELS,
    RANK_NAMES,
    SEQUENCE,
    SUIT_NAMES,
    SUIT_SIGNS,
    TEXT,
)

_NAMES: Final = {"3r": "red 3", "3b": "black 3", "*": "joker", "_": "unknown card"}
#: Nouns whose plural does not add an s.
_PLURALS: Final = {"foot": "feet"}
#: The numbers of chess that have a sign.
_SIGNS: Final = {"$1": "!", "$2": "?", "$3": "!!", "$4": "??", "$5": "!?", "$6": "?!"}


def card_name(code: int) -> str:
    """Return a card as people read it: 10♥, K, joker."""
    text = TEXT[code]
    if text in _NAMES:
        return _NAMES[text]
    rank = "10" if text[0] == "T" else text[0]
    return rank + SUIT_SIGNS.get(text[1:], "")


def signs(annotations: Iterable[str]) -> str:
    """Return the annotations of a turn as signs; a number without one stays as it is."""
    return " ".join(_SIGNS.get(each, each) for each in annotations)


def rank_name(rank: int) -> str:
    """Return the name of a rank in the plural: kings."""
    return RANK_NAMES[rank][1]


def meld_name(place: int) -> str:
    """Return the name of a meld's cards: kings, wild cards, spades; kings (K/2) of a second one."""
    kind = KIND[place]
    name = SUIT_NAMES[kind - SEQUENCE] if kind >= SEQUENCE else rank_name(kind)
    if kind == JOKER_RANK:
        name = "wild cards"
    return name if place < KINDS else f"{name} ({LABELS[place]})"


def plural(one: str) -> str:
    """Return the plural of a noun: cards, feet."""
    return _PLURALS.get(one, one + "s")


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: 1 card, 2 cards."""
    return f"{number} {one if number == 1 else many or plural(one)}"


def bounds(fewest: int, most: int) -> str:
    """Return a number, or its range: 38 to 41."""
    return str(fewest) if fewest == most else f"{fewest} to {most}"


def listed(words: Iterable[str], link: str = "and") -> str:
    """Return words as a list in a sentence: a, b and c."""
    *most, last = [*words] or [""]
    return f"{', '.join(most)} {link} {last}" if most else last


def figure(points: int | None) -> str:
    """Return points as text, `?` if they cannot be known."""
    return "?" if points is None else str(points)


def minimum_words(minimum: int | None, raised: int) -> str:
    """Return what an opening must count, with its parts if the rules have raised it."""
    if minimum is None or not raised:
        return figure(minimum)
    return f"{minimum} = {minimum - raised} + {raised}"
