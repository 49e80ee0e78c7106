"""Findings of a deal: the words and the place of what the engine objects to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate, zip_longest
from typing import Any, NamedTuple

from canasta_notation.engine.amounts import ScoreEntry
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.scoring import score_side
from canasta_notation.engine.table import Table, Violation
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import (
    Deal,
    Game,
    HandLine,
    PenaltyLine,
    Place,
    Turn,
    UpLine,
)
from canasta_notation.replay.causes import Causes, Thing
from canasta_notation.replay.end_table import end_table
from canasta_notation.replay.final_table import FinalTable
from canasta_notation.replay.game_report import Doubt
from canasta_notation.replay.wording import words
from canasta_notation.rules import Profile, codes

#: Called after the setup lines and after each action: the deal's place from 0, the table, the
#: line's place in the deal's play (-1 for the setup), the action's place in its turn.
Observer = Callable[[int, Table, int, int], None]


class DealNumbers(NamedTuple):
    """The numbers of a game's deals: the first deal with each, and the highest before each deal."""

    first: Mapping[int, int]
    highest: tuple[int, ...]


def deal_numbers(game: Game) -> DealNumbers:
    """Return the numbers that the deal lines of a game claim."""
    numbers = [deal.number for deal in game.deals]
    first = {number: at for at, number in reversed([*enumerate(numbers)])}
    return DealNumbers(first, tuple(accumulate(numbers, max, initial=0)))


@dataclass(frozen=True, slots=True)
class Context:
    """What the deals of a game have in common."""

    game: Game
    number: int
    profile: Profile
    rules: Rules
    observer: Observer | None
    numbers: DealNumbers
    #: What the tags put in doubt, each thing with the finding that does.
    doubted: tuple[tuple[Thing, Finding], ...] = ()


class Locating:
    """A deal being replayed, and what has been found in it."""

    #: The table at which the deal is replayed.
    play: Table

    def __init__(self, context: Context, at: int, deal: Deal) -> None:
        self.context = context
        self.profile = context.profile
        self.rules = context.rules
        self.at = at
        self.deal = deal
        self.findings: list[Finding] = []
        self.doubts: list[Doubt] = []
        self.unchecked_from: int | None = None
        self.first_unread = min(deal.unread, default=None)
        self.turn: int | None = None
        #: The seat that played last.
        self.seat = 0
        self.causes = Causes(context.rules, context.doubted)
        #: The first of a row of turns out of turn, and of a row of false numbers.
        self.misplaced: Finding | None = None
        #: The first of a row that one turn in its place has followed, and how far from the seat due
        #: the turns of the last row were in all.
        self.interrupted: Finding | None = None
        self.displaced = 0
        self.misnumbered: Finding | None = None
        self.false_dealer: Finding | None = None
        self.shift = 0
        #: The table of a deal of which only that at its end was written.
        self.final: FinalTable | None = None
        self.sheet = _is_sheet(deal)

    def find(self, code: str, message: str, span: Span, key: str = "", **facts: object) -> Finding:
        """Report a finding of this deal at a place; return it."""
        text, label, help_text = words(
            code, message, facts, self.rules.seats, self.profile.side_names
        )
        finding = Finding(
            code,
            "error",
            text,
            span,
            self.context.number,
            self.at + 1,
            self.turn,
            label,
            self.profile.ref(key) if key else None,
            help_text,
            follows=self._cause(code, message, facts),
        )
        self.findings.append(finding)
        return finding

    def _cause(self, code: str, message: str, facts: dict[str, object]) -> Finding | None:
        """Return the finding that one of this code, here, is taken to be a consequence of."""
        if self.false_dealer and (code == "stock-order" or (code, self.turn) == ("wrong-seat", 1)):
            return self.false_dealer.follows or self.false_dealer
        if code == "wrong-seat":
            return self.misplaced or (self.interrupted if self._restores_order(facts) else None)
        return self.causes.of(code, message, self.seat, facts)

    def _restores_order(self, facts: Mapping[str, Any]) -> bool:
        """Return whether a turn out of turn undoes what the last row of them did to the order.

        Of two players who exchanged their turns, the first wrongly played twice, then the other.
        """
        skipped: int = facts.get("seat", 0) - facts.get("seat_due", 0)
        return (self.displaced + skipped) % self.rules.players == 0

    def _settle(
        self,
        place: Callable[[Violation], Span],
        acknowledged: tuple[str, ...],
        *,
        doubled: bool = False,
    ) -> None:
        """Turn the engine's violations and doubts since the last call into findings.

        Of a turn out of turn that is `doubled` it is said that the one before it is the same.
        """
        play = self.play
        causes = []
        for violation in play.violations:
            code, message, facts = violation.code, violation.message, violation.facts
            if doubled and code == "wrong-seat":
                message = "twice"
            finding = self.find(code, message, place(violation), violation.key, **facts)
            if code in acknowledged:
                self.findings[-1] = replace(finding, severity="note", acknowledged=True)
                continue
            if code == "penalty":
                self.findings[-1] = replace(finding, severity="warning", follows=None)
            self.causes.add(self.findings[-1], message, self.seat, facts)
            causes.append((self.findings[-1], message, facts))
        play.violations.clear()
        for finding, message, facts in causes:
            self.causes.add_later(finding, message, self.seat, facts)

    def _settle_line(self, span: Span, acknowledged: tuple[str, ...] = ()) -> None:
        """Locate what one line other than a turn caused."""
        play = self.play
        if play.violations:
            self._settle(lambda violation: span, acknowledged)
        if play.doubts:
            self.doubts += [Doubt(code, self.turn, span.line) for code, _ in play.doubts]
            play.doubts.clear()

    def _unread(self, line: int) -> bool:
        """Return whether the deal is not checked from this line on; note where that began."""
        if self.unchecked_from is not None:
            return True
        if not self.play.knowable:
            self.unchecked_from = line
        elif self.first_unread is not None and self.first_unread < line:
            self.unchecked_from = self.first_unread
        return self.unchecked_from is not None

    def _false_acknowledgement(self, code: str, span: Span) -> None:
        self.find("ack-claim", "nothing" if code in codes() else "unknown", span, named=code)

    def _judge_acknowledged(self, line: HandLine | UpLine) -> None:
        """Report acknowledgements of a line before play that name nothing that happened there."""
        at = line.span.line
        happened = {finding.code for finding in self.findings if finding.span.line == at}
        happened |= {doubt.code for doubt in self.doubts if doubt.line == at}
        for code, place in zip_longest(line.acknowledged, line.acknowledged_at):
            if code not in happened:
                self._false_acknowledgement(code, Span(at, *(place or line.span[1:])))

    def _end_line(self) -> int:
        """Return the first line after the deal's play, or where it would be."""
        deal = self.deal
        ended = (deal.end, *end_table(deal), *deal.scores, deal.total)
        after = [line.span.line for line in ended if line]
        if after:
            return min(after)
        return line_number(deal.play[-1]) + 1 if deal.play else deal.span.line + 1

    def entries(self, at: int) -> list[ScoreEntry]:
        """Return the entries of a side's score."""
        return self.final.entries(at) if self.final else score_side(self.play, at)

    def is_open(self) -> bool:
        """Return whether the deal was replayed to its last line and has not ended."""
        return self.unchecked_from is None and not self.sheet and not self.play.ended

    def _span(self, place: Place) -> Span:
        return Span(self.deal.span.line, *place)


def _is_sheet(deal: Deal) -> bool:
    """Return whether a deal is a score sheet: scores, and no play that is written or missing.

    Cards that were dealt, with nothing to say how the deal ended, are a deal whose play is missing.
    """
    if deal.turns or end_table(deal) or not (deal.scores or deal.total):
        return False
    dealt = deal.hands or deal.up or deal.stock
    return not dealt or deal.end is not None


def line_number(line: Turn | PenaltyLine) -> int:
    """Return the line of a turn or a penalty."""
    return line.line if isinstance(line, Turn) else line.span.line
