"""The progress of a deal, noted turn by turn: takes, the opening, canastas."""

from __future__ import annotations

from canasta_notation.cards import CANASTA_SIZE, NO_RANKS, RANKS, UNKNOWN_RANK
from canasta_notation.counts import i64, vec
from canasta_notation.engine.side import touched
from canasta_notation.engine.table import Table


class Progress:
    """A deal's takes and first opening, and when each side's melds began and became canastas.

    Turns count from 1. `opening_turn` is 0 while no side has opened; `began` and `became` map
    (side, rank) to the turn of a meld's first cards and the turn that made it a canasta. Melds are
    compared as they are on the table, because `touched` omits those with nothing to judge.
    """

    def __init__(self) -> None:
        self.takes: i64 = 0
        self.opening_turn: i64 = 0
        self.began: dict[tuple[int, int], int] = {}
        self.became: dict[tuple[int, int], int] = {}
        #: By side, how many cards each of its melds had after its last turn.
        self.sizes: dict[int, vec[i64]] = {}

    def note_turn(self, play: Table) -> list[int]:
        """Note the turn that has just ended; return the ranks of the melds that grew.

        Ranks that the turn's end judged come first, in the order in which they were laid.
        """
        if not play.laid and not play.took:
            return []
        side: int = play.rules.side_of[play.seat]
        if play.took:
            self.takes += 1
        if touched(play) and not play.opened_before and not self.opening_turn:
            self.opening_turn = play.turns
        before = self.sizes.setdefault(side, NO_RANKS[:])
        after = play.meld_sizes[side * RANKS : side * RANKS + RANKS]
        grown: list[int] = []
        for rank in (*touched(play), *range(UNKNOWN_RANK)):
            if after[rank] == before[rank]:
                continue
            grown.append(rank)
            if not before[rank]:
                self.began[side, rank] = play.turns
            if after[rank] >= CANASTA_SIZE > before[rank]:
                self.became[side, rank] = play.turns
            before[rank] = after[rank]
        return grown

    def completed(self, side: int, turn: int) -> int:
        """Return how many canastas of a side a turn made."""
        return sum(at == turn for (of, _), at in self.became.items() if of == side)
