"""What the turns of a deal have brought, noted turn by turn: takes, the opening, canastas."""

from __future__ import annotations

from canasta_notation.cards import CANASTA_SIZE
from canasta_notation.counts import i64
from canasta_notation.engine.deal import DealPlay


class Progress:
    """A deal's takes and first opening, and when each side's melds began and became canastas.

    Turns count from 1. `opening_turn` is 0 while no side has opened; `began` and `became` map
    (side, rank) to the turn of a meld's first cards, and to that which made it a canasta.
    """

    def __init__(self) -> None:
        self.takes: i64 = 0
        self.opening_turn: i64 = 0
        self.began: dict[tuple[int, int], int] = {}
        self.became: dict[tuple[int, int], int] = {}

    def note_turn(self, play: DealPlay) -> i64:
        """Note the turn that has ended at the table; return how many canastas it completed."""
        side: int = play.rules.side_of[play.seat]
        canastas: i64 = 0
        if play.took:
            self.takes += 1
        if play.touched and not play.opened_before and not self.opening_turn:
            self.opening_turn = play.turns
        for rank in play.touched:
            meld = (side, rank)
            if meld not in self.began:
                self.began[meld] = play.turns
            if play.sides[side].sizes[rank] >= CANASTA_SIZE and meld not in self.became:
                self.became[meld] = play.turns
                canastas += 1
        return canastas
