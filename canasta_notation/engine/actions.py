"""The actions of a turn, as frozen values of card codes.

An action is what was done, whether or not it was legal; ranks, labels and cards are those of
`canasta_notation.cards`. Each raises ValueError for a value that the notation cannot spell.
"""

from __future__ import annotations

from dataclasses import dataclass

from canasta_notation.cards import EXACT, KIND, SEQUENCE
from canasta_notation.fields import (
    CARD,
    CARDS,
    FLAG,
    NUMBER_OR_NONE,
    PACKET_WORD,
    PACKET_WORDS,
    PLACE,
    SET_PLACE,
    SET_PLACE_OR_NONE,
    SOME_CARDS,
    SPECIAL,
    THREES,
    check,
    show,
)


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards from the stock in the order drawn: the draw, then the replacements of tabled threes.

    `bare` says that the record ended the sequence with a bare `+`: an unknown card for each card
    still due.
    """

    cards: tuple[int, ...]
    bare: bool = False

    def __post_init__(self) -> None:
        check(self, cards=CARDS if self.bare else SOME_CARDS, bare=FLAG)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class TableThrees:
    """Threes that the hand held, tabled before the draw or take, and the cards that replaced them.

    A three among the replacements is tabled too. `bare` says that the record ended with a bare `+`:
    an unknown card for each replacement still due.
    """

    threes: tuple[int, ...]
    cards: tuple[int, ...] = ()
    bare: bool = False

    def __post_init__(self) -> None:
        check(self, threes=THREES, cards=CARDS, bare=FLAG)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class Take:
    """A take of the pile; `card` restates its top, `count` claims its size, the top included.

    `onto` is the place of the meld that the record names for the top, None if it names none.
    """

    card: int
    count: int | None = None
    onto: int | None = None

    def __post_init__(self) -> None:
        check(self, card=CARD, count=NUMBER_OR_NONE, onto=SET_PLACE_OR_NONE)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the partner for permission to go out, and the answer."""

    yes: bool

    def __post_init__(self) -> None:
        check(self, yes=FLAG)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class Lay:
    """Cards laid from the hand on a meld of the side.

    `rank` is the place of the meld (`cards.PLACE_OF` its label): for the first meld of a rank it is
    the rank, for `3` BLACK_THREE, for `*` (a meld of wild cards) JOKER_RANK.
    """

    rank: int
    cards: tuple[int, ...]

    def __post_init__(self) -> None:
        check(self, rank=PLACE, cards=SOME_CARDS)
        if KIND[self.rank] >= SEQUENCE and not all(EXACT[code] for code in self.cards):
            raise ValueError("Lay.cards: each card of a sequence has its suit")

    __repr__ = show


@dataclass(frozen=True, slots=True)
class Combine:
    """A meld of the side put on another one of its rank; both are places."""

    rank: int
    onto: int

    def __post_init__(self) -> None:
        check(self, rank=SET_PLACE, onto=SET_PLACE)
        if KIND[self.rank] != KIND[self.onto]:
            raise ValueError("Combine.onto: the two melds are not of one label")

    __repr__ = show


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Cards that were laid and taken back into the hand, where they stay."""

    cards: tuple[int, ...]

    def __post_init__(self) -> None:
        check(self, cards=SOME_CARDS)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class LaySpecial:
    """A special hand: `kind` is its name in the rules, such as `straight`."""

    kind: str
    cards: tuple[int, ...]

    def __post_init__(self) -> None:
        check(self, kind=SPECIAL, cards=SOME_CARDS)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class Discard:
    """A card put on the pile."""

    card: int

    def __post_init__(self) -> None:
        check(self, card=CARD)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class TakePacket:
    """A packet taken into the hand, and the cards that replaced its threes at once.

    `word` is what the record calls it: `foot`, `pot` or `talon`. Without cards, those of a foot or
    a pot are those of its line, or were not seen.
    """

    word: str
    cards: tuple[int, ...]
    replacements: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        named = PACKET_WORDS.get(self.word) == "k"
        cards = SOME_CARDS if named else CARDS
        check(self, word=PACKET_WORD, cards=cards, replacements=CARDS)

    __repr__ = show


Action = (
    Draw | TableThrees | Take | Ask | Lay | Combine | TakeBack | LaySpecial | Discard | TakePacket
)
