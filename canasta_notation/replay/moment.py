"""The moments of a replay, which observers are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from canasta_notation.engine.table import Table
from canasta_notation.notation.document import Ruling, Turn


class Moment(NamedTuple):
    """A moment of a replay: the cards have been dealt, or a line or action was played.

    `deal` counts from 1. `line` is the turn or the penalty, and `place` is its index in the deal's
    play; both are None as dealt. `action` is the index of the action in its turn, None without one.
    The table is the replay's own, so it changes after the moment.
    """

    deal: int
    table: Table
    line: Turn | Ruling | None = None
    place: int | None = None
    action: int | None = None

    @property
    def ended_turn(self) -> Turn | None:
        """The turn that has ended at this moment."""
        return self.line if isinstance(self.line, Turn) and not self.is_within_turn else None

    @property
    def is_within_turn(self) -> bool:
        """Whether actions of the turn are still to come."""
        line, action = self.line, self.action
        return isinstance(line, Turn) and action is not None and action < len(line.actions) - 1


#: Called for each moment of a replay.
Observer = Callable[[Moment], None]
