"""The cards of each meld of a state, in the order in which they are drawn."""

from __future__ import annotations

from canasta_notation.cards import (
    BARE,
    BLACK_THREE,
    JOKER,
    JOKER_RANK,
    TEXT,
    TWO,
    UNKNOWN,
    is_wild,
    kinds,
)
from canasta_notation.engine.state import MeldState, State
from canasta_notation.replay.laid import LaidCards

#: The cards of a side's melds, meld by meld.
Melds = tuple[tuple[int, ...], ...]
_RED = "hd"
_BLACK = "sc"


def melds_of(laid: LaidCards, state: State) -> tuple[Melds, ...]:
    """Return the cards of every meld of a state.

    If the laid cards do not add up to a meld, it is spelled by its ranks alone.
    """
    return tuple(
        tuple(_cards(laid.cards(at, meld.rank), meld) for meld in side.melds)
        for at, side in enumerate(state.sides)
    )


def _cards(laid: list[int], meld: MeldState) -> tuple[int, ...]:
    expected = meld.naturals, meld.twos, meld.jokers, meld.unknown
    return _ordered(meld, laid if kinds(laid) == expected else spelled(meld))


def spelled(meld: MeldState) -> list[int]:
    """Return the cards of a meld by their ranks alone."""
    natural = BARE[BLACK_THREE if meld.rank == BLACK_THREE else meld.rank]
    return (
        [natural] * meld.naturals
        + [BARE[TWO]] * meld.twos
        + [JOKER] * meld.jokers
        + [UNKNOWN] * meld.unknown
    )


def _ordered(meld: MeldState, cards: list[int]) -> tuple[int, ...]:
    """Return the cards of a meld in order; the top card of a canasta comes last.

    On a natural canasta, this is a red card; on a mixed one, it is a black card.
    """
    ordered = sorted(cards, key=lambda card: (is_wild(card) or card == UNKNOWN, card))
    if meld.canasta and meld.rank != JOKER_RANK:
        suits = _RED if meld.canasta == "natural" else _BLACK
        naturals = [card for card in ordered if not is_wild(card) and card != UNKNOWN]
        tops = [card for card in naturals if TEXT[card][-1] in suits] or naturals or ordered[-1:]
        ordered.remove(top := tops[0])
        ordered.append(top)
    return tuple(ordered)
