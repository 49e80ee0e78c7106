"""A player in the form for other packages: its turn is a table and the actions of the turn.

A player never changes the table that it is given. Its choices depend only on what the seat that is
due, or whose turn it is, can see.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from canasta_notation.dealing import draw_due, table_late
from canasta_notation.engine.actions import Action, Draw
from canasta_notation.engine.table import OPEN, Table, copy_table
from canasta_notation.engine.turn import begin_turn, end_turn

#: The table after a turn, and the actions of the turn.
AfterTurn = tuple[Table, list[Action]]


@dataclass(frozen=True, slots=True)
class Player:
    """A player by its choices, each a function of a table.

    `take` returns a turn that takes the pile, or None to draw (or to leave the pile, if the stock
    is empty); the turn must not have begun, except by tabling threes. `keeps` says before the draw
    whether the player keeps a three that it draws, if it may. `rest` returns the rest of a turn
    that has begun with the draw. `answers` is what a seat answers if its partner asks whether to go
    out.
    """

    name: str
    take: Callable[[Table], AfterTurn | None]
    keeps: Callable[[Table], bool]
    rest: Callable[[Table], AfterTurn]
    answers: Callable[[Table, int], bool]

    def turn(self, table: Table) -> AfterTurn | None:
        """Return a whole turn of the seat that is due; None if the empty stock ends the deal.

        The stock of the table must be written.
        """
        begun = copy_table(table)
        late = table_late(begun)
        first: list[Action] = [] if late is None else [late]
        if begun.ended != OPEN:
            end_turn(begun, "")
            return begun, first
        if begun.last_three:
            after, actions = self.rest(begun)
            return after, [*first, *actions]
        taken = self.take(begun)
        if taken is not None:
            return taken[0], [*first, *taken[1]]
        if begun.stock_most == 0:
            if not first:
                return None
            end_turn(begun, "")
            return begun, first
        keeps = self.keeps(begun)
        begin_turn(begun, begun.due)
        drawn = Draw(tuple(draw_due(begun, keeps)))
        after, actions = self.rest(begun)
        return after, [*first, drawn, *actions]
