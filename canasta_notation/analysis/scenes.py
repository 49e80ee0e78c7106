"""The turns of a deal as they were played, each with its tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from canasta_notation.engine.actions import Action, Draw, TakeBack, TakePacket
from canasta_notation.engine.table import Table, copy_table
from canasta_notation.engine.turn import awaits_draw
from canasta_notation.notation.document import Deal, Game, Turn
from canasta_notation.players.hidden import as_seen
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import GameReport
from canasta_notation.replay.header import read_header
from canasta_notation.replay.moment import Moment
from canasta_notation.rules import Profile


@dataclass(slots=True)
class Scene:
    """A turn: the table before it, after each of its actions but the last, and after it.

    Threes that the turn tables first are already tabled in the first table.
    """

    turn: int
    row: Turn
    before: Table
    steps: list[Table]
    after: Table

    @property
    def begun(self) -> int | None:
        """The index in `steps` of the table at which the rest of the turn begins, None without one.

        The draw, or the take and the melding of the top, are then over.
        """
        return next((at for at, step in enumerate(self.steps) if not step.waiting), None)

    def actions_from(self, at: int) -> tuple[Action, ...]:
        """Return the plays after the table at an index of `steps`, except cards taken back."""
        actions = self.row.actions[at - len(self.steps) :]
        return tuple(each for each in actions if not isinstance(each, TakeBack))

    @property
    def packet(self) -> int | None:
        """The index in `steps` of the table before a packet is taken, None without one."""
        steps = range(len(self.steps))
        return next((at for at in steps if isinstance(self._next(at), TakePacket)), None)

    def _next(self, at: int) -> Action:
        return self.row.actions[at - len(self.steps)]

    @property
    def drawn(self) -> tuple[int, ...]:
        """The cards drawn, with tabled threes."""
        first = self.row.begin()
        return first.cards if isinstance(first, Draw) else ()


class Watch:
    """The observer of a replay that keeps the turns of a deal up to the first error in its play."""

    #: The table when the draw or take is due.
    _before: Table

    def __init__(self, written: Deal) -> None:
        self.written = written
        self.start: Table | None = None
        self.scenes: list[Scene] = []
        self.sound = True
        self._steps: list[Table] = []

    def observe(self, moment: Moment) -> None:
        """Keep the table."""
        play, turn = moment.table, moment.ended_turn
        self.sound = self.sound and not play.violations
        after = copy_table(play)
        if moment.line is None:
            self.start = after
        if moment.is_within_turn and not awaits_draw(play):
            self._steps.append(after)
            return
        if turn:
            if self.sound:
                self.scenes.append(Scene(play.turn, turn, self._before, self._steps, after))
            self._steps = []
        self._before = after


@lru_cache(maxsize=1)
def replayed(
    game: Game, number: int, override: Profile | None
) -> tuple[list[Watch], GameReport, Profile]:
    """Replay a game, and keep the turns of all its deals."""
    watches = [Watch(written) for written in game.deals]

    def observe(moment: Moment) -> None:
        watches[moment.deal - 1].observe(moment)

    report = replay_game(game, number, rules=override, observer=observe)
    profile = read_header(game, number, override).profile
    assert profile is not None
    return watches, report, profile


def seen_by_seat(scene: Scene) -> Scene | None:
    """Return a turn as its seat could see it, None if even its own hand is not known."""
    seat = scene.after.seat
    tables = [scene.before, *scene.steps, scene.after]
    if all(table.knowledge is None for table in tables):
        return scene
    before = as_seen(tables[0], seat)
    if before is None:
        return None
    stock = before.stock_most - len(scene.drawn)
    seen = [as_seen(table, seat, stock) for table in tables[1:]]
    *steps, after = [each for each in seen if each] if all(seen) else [None]
    if after is None:
        return None
    return replace(scene, before=before, steps=[each for each in steps if each], after=after)
