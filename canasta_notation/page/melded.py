"""The cards of each meld as they were laid; the states only count them."""

from __future__ import annotations

from collections import defaultdict

from canasta_notation.cards import (
    BARE,
    BLACK_THREE,
    JOKER,
    JOKER_RANK,
    RANK,
    TEXT,
    TWO,
    UNKNOWN,
    is_wild,
)
from canasta_notation.engine.actions import Lay, Take
from canasta_notation.engine.state import MeldState, State
from canasta_notation.notation.document import Turn
from canasta_notation.replay.end_lines import meld_rank

#: The cards of a side's melds, meld by meld.
Melds = tuple[tuple[int, ...], ...]
_RED = "hd"
_BLACK = "sc"


class LaidCards:
    """The cards that the sides have laid in a deal so far, by side and rank."""

    def __init__(self, sides: tuple[str, ...]) -> None:
        self._sides = sides
        self._laid: dict[tuple[int, int], list[int]] = defaultdict(list)

    def play(self, turn: Turn, before: State) -> None:
        """Add what a turn laid; `before` is the table before it."""
        name = next(name for name in self._sides if turn.seat in name)
        side = self._sides.index(name)
        for action in turn.actions:
            if isinstance(action, Lay):
                self.lay(name, action)
            elif isinstance(action, Take):
                top = before.pile[-1] if before.pile else action.card
                self._laid[side, RANK[top]].append(top)

    def lay(self, side: str, group: Lay) -> None:
        """Add a group that a side of the game laid; a group of another side is left out."""
        if side in self._sides:
            self._laid[self._sides.index(side), meld_rank(group.rank)] += group.cards

    def melds(self, state: State) -> tuple[Melds, ...]:
        """Return the cards of every meld of a state.

        If the laid cards do not add up to a meld, it is spelled by its ranks alone.
        """
        return tuple(
            tuple(self._cards(at, meld) for meld in side.melds)
            for at, side in enumerate(state.sides)
        )

    def _cards(self, side: int, meld: MeldState) -> tuple[int, ...]:
        laid = self._laid[side, meld.rank]
        return _ordered(meld, laid if _counts(laid) == _expected(meld) else spelled(meld))


def _counts(cards: list[int]) -> tuple[int, int, int, int]:
    """Return how many of the cards are natural, twos, jokers, unknown."""
    twos = sum(RANK[card] == TWO for card in cards)
    jokers, unknown = cards.count(JOKER), cards.count(UNKNOWN)
    return len(cards) - twos - jokers - unknown, twos, jokers, unknown


def _expected(meld: MeldState) -> tuple[int, int, int, int]:
    return meld.naturals, meld.twos, meld.jokers, meld.unknown


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
