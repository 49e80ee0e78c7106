"""A deal being replayed, and its findings: nothing else writes a finding of a deal.

A check in the engine records a violation on the table: a code, the name of a message, and facts.
`report_violations` makes a finding of it, with its place, its words (from `rules/findings/`) and
the earlier finding that caused it (`causes`). What the engine does not check, such as claims, the
modules here report with `report`; if the record does not decide a claim, they call `leave_open`.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from canasta_notation.engine.table import Table, Violation, copy_table
from canasta_notation.english import listed
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import Deal, Game, HandLine, PenaltyLine, Turn, UpLine
from canasta_notation.replay.causes import Causes
from canasta_notation.replay.end_lines import FinalTable
from canasta_notation.replay.game_report import Doubt
from canasta_notation.replay.meld_cards import nothing_laid
from canasta_notation.replay.totals import GameTotals
from canasta_notation.rules import codes, entry

#: Called after the setup lines, each action and each penalty with the deal's place (from 0), the
#: table, the line's place in the deal's play (-1 after the setup), and the action's place in its
#: turn (-1 if the line is not a turn).
Observer = Callable[[int, Table, int, int], None]


@dataclass(slots=True)
class ReplayBudget:
    """How many turns may still be tried in a game, to find unwritten discards."""

    turns: int = 3_000


@dataclass(frozen=True, slots=True)
class Context:
    """What the deals of a game share."""

    game: Game
    observer: Observer | None
    budget: ReplayBudget


class DealReplay:
    """The state of one deal's replay, on which the functions here and in other modules work."""

    #: The deal's dealer: a seat, or -1 if it is not known.
    dealer: int
    #: The deal with the up cards and hands that its stock line says.
    dealt: Deal
    #: Whether the stock line can be followed card by card.
    stocked: bool
    #: The table at which the deal is replayed.
    table: Table
    #: Everything that the play depends on except the rules and the deal's own lines.
    begun: tuple[object, ...]

    def __init__(self, context: Context, standing: GameTotals, at: int, deal: Deal) -> None:
        self.context = context
        #: The game's standing, which grows from deal to deal.
        self.standing = standing
        self.rules = standing.rules
        self.at = at
        self.deal = deal
        self.sheet = _is_sheet(deal, followed=self.followed)
        self.findings: list[Finding] = []
        self.doubts: list[Doubt] = []
        self.causes = Causes(self.rules)
        self.unchecked_from: int | None = None
        self.first_unread = min(deal.unread, default=None)
        #: The number of the turn being replayed, and the seat that played last.
        self.turn: int | None = None
        self.seat = 0
        #: The finding for a dealer who was not due.
        self.false_dealer: Finding | None = None
        #: The first of a row of turns out of turn, which ends with the turn replayed last.
        self.misplaced: Finding | None = None
        #: How far the last turn's number was from its place.
        self.shift = 0
        #: The cards of each side's melds, kept if the deal has `melds` lines.
        self.laid = nothing_laid(len(self.rules.sides))
        #: The table of a deal that is recorded only by the table at its end.
        self.final: FinalTable | None = None

    @property
    def followed(self) -> bool:
        """Whether another deal follows."""
        return self.at + 1 < len(self.context.game.deals)

    @property
    def end_line(self) -> int:
        """The number of the first line after the deal's play, or of where it would be."""
        deal = self.deal
        ended = (deal.end, *deal.end_lines, *deal.scores, deal.total)
        after = [line.span.line for line in ended if line]
        if after:
            return min(after)
        return line_number(deal.play[-1]) + 1 if deal.play else deal.span.line + 1

    def is_unchecked(self, line: int) -> bool:
        """Return whether a line is not checked; note the first line of which that is true."""
        if self.unchecked_from is not None:
            return True
        if not self.table.knowable:
            self.unchecked_from = line
        elif self.first_unread is not None and self.first_unread < line:
            self.unchecked_from = self.first_unread
        return self.unchecked_from is not None

    @property
    def is_wrong(self) -> bool:
        """Whether anything is wrong with the deal so far."""
        return any(finding.severity == "error" for finding in self.findings)

    def copy(self) -> DealReplay:
        """Return a copy that shares no mutable state."""
        other = copy(self)
        other.standing = self.standing.copy()
        other.table = copy_table(self.table)
        other.findings = self.findings[:]
        other.doubts = self.doubts[:]
        other.causes = self.causes.copy()
        return other


def _is_sheet(deal: Deal, *, followed: bool) -> bool:
    """Return whether a deal is a score sheet: it has no turns and no table at its end.

    It has scores, totals or an end line, or it is `followed` by another deal. If cards were dealt,
    it needs the end line; without it, the play is missing. A deal without scores may have been
    broken off before its first turn.
    """
    if deal.turns or deal.end_lines:
        return False
    scored, end = bool(deal.scores or deal.total), deal.end
    if deal.hands or deal.up or deal.stock:
        return end is not None and (scored or end.reason != "unfinished")
    return scored or end is not None or (followed and not deal.unread)


# --- findings -------------------------------------------------------------------------------------


def report(
    replay: DealReplay,
    code: str,
    message: str,
    span: Span,
    key: str = "",
    *,
    follows: Finding | None = None,
    acknowledged: bool = False,
    help_text: str | None = None,
    **facts: object,
) -> Finding:
    """Add a finding to those of the deal, and return it.

    `message` is the name of a message of the code, which `facts` fill; `key` is the rule on which
    it rests. If its cause is not said by `follows`, it is looked up. `help_text` is said instead of
    the help in the catalogue.
    """
    profile = replay.rules.profile
    finding = entry(code).finding(
        message, facts, span, profile, key, game=replay.standing.game, deal=replay.at + 1,
        turn=replay.turn, acknowledged=acknowledged,
        follows=follows or _cause(replay, code, message, facts),
    )  # fmt: skip
    if help_text:
        finding = replace(finding, help=help_text)
    replay.findings.append(finding)
    return finding


def report_side(replay: DealReplay, code: str, span: Span, name: str) -> None:
    """Report a line for a side that the game does not have, whose `name` it gives."""
    known = listed(replay.rules.sides, "or")
    report(replay, code, "side", span, "players", name=name, known=known)


def leave_open(replay: DealReplay, code: str, span: Span) -> None:
    """Note that the record does not decide a check, so that the deal is undetermined."""
    replay.doubts.append(Doubt(code, replay.turn, span.line))


def _cause(replay: DealReplay, code: str, message: str, facts: dict[str, Any]) -> Finding | None:
    """Return the earlier finding that is taken to be the cause of a new one, or None."""
    first_turn = code == "wrong-seat" and replay.turn == 1
    if replay.false_dealer and (first_turn or code == "stock-order"):
        return replay.false_dealer
    if code == "wrong-seat":
        return replay.misplaced
    return replay.causes.of(code, message, replay.seat, facts)


def report_violations(
    replay: DealReplay,
    line: int,
    place: Callable[[Violation], Span],
    acknowledged: tuple[str, ...],
    help_text: str | None = None,
) -> None:
    """Make findings and doubts of what the engine has recorded about one line.

    `place` says where in the line each violation is; a code among the `acknowledged` is only noted.
    """
    table = replay.table
    causes = []
    for violation in table.violations:
        code, message = violation.code, violation.message
        facts: dict[str, Any] = violation.facts
        known = code in acknowledged
        span = place(violation)
        finding = report(
            replay, code, message, span, violation.key, acknowledged=known, help_text=help_text,
            **facts,
        )  # fmt: skip
        # If only the dealer is wrong, play goes on in order.
        began = code == "wrong-seat" and finding.follows is replay.false_dealer is not None
        if not known and not began:
            replay.causes.add(finding, message, replay.seat, facts, later=False)
            causes.append((finding, message, facts))
    table.violations.clear()
    for finding, message, facts in causes:
        replay.causes.add(finding, message, replay.seat, facts, later=True)
    replay.doubts += [Doubt(code, replay.turn, line) for code, _ in table.doubts]
    table.doubts.clear()


def report_line(
    replay: DealReplay,
    span: Span,
    acknowledged: tuple[str, ...] = (),
    help_text: str | None = None,
) -> None:
    """Make findings and doubts of what the engine has recorded about a line that is not a turn."""
    if replay.table.violations or replay.table.doubts:
        report_violations(replay, span.line, lambda violation: span, acknowledged, help_text)


def report_false_acknowledgements(
    replay: DealReplay, line: Turn | HandLine | UpLine, happened: set[str], span: Span
) -> None:
    """Report the acknowledgements of a line, which is at `span`, of what did not happen there."""
    for code, place in zip_longest(line.acknowledged, line.acknowledged_at):
        if code not in happened:
            message = "nothing" if code in codes() else "unknown"
            report(replay, "ack-claim", message, Span(span.line, *(place or span[1:])), named=code)


def line_number(line: Turn | PenaltyLine) -> int:
    """Return the number of the line of a turn or a penalty."""
    return line.line if isinstance(line, Turn) else line.span.line
