"""A deal replayed: its turns and penalties, its end, its claims."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest

from canasta_notation.engine.actions import Draw, Take
from canasta_notation.engine.deal_end import claim_concealed, end_deal, end_unclaimed, penalize
from canasta_notation.engine.state import snapshot
from canasta_notation.engine.table import Violation
from canasta_notation.engine.turn import begin_turn, perform
from canasta_notation.engine.turn_end import end_turn, judge_open_claim
from canasta_notation.engine.violations import lose, violate
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import (
    Deal,
    PenaltyLine,
    Turn,
)
from canasta_notation.replay.claims import Claimant
from canasta_notation.replay.deal_setup import DealSetup
from canasta_notation.replay.end_table import (
    Boards,
    Located,
    end_table,
    judge_end_table,
    note_melds,
)
from canasta_notation.replay.final_table import FinalTable
from canasta_notation.replay.game_report import DealReport, Doubt
from canasta_notation.replay.locate import Context, line_number
from canasta_notation.replay.order import Due
from canasta_notation.search.able import stock_over


class DealReplay(DealSetup):
    """One deal being replayed: its lines in order, then its claims.

    The claimant is the game's: its totals grow from deal to deal.
    """

    def __init__(self, context: Context, claimant: Claimant, at: int, deal: Deal, due: Due) -> None:
        super().__init__(context, at, deal, due, claimant.totals)
        self.claimant = claimant
        #: The cards of each side's melds, kept if lines of the table at the end name them.
        self.boards: Boards = [{} for _ in self.rules.sides]
        claimant.begin(self)

    def report(self) -> DealReport:
        """Replay the deal and return its report."""
        self.claimant.judge_after_game(self)
        readable = self._setup()
        if self.final:
            self.play = self.final.table
        if self.context.observer:
            self.context.observer(self.at, self.play, -1, -1)
        if readable and not (self.sheet or self.final):
            self._replay_play()
        elif readable:
            self._replay_penalties()
        ended = self._end()
        if self.play.knowable and self.unchecked_from is None and not self.final:
            flawless = not self._is_wrong()
            shown = judge_end_table(self.play, self.deal, self.boards, flawless=flawless)
            self._find_all(shown)
        scored = ended and self.play.knowable and self.unchecked_from is None
        if not self.final and self._is_lost():
            scored = self._fall_back()
        self.turn = None
        sides = self.claimant.deal(self, scored)
        play = self.play
        by = self.rules.seats[play.ended_by] if play.ended_by >= 0 else None
        return DealReport(
            self.at + 1,
            self.deal.span.line,
            play.ended or None,
            by if play.ended in ("out", "special") else None,
            self.deal.turns,
            tuple(sides),
            tuple(self.findings),
            tuple(self.doubts),
            self.unchecked_from,
            self.sheet,
            self.final is not None and not self.deal.turns,
            snapshot(play) if self.final and self.deal.turns else None,
        )

    def _is_lost(self) -> bool:
        """Return whether the play could not be followed to its end, although nothing is wrong."""
        return self.unchecked_from is not None and not (self._is_wrong() or self.deal.unread)

    def _is_wrong(self) -> bool:
        """Return whether anything is wrong with the deal so far."""
        return any(finding.severity == "error" for finding in self.findings)

    def _fall_back(self) -> bool:
        """Score a deal of which the play was lost by the table at its end, if that was written."""
        if not end_table(self.deal):
            return False
        self.final = FinalTable(self.rules, self.dealer, self.claimant.totals, self.deal)
        self.final.table.penalties = self.play.penalties[:]
        self.play = self.final.table
        for line in self.deal.play:
            if isinstance(line, PenaltyLine) and line.span.line >= (self.unchecked_from or 0):
                self._penalty(line)
        self._find_all(self.final.found)
        return self.final.knowable and bool(self.final.table.ended)

    def _find_all(self, located: Iterable[Located]) -> None:
        """Report what is wrong with lines, each at its place."""
        for violation, span in located:
            self.play.violations.append(violation)
            self._settle_line(span)

    def _replay_play(self) -> None:
        for at, line in enumerate(self.deal.play):
            if self._unread(line_number(line)):
                return
            if isinstance(line, PenaltyLine):
                self._penalty(line)
            else:
                self._replay_turn(line, at)
        self._unread(self._end_line())

    def _replay_penalties(self) -> None:
        for line in self.deal.play:
            if isinstance(line, PenaltyLine):
                self._penalty(line)

    def _penalty(self, line: PenaltyLine) -> None:
        if line.side not in self.rules.sides:
            self.find("score", "side", line.span, "players", name=line.side)
            return
        penalize(self.play, self.rules.sides.index(line.side), line.points, line.word)
        self._settle_line(line.span)

    def _replay_turn(self, turn: Turn, at: int) -> None:
        play = self.play
        self.turn = play.turns + 1
        if turn.seat not in self.rules.seats:
            span = Span(turn.line, *turn.seat_at)
            self.find("wrong-seat", "none", span, "players", name=turn.seat)
            lose(play)
            return
        before = len(self.findings)
        seat, due = self.rules.seats.index(turn.seat), play.due
        self.seat = seat
        if begin_turn(play, seat):
            self._play_actions(turn, at)
        if play.took:
            self.causes.take_pile(seat)
        if self.deal.melds and play.knowable:
            note_melds(self.boards, play, turn)
        if play.violations or play.doubts or turn.acknowledged:
            self._settle_turn(turn, doubled=bool(at) and turn == self.deal.play[at - 1])
        row = self.misplaced
        self._note_order(self._out_of_turn(before), seat - due)
        self._judge_turn_number(turn, seat - due, self.misplaced or row)
        self.turn = None

    def _play_actions(self, turn: Turn, at: int) -> None:
        """Let the actions of a turn that has begun happen, and end it."""
        play = self.play
        if not turn.actions or not isinstance(turn.actions[0], (Draw, Take)):
            violate(play, "draw-missing", "missing")
        for index, action in enumerate(turn.actions):
            perform(play, action, at=index)
            if not play.knowable:
                break
            if self.context.observer and index + 1 < len(turn.actions):
                self.context.observer(self.at, play, at, index)
        end_turn(play, turn.out)
        if self.context.observer and play.knowable:
            self.context.observer(self.at, play, at, len(turn.actions) - 1)
        if turn.open is not None and play.knowable:
            judge_open_claim(play, turn.open)

    def _out_of_turn(self, before: int) -> Finding | None:
        """Return the first mistake of a row of turns out of turn if the last turn is in one."""
        for finding in self.findings[before:]:
            if finding.code == "wrong-seat" and not finding.acknowledged:
                return finding.follows or finding
        return None

    def _note_order(self, misplaced: Finding | None, skipped: int) -> None:
        """Note whether the turn was in a row of turns out of turn, and how far from its place."""
        if misplaced:
            goes_on = misplaced in (self.misplaced, self.interrupted)
            self.displaced = (self.displaced if goes_on else 0) + skipped
        self.interrupted = None if misplaced else self.misplaced
        self.misplaced = misplaced

    def _judge_turn_number(self, turn: Turn, skipped: int, row: Finding | None) -> None:
        """Judge the claimed number; `skipped` is how far the seat is from the one that was due.

        Numbers that go on from a false one are its consequences; one that is as far off as the
        seat has the cause of the `row` of turns out of turn.
        """
        shift = turn.number - self.play.turns if turn.number is not None else self.shift
        if shift and turn.number is not None:
            span = Span(turn.line, *turn.number_at)
            due = self.play.turns
            finding = self.find("turn-number", "other", span, number=turn.number, due=due)
            if "turn-number" in turn.acknowledged:
                self.findings[-1] = replace(finding, severity="note", acknowledged=True)
            else:
                if shift == self.shift:
                    cause = self.misnumbered
                else:
                    off = (shift - self.shift - skipped) % self.rules.players
                    cause = None if off else row
                self.findings[-1] = replace(finding, follows=cause)
                self.misnumbered = cause or finding
        self.shift = shift

    def _settle_turn(self, turn: Turn, *, doubled: bool) -> None:
        """Locate what a turn caused; one that is `doubled` is the same as the turn before it."""
        play = self.play
        happened = {violation.code for violation in play.violations}
        happened |= {code for code, _ in play.doubts}
        if turn.number is not None and turn.number != play.turns:
            happened.add("turn-number")
        self.doubts += [Doubt(code, self.turn, turn.line) for code, _ in play.doubts]
        play.doubts.clear()
        self._settle(lambda violation: _place(turn, violation), turn.acknowledged, doubled=doubled)
        for code, place in zip_longest(turn.acknowledged, turn.acknowledged_at):
            if code not in happened:
                self._false_acknowledgement(code, Span(turn.line, *(place or turn.seat_at)))

    def _end(self) -> bool:
        """Judge how the deal ended; return whether it can be scored."""
        end = self.deal.end
        self.turn = None
        if self.sheet:
            if end is not None and end.reason == "unfinished":
                self._judge_missing_end(noted=False)
            return False
        if self.final:
            return self._end_final(self.final)
        if self.unchecked_from is not None or not self.play.knowable:
            self.unchecked_from = self.unchecked_from or self._end_line()
            return False
        if end is not None:
            seat = self.rules.seats.find(end.seat) if end.seat else -1
            scored = end_deal(self.play, end.reason, seat, stock_over(self.play))
            if end.concealed and self.play.ended_by == seat:
                claim_concealed(self.play)
            self._settle_line(end.span)
            if end.reason == "unfinished" and not scored:
                self._judge_missing_end(noted=False)
            return scored
        ended = end_unclaimed(self.play, stock_over(self.play))
        self._settle_line(self.deal.span)
        if not ended:
            self._judge_missing_end(noted=True)
        return ended

    def _end_final(self, final: FinalTable) -> bool:
        """Report what is wrong with a table without play; return whether it can be scored."""
        self._find_all(final.found)
        end = self.deal.end
        if end is None or end.reason == "unfinished":
            self._judge_missing_end(noted=False)
        if self._unread(self._end_line()):
            return False
        if not final.knowable:
            self.unchecked_from = self._end_line()
        return final.knowable and bool(final.table.ended)

    def _judge_missing_end(self, *, noted: bool) -> None:
        """Report a deal that the play did not end, or note that it is unfinished."""
        follows = ""
        if end_table(self.deal) and self.deal.end is None:
            follows = "the table at the end"
        elif self.deal.scores or self.deal.total:
            follows = "a score" if self.deal.scores else "a total"
        elif self.at + 1 < len(self.context.game.deals):
            follows = "a later deal"
        if follows:
            self.find("end-missing", "open", self.deal.span, what=follows)
        elif noted:
            finding = self.find("unfinished", "open", self.deal.span)
            self.findings[-1] = replace(finding, severity="note")


def _place(turn: Turn, violation: Violation) -> Span:
    """Return the place in a turn's line that a violation concerns."""
    if 0 <= violation.action < len(turn.actions_at):
        return Span(turn.line, *turn.actions_at[violation.action])
    match violation.code:
        case "wrong-seat" | "after-end" | "draw-missing":
            return Span(turn.line, *turn.seat_at)
        case "out-claim":
            return Span(turn.line, *turn.out_at)
        case "opening-claim":
            return Span(turn.line, *turn.open_at)
    last = turn.actions_at[-1] if turn.actions_at else turn.seat_at
    return Span(turn.line, turn.seat_at[0], last[1])
