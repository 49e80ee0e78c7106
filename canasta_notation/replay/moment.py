"""The moments of a replay, which observers are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from canasta_notation.engine.table import Table
from canasta_notation.notation.document import Ruling, Turn


class Moment(NamedTuple):
    """A moment of a replay: the cards have been dealt, or a line or action was played.

    `deal` is the index of the deal. `line` is the turn or the penalty, None as dealt; `place` is
    its index in the deal's play, -1 as dealt. `action` is the index of the action in its turn, -1
    without an action. The table is the replay's own, so it changes after the moment.
    """

    deal: int
    table: Table
    line: Turn | Ruling | None = None
    place: int = -1
    action: int = -1

    @property
    def ended_turn(self) -> Turn | None:
        """The turn that has ended at this moment."""
        line = self.line
        return line if isinstance(line, Turn) and self.action == len(line.actions) - 1 else None

    @property
    def is_within_turn(self) -> bool:
        """Whether actions of the turn are still to come."""
        return isinstance(self.line, Turn) and self.action < len(self.line.actions) - 1


#: Called for each moment of a replay.
Observer = Callable[[Moment], None]
