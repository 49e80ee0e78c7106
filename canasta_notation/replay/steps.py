"""The steps of a replay: the table as dealt and after each action, and what was found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from canasta_notation.engine.deal import end_unclaimed
from canasta_notation.engine.state import Snapshots, State, snapshot
from canasta_notation.engine.table import NO, OPEN, STOCK, YES, Table, copy_table
from canasta_notation.engine.turn import begin_turn, perform
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Game, Ruling, Turn
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import GameReport
from canasta_notation.replay.meld_cards import LaidCards, laid_at_end
from canasta_notation.replay.moment import Moment, Observer
from canasta_notation.rules import Profile
from canasta_notation.search.able import stock_over


class Step(NamedTuple):
    """One step: its `deal`, `line`, `place` and `action` are those of its `Moment`.

    `turn` counts from 1. If the line is not a turn, it is the number of the turn before, 0 if there
    is none.

    The state is the one after the action; at a turn's last step, the turn has ended. The last step
    also has the `findings` of the turn.
    """

    deal: int
    turn: int
    action: int | None
    place: int | None
    line: Turn | Ruling | None
    last: bool
    state: State
    findings: tuple[Finding, ...] = ()


def walk(
    game: Game,
    *,
    number: int = 1,
    deal: int | None = None,
    rules: str | Profile | None = None,
    observer: Observer | None = None,
) -> tuple[tuple[Step, ...], GameReport]:
    """Return the steps of a game, or of one deal of it (from 1), and the report of the whole.

    `number` and `rules` are those of `replay_game`. A deal has steps up to the first line that
    could not be checked. `observer` is called for every deal.
    """
    watch = _StepsWatch(game, deal, observer)
    report = replay_game(game, number, rules=rules, observer=watch.observe)
    return tuple(_with_findings(watch.close(report), report)), report


class _StepsWatch:
    """The observer of a replay that keeps its steps."""

    def __init__(self, game: Game, deal: int | None, observer: Observer | None) -> None:
        self.game = game
        self.deal = deal
        self.observer = observer
        self.steps: list[Step] = []
        self.laid: LaidCards
        self.snapshots: Snapshots
        #: By deal, the place of its last step, and the table then if the stock was empty.
        self.last: dict[int, tuple[int, Table | None, LaidCards]] = {}

    def observe(self, moment: Moment) -> None:
        """Add a step."""
        if self.observer:
            self.observer(moment)
        deal, table, line, place, action = moment
        if self.deal is not None and self.deal != deal:
            return
        if line is None:
            self.snapshots = Snapshots()
            self.laid = laid_at_end(self.game.deals[deal - 1], table.rules.sides)
        elif isinstance(line, Turn) and action is not None:
            self.laid = self.laid.after(table, line.actions[action])
        state = self.snapshots.take(table, self.laid.boards)
        empty = line is not None and table.stock_fewest == 0 and table.ended == OPEN
        self.last[deal] = len(self.steps), copy_table(table) if empty else None, self.laid
        self.steps.append(Step(deal, table.turn, action, place, line, False, state))

    def close(self, report: GameReport) -> list[Step]:
        """Return the steps; the last one of a deal that the empty stock ended shows its end."""
        for deal, (place, table, laid) in self.last.items():
            judged = report.deals[deal - 1]
            over = judged.ended == STOCK and judged.unchecked_from is None
            if table is not None and over and stock_over(table) != NO:
                end_unclaimed(table, YES, True)
                state = snapshot(table, laid.boards)
                self.steps[place] = self.steps[place]._replace(state=state)
        return self.steps


def _with_findings(steps: list[Step], report: GameReport) -> Iterator[Step]:
    """Yield the steps; the last one of a turn has the findings of the turn."""
    found: dict[tuple[int, int | None], list[Finding]] = {}
    for deal in report.deals:
        for finding in deal.findings:
            found.setdefault((deal.deal, finding.turn), []).append(finding)
    for step, after in zip_longest(steps, steps[1:]):
        last = after is None or (after.deal, after.place) != (step.deal, step.place)
        if last:
            own = isinstance(step.line, Turn)
            findings = tuple(found.get((step.deal, step.turn), ())) if own else ()
            at = step.deal, step.turn, step.action, step.place
            step = Step(*at, step.line, True, step.state, findings)
        yield step


# --- the tables of a turn -------------------------------------------------------------------------


def find_tables(
    game: Game, deal: int, turn: int, *, number: int = 1, rules: str | Profile | None = None
) -> list[Table]:
    """Return the tables of a turn: before it, and after each action that does not end it.

    The list is empty if there is no such turn, or what precedes it cannot be replayed.
    """
    tables: list[Table] = []

    def observe(moment: Moment) -> None:
        before = moment.deal == deal and moment.table.turn == turn - 1
        if before and not moment.is_within_turn:
            tables[:] = [copy_table(moment.table)]

    replay_game(game, number, rules=rules, observer=observe)
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
