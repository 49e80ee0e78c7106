"""Positions: the table at a deal's start is kept, and any later one made again of it when asked."""

from __future__ import annotations

from typing import Final

from canasta_notation.engine.deal_end import penalize
from canasta_notation.engine.state import State, snapshot
from canasta_notation.engine.table import Table, copy_table
from canasta_notation.engine.turn import begin_turn, perform
from canasta_notation.engine.turn_end import end_turn
from canasta_notation.notation.document import PenaltyLine, Turn

_START: Final = (-1, -1)


class Positions:
    """The tables of one deal that has been replayed, each by a line of its play and an action.

    Both count from 0, and are -1 for the deal's start. A table is made of the one that was made
    last if that is earlier: one after the other, all of them cost one replay more. Not
    checked: that the line and the action were replayed.
    """

    __slots__ = ("_lines", "_place", "_start", "_state", "_table")

    def __init__(self, start: Table, lines: tuple[Turn | PenaltyLine, ...]) -> None:
        self._start = copy_table(start)
        self._lines = lines
        self._table: Table | None = None
        self._place = _START
        self._state: State | None = None

    def state(self, line: int, action: int) -> State:
        """Return the state after an action of a line, with the turn's end after its last one."""
        place = line, action
        if self._table is None or place < self._place:
            self._table, self._place, self._state = copy_table(self._start), _START, None
        while self._place < place:
            self._advance(self._table)
        if self._state is None:
            self._state = snapshot(self._table)
        return self._state

    def _advance(self, table: Table) -> None:
        """Let the next action happen, or the next penalty."""
        at, action = self._place
        line = self._lines[at] if at >= 0 else None
        if not isinstance(line, Turn) or action + 1 >= len(line.actions):
            at, action = at + 1, -1
            line = self._lines[at]
            table.violations.clear()
            table.doubts.clear()
            if isinstance(line, Turn):
                begin_turn(table, table.rules.seats.index(line.seat))
        if isinstance(line, Turn):
            if line.actions:
                action += 1
                perform(table, line.actions[action], at=action)
            if action + 1 == len(line.actions):
                end_turn(table, line.out)
        elif line.side in table.rules.sides:
            penalize(table, table.rules.sides.index(line.side), line.points, line.word)
        self._place, self._state = (at, action), None
