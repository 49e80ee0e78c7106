"""The steps of a replay: after the deal and after each action, the table and the legal plays.

The table at the start of a deal is kept; a later one is made from it when it is asked for. The
legal plays in a position are found by replaying the record up to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from canasta_notation.engine.deal import end_unclaimed, penalize
from canasta_notation.engine.state import State, snapshot
from canasta_notation.engine.table import NO, STOCK, YES, Table, copy_table
from canasta_notation.engine.turn import begin_turn, end_turn, perform
from canasta_notation.fields import check_numbers
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Game, PenaltyLine, Turn
from canasta_notation.quoting import quoted
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import GameReport
from canasta_notation.rules import Profile
from canasta_notation.search.able import stock_over
from canasta_notation.search.found import LegalPlays
from canasta_notation.search.legal import legal_continuations, legal_starts

_START: Final = (-1, -1)


class Positions:
    """The tables of one replayed deal, by the line of its play and the action.

    Both count from 0, and are -1 at the deal's start. A table is made from the one asked for last
    if that is earlier in the deal, so asking for all of them in order costs one more replay. Not
    checked: that the line and the action were replayed.
    """

    __slots__ = ("_lines", "_place", "_start", "_state", "_table", "end")

    def __init__(self, start: Table, lines: tuple[Turn | PenaltyLine, ...]) -> None:
        self._start = copy_table(start)
        self._lines = lines
        self._table: Table | None = None
        self._place = _START
        self._state: State | None = None
        #: After which action the empty stock ended the deal, according to its report.
        self.end: tuple[int, int] | None = None

    def state(self, line: int, action: int) -> State:
        """Return the state after an action of a line; after the last action, the turn has ended."""
        place = line, action
        if self._table is None or place < self._place:
            self._table, self._place, self._state = copy_table(self._start), _START, None
        while self._place < place:
            self._advance(self._table)
        if self._state is None:
            self._state = snapshot(self._table)
        return self._state

    def _advance(self, table: Table) -> None:
        """Play the next action or penalty."""
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
        if self._place == self.end and stock_over(table) != NO:
            end_unclaimed(table, YES, True)


class Step(NamedTuple):
    """One step: `deal` and `turn` count from 1, `action` from 0.

    Before a deal's first turn `turn` is 0 and `action` is -1. The state is that after the action;
    at a turn's last step, the turn has ended. `findings` are those of the turn, at its last step.
    `plays` is what could be done next, if `walk` was asked for it.
    """

    deal: int
    turn: int
    action: int
    line: Turn | None
    last: bool
    #: The positions of the deal, and the line's place in its play, from which the state is made.
    #: A copied step has its state in `shown` and no positions.
    positions: Positions | None
    place: int
    findings: tuple[Finding, ...] = ()
    plays: LegalPlays | None = None
    #: What is shown instead of the state if not all of it may be seen.
    shown: State | None = None

    @property
    def state(self) -> State:
        """The state of the table."""
        if self.shown is not None:
            return self.shown
        assert self.positions is not None
        return self.positions.state(self.place, self.action)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle the step with its state, without the rest of the deal."""
        return Step, tuple(self._replace(positions=None, shown=self.state))


def walk(
    game: Game,
    *,
    number: int = 1,
    deal: int | None = None,
    override: Profile | None = None,
    plays: bool = False,
) -> tuple[tuple[Step, ...], GameReport]:
    """Return the steps of a game, or of one deal of it (from 1), and the report of the whole.

    With `plays`, each step has the legal plays of its state, which takes some milliseconds per
    step. A deal has steps up to the first line that could not be checked.
    """
    steps: list[Step] = []
    positions: dict[int, Positions] = {}

    def observe(at: int, play: Table, line: int, action: int) -> None:
        if deal is not None and at + 1 != deal:
            return
        if line < 0:
            positions[at] = Positions(play, game.deals[at].play)
        legal = None
        if plays:
            over = is_turn_over(game, at, line, action)
            legal = legal_starts(play) if over else legal_continuations(play)
        row = game.deals[at].play[line] if line >= 0 else None
        turn = row if isinstance(row, Turn) else None
        steps.append(
            Step(at + 1, play.turns, action, turn, False, positions[at], line, plays=legal)
        )

    report = replay_game(game, number, override=override, observer=observe)
    for step in steps:  # the last step of a deal counts
        judged = report.deals[step.deal - 1]
        if judged.ended == STOCK and judged.unchecked_from is None:
            positions[step.deal - 1].end = step.place, step.action
    return tuple(_with_findings(steps, report)), report


def _with_findings(steps: list[Step], report: GameReport) -> Iterator[Step]:
    """Yield the steps; the last one of a turn has the findings of the turn."""
    found: dict[tuple[int, int | None], list[Finding]] = {}
    for deal in report.deals:
        for finding in deal.findings:
            found.setdefault((deal.deal, finding.turn), []).append(finding)
    for step, after in zip_longest(steps, steps[1:]):
        last = after is None or (after.deal, after.place) != (step.deal, step.place)
        findings = found.get((step.deal, step.turn), ()) if last and step.line is not None else ()
        yield step._replace(last=last, findings=tuple(findings))


# --- the legal plays in a position ---------------------------------------------------------------


def legal_plays(
    game: Game, deal: int, turn: int, actions: int = 0, *, override: Profile | None = None
) -> LegalPlays:
    """Return what the seat due could do in a turn after its first `actions` recorded actions.

    `deal` and `turn` count from 1; the turn after a deal's last one is the turn due next. With
    `actions` 0, the plays are the draw and the ways to take the pile. After the recorded draw or
    take (1), they are the groups, the discards and the ways to go out. `override` replaces the
    record's rules. Cards are codes; `canasta_notation.format_cards` spells them.

    Raises LookupError if the record has no such position, or what precedes it cannot be replayed;
    TypeError for an argument that is not a Game or a number. Not checked: whether what precedes the
    position was legal.
    """
    if not isinstance(game, Game):
        raise TypeError(f"a Game is needed, as read() yields it, not {quoted(game)}")
    check_numbers(deal=deal, turn=turn, actions=actions)
    tables = find_tables(game, deal, turn, override=override)
    if not 0 <= actions < len(tables):
        raise LookupError(f"no position after {actions} actions of turn {turn} in deal {deal}")
    table = tables[actions]
    return legal_continuations(table) if actions else legal_starts(table)


def find_tables(
    game: Game, deal: int, turn: int, *, number: int = 1, override: Profile | None = None
) -> list[Table]:
    """Return the tables of a turn: before it, and after each of its actions that leaves it open.

    Empty if there is no such turn, or what precedes it cannot be replayed.
    """
    tables: list[Table] = []

    def observe(at: int, play: Table, line: int, action: int) -> None:
        if at + 1 == deal and play.turns == turn - 1 and is_turn_over(game, at, line, action):
            tables[:] = [copy_table(play)]

    replay_game(game, number, override=override, observer=observe)
    if not tables:
        return []
    written = game.deals[deal - 1]
    rows = [line for line in written.play if isinstance(line, Turn)]
    for row in rows[turn - 1 : turn]:
        if min(written.unread, default=row.line) >= row.line:
            tables += _play_turn(tables[0], row)
    return tables


def _play_turn(table: Table, turn: Turn) -> Iterator[Table]:
    """Yield the tables after the actions of a turn, up to the one that ends it."""
    copy = copy_table(table)
    if turn.seat not in copy.rules.seats or not begin_turn(copy, copy.rules.seats.index(turn.seat)):
        return
    for at, action in enumerate(turn.actions):
        perform(copy, action, at=at)
        if not copy.knowable or copy.discarded >= 0 or copy.hand_sizes[copy.seat] == 0:
            return
        yield copy_table(copy)


def is_turn_over(game: Game, at: int, line: int, action: int) -> bool:
    """Return whether a step of a replay (see `Observer`) is between two turns."""
    row = game.deals[at].play[line] if line >= 0 else None
    return not isinstance(row, Turn) or action == len(row.actions) - 1
