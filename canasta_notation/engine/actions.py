"""The actions of a turn, as frozen values of card codes.

An action is what was done, whether or not it was legal; ranks, labels and cards are those of
`canasta_notation.cards`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards from the stock in the order drawn: the draw, then the replacements of tabled threes.

    `bare` says that the record ended the sequence with a bare `+`: an unknown card for each card
    still due.
    """

    cards: tuple[int, ...]
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Take:
    """The pile taken; `card` restates its top, `count` claims its size, the top included."""

    card: int
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """Partner was asked for leave to go out and answered yes or no."""

    yes: bool


@dataclass(frozen=True, slots=True)
class Lay:
    """Cards laid from the hand on the side's meld of a rank.

    The rank of the label `3` is BLACK_THREE, of `*` (a meld of wild cards) JOKER_RANK.
    """

    rank: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LaySpecial:
    """A special hand: `kind` is `straight`, `pairs` or `garbage`."""

    kind: str
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Discard:
    """The card put on the pile."""

    card: int


@dataclass(frozen=True, slots=True)
class TakeTalon:
    """The talon taken after the discard."""

    cards: tuple[int, ...]


Action = Draw | Take | Ask | Lay | LaySpecial | Discard | TakeTalon
