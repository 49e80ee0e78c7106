"""Every legal reading of a few cards as a sequence, found by trying all places of all cards.

The rules are those of Burraco and Buraco, and written from their texts alone: this module knows
nothing of the engine, which works a reading out from the ranks that are there.

A sequence lies in one suit, on places 1 (a low ace) to 14 (a high ace). A natural card lies on the
place of its rank, a two of the suit on place 2 as well. One wild card, a joker or any two, stands
for any card on the place where it lies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Final, NamedTuple

#: The fewest cards of a meld.
LEAST: Final = 3
#: The ranks on the places from 1 on: an ace is on the first and on the last.
_RANKS: Final = "A23456789TJQKA"
_JOKER: Final = "*"
_TWO: Final = "2"


class Lying(NamedTuple):
    """Cards as they lie: the lowest place, the cards from there up, and which of them is wild.

    `wild` is the place of the wild card, 0 if there is none; `wild_card` is what lies there.
    """

    low: int
    cards: tuple[str, ...]
    wild: int = 0
    wild_card: str = ""


class Reading(NamedTuple):
    """What is the same in all ways in which cards can lie: only a free wild card may slide.

    `naturals` are the places of the natural cards; `wild_card` is the wild one, or empty;
    `enclosed` is the place of a wild card that cannot slide, else 0.
    """

    naturals: tuple[int, ...]
    wild_card: str = ""
    enclosed: int = 0


def lyings(cards: Sequence[str], suit: str, aces: int = 1) -> list[Lying]:
    """Return every way in which cards can lie as a sequence of a suit, all of them used.

    `aces` is how many ends of a sequence may have an ace. The work grows with the number of ways
    to choose the wild card and the places, and so is meant for a handful of cards.
    """
    found: dict[Lying, None] = {}
    for wild in ["", *dict.fromkeys(each for each in cards if each == _JOKER or each[0] == _TWO)]:
        naturals = Counter(cards) - Counter([wild] if wild else [])
        places = [places_of(card, suit) for card in naturals.elements()]
        for chosen in product(*places):
            found |= dict.fromkeys(_filled(chosen, [*naturals.elements()], wild, aces))
    return [*found]


def places_of(card: str, suit: str) -> list[int]:
    """Return the places on which a card is natural: none for another suit and for a joker."""
    if card == _JOKER or card[1] != suit:
        return []
    return [place for place, rank in enumerate(_RANKS, 1) if rank == card[0]]


def _filled(chosen: tuple[int, ...], naturals: list[str], wild: str, aces: int) -> Iterator[Lying]:
    """Yield the rows without a gap that naturals on their places make, with the wild card."""
    if len({*chosen}) < len(chosen) or (aces == 1 and {1, len(_RANKS)} <= {*chosen}):
        return
    lying = dict(zip(chosen, naturals, strict=True))
    for place in range(1, len(_RANKS) + 1) if wild else (0,):
        row = lying | {place: wild} if place else lying
        if len(row) < LEAST or place in lying:
            continue
        low = min(row)
        if sorted(row) == [*range(low, low + len(row))]:
            yield Lying(low, tuple(row[at] for at in sorted(row)), place, wild)


def readings(cards: Sequence[str], suit: str, aces: int = 1) -> list[Reading]:
    """Return the readings of cards as a sequence: none if they cannot be one.

    If the cards can be read so, a two of the suit is natural, and an ace beside a two or a three is
    low; then other readings are left out.
    """
    found = {_reading(each) for each in lyings(cards, suit, aces)}
    twos = [each for each in found if 2 in each.naturals]
    lows = [each for each in twos or found if 1 in each.naturals]
    return sorted(lows or twos or found)


def _reading(lying: Lying) -> Reading:
    places = range(lying.low, lying.low + len(lying.cards))
    naturals = tuple(place for place in places if place != lying.wild)
    between = naturals[0] < lying.wild < naturals[-1]
    return Reading(naturals, lying.wild_card, lying.wild if between else 0)


def small_pack(suits: str = "sh", ranks: str = "A23456", jokers: int = 1) -> list[str]:
    """Return two packs of the suits and ranks, and jokers."""
    return [rank + suit for rank in ranks for suit in suits] * 2 + [_JOKER] * jokers


def hands(pack: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    """Yield every multiset of up to so many cards of a pack, each once."""
    for size in range(LEAST, most + 1):
        yield from dict.fromkeys(combinations(sorted(pack), size))
