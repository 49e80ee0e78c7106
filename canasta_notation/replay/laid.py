"""The cards of each side's melds as they were laid; a table only counts them."""

from __future__ import annotations

from canasta_notation.cards import RANK, meld_rank
from canasta_notation.engine.actions import Action, Lay, Take
from canasta_notation.engine.table import Table
from canasta_notation.notation.document import Deal, Turn
from canasta_notation.rules import Profile

#: The known cards of a side's melds, by rank, and those of each side.
Board = dict[int, list[int]]
Boards = list[Board]


def add_group(board: Board, group: Lay) -> None:
    """Add the cards of a group to the melds of a side."""
    board.setdefault(meld_rank(group.rank), []).extend(group.cards)


def note_melds(boards: Boards, play: Table, turn: Turn) -> None:
    """Note the cards that a finished turn has put on the melds of its side."""
    board = boards[play.rules.side_of[play.seat]]
    for action in turn.actions:
        if isinstance(action, Lay):
            add_group(board, action)
    if play.took and play.top_melded:
        board.setdefault(RANK[play.top], []).append(play.top)


class LaidCards:
    """The cards that the sides have laid in a deal so far.

    Of a `deal` that is recorded only by the table at its end, they are the melds of that table.
    """

    def __init__(self, profile: Profile, deal: Deal | None = None) -> None:
        self._boards: Boards = [{} for _ in profile.side_names]
        for line, group in deal.final_groups if deal else ():
            if line.side in profile.side_names:
                self.note(profile.side_names.index(line.side), group)

    def note(self, side: int, action: Action, pile: tuple[int, ...] = ()) -> None:
        """Note what an action of a side lays; the top of a taken pile is laid too.

        `pile` is the pile before the action; without it, the top is the card that the action names.
        """
        if isinstance(action, Lay):
            add_group(self._boards[side], action)
        elif isinstance(action, Take):
            top = pile[-1] if pile else action.card
            self._boards[side].setdefault(RANK[top], []).append(top)

    def cards(self, side: int, rank: int) -> list[int]:
        """Return the cards that a side has laid to its meld of a rank, in the order laid."""
        return self._boards[side].get(rank, [])
