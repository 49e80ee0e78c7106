"""The actions of a turn, as frozen values of card codes.

An action is what was done, whether or not it was legal; ranks, labels and cards are those of
`canasta_notation.cards`. Each raises ValueError for a value that the notation cannot spell.
"""

from __future__ import annotations

from dataclasses import dataclass

from canasta_notation.fields import (
    CARD,
    CARDS,
    FLAG,
    NUMBER_OR_NONE,
    RANK_OF_LABEL,
    SOME_CARDS,
    SPECIAL,
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
class Take:
    """A take of the pile; `card` restates its top, `count` claims its size, the top included."""

    card: int
    count: int | None = None

    def __post_init__(self) -> None:
        check(self, card=CARD, count=NUMBER_OR_NONE)

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
    """Cards laid from the hand on the side's meld of a rank.

    The rank of the label `3` is BLACK_THREE, of `*` (a meld of wild cards) JOKER_RANK.
    """

    rank: int
    cards: tuple[int, ...]

    def __post_init__(self) -> None:
        check(self, rank=RANK_OF_LABEL, cards=SOME_CARDS)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class LaySpecial:
    """A special hand: `kind` is `straight`, `pairs` or `garbage`."""

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
class TakeTalon:
    """A talon taken after the discard."""

    cards: tuple[int, ...]

    def __post_init__(self) -> None:
        check(self, cards=SOME_CARDS)

    __repr__ = show


Action = Draw | Take | Ask | Lay | LaySpecial | Discard | TakeTalon
