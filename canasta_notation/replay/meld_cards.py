"""The cards of each side's melds as they were laid; a table only counts them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from canasta_notation.cards import RANK, meld_rank
from canasta_notation.engine.actions import Action, Lay, Take
from canasta_notation.engine.table import Table
from canasta_notation.notation.document import Deal

#: The known cards of a side's melds, by rank.
Board = Mapping[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class LaidCards:
    """The cards that the sides have laid in a deal so far; `boards` must not be changed.

    `top_due` says that the pile was taken and its top has not been melded yet.
    """

    boards: tuple[Board, ...]
    top_due: bool = False

    def after(self, table: Table, action: Action | None) -> LaidCards:
        """Return the cards after an action, or the end of a turn, that the table has just seen.

        The top of a taken pile is laid when the table melds it.
        """
        top_due = self.top_due or isinstance(action, Take)
        if not top_due and not isinstance(action, Lay):
            return self
        board = dict(self.boards[table.side])
        if top_due and table.took and table.top_melded:
            _add(board, RANK[table.top], (table.top,))
            top_due = False
        if isinstance(action, Lay):
            add_group(board, action)
        boards = (*self.boards[: table.side], board, *self.boards[table.side + 1 :])
        return replace(self, boards=boards, top_due=top_due)

    def after_turn(self, table: Table, actions: Iterable[Action]) -> LaidCards:
        """Return the cards after a turn that has just ended at the table."""
        laid = self
        for action in actions:
            laid = laid.after(table, action)
        return laid


def nothing_laid(sides: int) -> LaidCards:
    """Return the cards before the first turn of a deal."""
    return LaidCards(tuple({} for _ in range(sides)))


def laid_at_end(deal: Deal, sides: tuple[str, ...]) -> LaidCards:
    """Return the cards of a deal that is recorded only by the table at its end; else none."""
    boards: dict[str, dict[int, tuple[int, ...]]] = {side: {} for side in sides}
    for line, group in deal.final_groups:
        if line.side in boards:
            add_group(boards[line.side], group)
    return LaidCards(tuple(boards.values()))


def add_group(board: dict[int, tuple[int, ...]], group: Lay) -> None:
    """Add the cards of a group to the melds of a side."""
    _add(board, meld_rank(group.rank), group.cards)


def _add(board: dict[int, tuple[int, ...]], rank: int, cards: tuple[int, ...]) -> None:
    board[rank] = (*board.get(rank, ()), *cards)
