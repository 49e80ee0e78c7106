"""The player `rollout`: it plays out each of its candidates to the end of the deal, and chooses.

It plays what `careful` plays, unless another play is clearly better in play-outs with the hidden
cards dealt anew. It sees only what its seat sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

from canasta_notation.engine.actions import Action
from canasta_notation.engine.table import OPEN, YES, Table, copy_table
from canasta_notation.engine.turn import begin_turn, perform
from canasta_notation.players.candidates import candidates
from canasta_notation.players.figures import Figures, eager
from canasta_notation.players.hidden import Hidden, hidden_from, stream_of
from canasta_notation.players.playouts import DRAW, TAKE, Outcomes, compared, finish, play_outs
from canasta_notation.players.seat_turn import play_on, take_pile
from canasta_notation.search.able import able_to_take

#: How often each candidate is played out.
SAMPLES: Final = 100
#: How many standard errors better than that of `careful` another play must be.
BEYOND: Final = 2


class RolloutPlayer:
    """The choices of `rollout` by the figures of `careful`; `seed` decides its samples."""

    def __init__(self, figures: Figures, seed: str) -> None:
        self.figures = figures
        self.seed = seed
        self._eager = eager(figures)

    def take(self, table: Table) -> tuple[Table, list[Action]] | None:
        """Return a turn that takes the pile, None to draw; the turn must not have begun."""
        actions: list[Action] = []
        taken = take_pile(copy_table(table), self._eager, actions)
        if taken is None:
            return None
        careful = take_pile(copy_table(table), self.figures) is not None
        seat = table.due
        hidden = hidden_from(table, seat)
        if table.stock_most > 0 and able_to_take(table, seat) == YES:
            stream = self._stream(table, "draw")
            ways = (TAKE, DRAW) if careful else (DRAW, TAKE)
            outs = [play_outs(table, self.figures, hidden, stream, 0, SAMPLES, way) for way in ways]
            careful = ways[_best(outs, table.rules.side_of[seat])] == TAKE
        return self._taken(table, taken, actions, hidden) if careful else None

    def _taken(
        self, table: Table, taken: Table, actions: list[Action], hidden: Hidden
    ) -> tuple[Table, list[Action]]:
        """Return a turn that takes the pile, with another rest if that is better."""
        base = copy_table(table)
        begin_turn(base, base.due)
        for at, action in enumerate(actions[:-1], 1):
            perform(base, action)
            if not base.waiting:
                after, rest = self._rest(base, actions[at:], hidden)
                return (taken, actions) if after is None else (after, [*actions[:at], *rest])
        return taken, actions

    def rest(self, table: Table) -> tuple[Table, list[Action]]:
        """Return the rest of a turn that has begun with the draw."""
        actions: list[Action] = []
        careful = play_on(copy_table(table), self.figures, actions)
        # What everyone knows is noted only between turns, so `careful` continues a turn with plays.
        if table.ended != OPEN or table.laid or table.took:
            return careful, actions
        after, rest = self._rest(table, actions, hidden_from(table, table.seat))
        return (careful, actions) if after is None else (after, rest)

    def _rest(
        self, base: Table, careful: Sequence[Action], hidden: Hidden
    ) -> tuple[Table | None, list[Action]]:
        """Return a rest of the turn that is better than that of `careful`, None if none is."""
        found = candidates(base, self.figures, careful)
        if len(found) < 2:
            return None, []
        stream = self._stream(base, "turn")
        outs = [
            play_outs(each.table, self.figures, hidden, stream, 0, SAMPLES, each.how)
            for each in found
        ]
        best = _best(outs, base.side)
        return (None, []) if best == 0 else _finished(base, self.figures, found[best].actions)

    def _stream(self, table: Table, decision: str) -> int:
        """Return the stream of a decision: it depends on what everyone sees."""
        return stream_of(self.seed, *table.totals, table.dealer, table.turn, decision)


def _best(outs: Sequence[Outcomes], side: int) -> int:
    """Return the play that is best for a side among those clearly better than the first, or 0."""
    best, most = 0, 0.0
    for at in range(1, len(outs)):
        count, total, squares = compared(outs[at], outs[0], side, -1)
        spread = (squares - total * total / count) / (count - 1)
        if total / count > max(most, BEYOND * sqrt(spread / count)):
            best, most = at, total / count
    return best


def _finished(
    base: Table, figures: Figures, actions: Sequence[Action]
) -> tuple[Table, list[Action]]:
    """Return the table after a rest of a turn, and its actions from the packet that is due on."""
    play, done = copy_table(base), [*actions]
    for action in actions:
        perform(play, action)
    return finish(play, figures, done), done
