"""The progress of a deal, noted turn by turn: takes, the opening, canastas."""

from __future__ import annotations

from canasta_notation.arrays import zeros
from canasta_notation.cards import CANASTA_SIZE, RANK_LETTERS, RANKS, UNKNOWN_RANK
from canasta_notation.counts import i64, vec
from canasta_notation.engine.table import Table


class Progress:
    """A deal's takes and first opening, and when each side's melds began and became canastas.

    Turns count from 1. `opening_turn` is 0 while no side has opened. By side and rank, `began` and
    `became` have the turn of a meld's first cards and the turn that made it a canasta, or 0.
    `canastas` is how many canastas the turn noted last made, and `added` how many cards it put on
    melds, the pile's top included. Melds are compared as they are on the table, because the touched
    ones omit those with nothing to judge.
    """

    __slots__ = ("added", "became", "began", "canastas", "opening_turn", "sizes", "takes")

    def __init__(self, sides: i64) -> None:
        self.takes: i64 = 0
        self.opening_turn: i64 = 0
        self.canastas: i64 = 0
        self.added: i64 = 0
        self.began: vec[i64] = zeros(sides * RANKS)
        self.became: vec[i64] = zeros(sides * RANKS)
        #: By side and rank, how many cards each meld had after the turn noted last.
        self.sizes: vec[i64] = zeros(sides * RANKS)

    def note_turn(self, table: Table) -> str:
        """Note the turn that has just ended; return the letters of the melds that grew.

        Ranks that the turn's end judged come first, in the order in which they were laid.
        """
        self.canastas = self.added = 0
        grown = ""
        if not table.laid and not table.took:
            return grown
        if table.took:
            self.takes += 1
        if table.touches and not table.opened_before and not self.opening_turn:
            self.opening_turn = table.turns
        base = table.rules.side_of[table.seat] * RANKS
        for place in range(table.touches):
            grown += self._note_meld(table, base, table.touch_order[place])
        for rank in range(UNKNOWN_RANK):
            # Most melds have not grown, and asking here spares interpreted code the calls.
            if self.sizes[base + rank] != table.meld_sizes[base + rank]:
                grown += self._note_meld(table, base, rank)
        return grown

    def _note_meld(self, table: Table, base: i64, rank: i64) -> str:
        """Note a meld that grew in a turn; return its letter."""
        at = base + rank
        before, after = self.sizes[at], table.meld_sizes[at]
        if not before:
            self.began[at] = table.turns
        if after >= CANASTA_SIZE > before:
            self.became[at] = table.turns
            self.canastas += 1
        self.added += after - before
        self.sizes[at] = after
        return RANK_LETTERS[rank]
