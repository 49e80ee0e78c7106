"""The cards of a meld in the order in which they are drawn."""

from __future__ import annotations

from canasta_notation.cards import JOKER_RANK, TEXT, UNKNOWN, is_wild
from canasta_notation.engine.state import MeldState

_RED = "hd"
_BLACK = "sc"


def in_order(meld: MeldState) -> tuple[int, ...]:
    """Return the cards of a meld in order; the top card of a canasta comes last.

    On a natural canasta, this is a red card; on a mixed one, it is a black card.
    """
    ordered = sorted(meld.cards, key=lambda card: (is_wild(card) or card == UNKNOWN, card))
    if meld.canasta and meld.rank != JOKER_RANK:
        suits = _RED if meld.canasta == "natural" else _BLACK
        naturals = [card for card in ordered if not is_wild(card) and card != UNKNOWN]
        tops = [card for card in naturals if TEXT[card][-1] in suits] or naturals or ordered[-1:]
        ordered.remove(top := tops[0])
        ordered.append(top)
    return tuple(ordered)
