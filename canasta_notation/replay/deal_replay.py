"""One deal being replayed: what is known about it, and its findings with their causes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, replace
from itertools import zip_longest
from operator import attrgetter
from typing import Any

from canasta_notation.engine.table import Table, Violation, copy_table
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import Deal, Game, HandLine, PenaltyLine, Turn, UpLine
from canasta_notation.replay.causes import Causes
from canasta_notation.replay.end_lines import FinalTable
from canasta_notation.replay.game_report import Doubt
from canasta_notation.replay.header import explain_stranger
from canasta_notation.replay.laid import nothing_laid
from canasta_notation.replay.totals import GameTotals
from canasta_notation.rules import codes, entry

#: Called after the setup lines, each action and each penalty with the deal's place (from 0), the
#: table, the line's place in the deal's play (-1 after the setup), and the action's place in its
#: turn (-1 if the line is not a turn).
Observer = Callable[[int, Table, int, int], None]


def find_gap_fillers(game: Game) -> frozenset[int]:
    """Return the places (from 0) of the deals with a number that the deals before skipped."""
    gaps, known, highest = set(), {0}, 0
    for at, deal in enumerate(game.deals):
        if deal.number < highest and deal.number not in known:
            gaps.add(at)
        known.add(deal.number)
        highest = max(highest, deal.number)
    return frozenset(gaps)


@dataclass(slots=True)
class ReplayBudget:
    """What may still be tried in a game: slips, and turns, to find unwritten discards."""

    slips: int = 600
    turns: int = 3_000


@dataclass(frozen=True, slots=True)
class Context:
    """What the deals of a game share."""

    game: Game
    observer: Observer | None
    #: The places (from 0) of the deals with a number that the deals before skipped.
    gap_fillers: frozenset[int]
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
    play: Table
    #: Everything that the play depends on except the rules and the deal's own lines.
    begun: tuple[object, ...]

    def __init__(self, context: Context, standing: GameTotals, at: int, deal: Deal) -> None:
        self.context = context
        #: The game's standing, which grows from deal to deal.
        self.standing = standing
        self.rules = standing.rules
        self.at = at
        self.deal = deal
        self.due = standing.due
        self.sheet = _is_sheet(deal, followed=self.followed)
        self.findings: list[Finding] = []
        self.doubts: list[Doubt] = []
        self.causes = Causes(self.rules)
        self.unchecked_from: int | None = None
        self.first_unread = min(deal.unread, default=None)
        #: The number of the turn being replayed, and the seat that played last.
        self.turn: int | None = None
        self.seat = 0
        #: How far the deal's number is from its place.
        self.number_shift = self.due.shift
        #: The false number that shows that deals before this one are missing or misplaced.
        self.jump: Finding | None = None
        #: The first of the series of false numbers that this deal's number ends or continues.
        self.false_number: Finding | None = self.due.false_number
        self.false_dealer: Finding | None = None
        #: The first of a series of turns out of turn, and of a series of false numbers.
        self.misplaced: Finding | None = None
        self.misnumbered: Finding | None = None
        #: The first turn of the last series out of turn, if a turn in the right place has just
        #: followed it.
        self.interrupted: Finding | None = None
        #: How many seats the turns of that series were off, added up.
        self.displaced = 0
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

    def copy(self) -> DealReplay:
        """Return a copy that shares no mutable state."""
        other = copy(self)
        other.standing = self.standing.copy()
        other.play = copy_table(self.play)
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


# --- findings -----------------------------------------------------------------------------------


def find(
    replay: DealReplay,
    code: str,
    message: str,
    span: Span,
    key: str = "",
    *,
    follows: Finding | None = None,
    acknowledged: bool = False,
    **facts: object,
) -> Finding:
    """Report a finding of this deal at a place; return it.

    If its cause is not said by `follows`, it is looked up.
    """
    profile = replay.rules.profile
    finding = entry(code).finding(
        message, facts, span, profile, key, game=replay.standing.game, deal=replay.at + 1,
        turn=replay.turn, acknowledged=acknowledged,
        follows=follows or _cause(replay, code, message, facts),
    )  # fmt: skip
    if key == "players" and "name" in facts:
        strangers, game = replay.standing.strangers, replay.context.game
        finding = explain_stranger(finding, str(facts["name"]), game, profile, strangers)
    replay.findings.append(finding)
    return finding


def link(replay: DealReplay, slip: str, explained: Iterable[Finding]) -> None:
    """Make findings that a slip explains follow from the first of them; `slip` becomes its help."""
    first: Finding | None = None
    for each in explained:
        linked = replace(each, follows=first) if first else replace(each, help=slip)
        replay.findings[replay.findings.index(each)] = linked
        first = first or linked


def _cause(replay: DealReplay, code: str, message: str, facts: dict[str, Any]) -> Finding | None:
    """Return the earlier finding that is taken to be the cause of a new one, or None."""
    if replay.false_dealer and (code == "stock-order" or (code, replay.turn) == ("wrong-seat", 1)):
        return replay.false_dealer.follows or replay.false_dealer
    if code == "opening-low" and "count" in facts:
        side = replay.rules.side_of[replay.seat]
        false = replay.standing.misled(side, facts["count"])
        if false is not None:
            return false.follows or false
    began = replay.due.began
    next_seat = (replay.due.other + 1) % replay.rules.players
    if began and (code, replay.turn, facts.get("seat")) == ("wrong-seat", 1, next_seat):
        # The seat that begins follows the one that began the last deal out of turn.
        return began.follows or began
    if code == "wrong-seat":
        # If two players exchange their turns, the second one restores the order.
        skipped = facts.get("seat", 0) - facts.get("seat_due", 0)
        restored = (replay.displaced + skipped) % replay.rules.players == 0
        return replay.misplaced or (replay.interrupted if restored else None)
    return replay.causes.of(code, message, replay.seat, facts)


def settle(
    replay: DealReplay,
    line: int,
    place: Callable[[Violation], Span],
    acknowledged: tuple[str, ...],
    message_of: Callable[[Violation], str] = attrgetter("message"),
) -> None:
    """Turn the engine's violations and doubts, all about one line, into findings and doubts."""
    play = replay.play
    causes = []
    for violation in play.violations:
        code, message = violation.code, message_of(violation)
        facts: dict[str, Any] = violation.facts
        known = code in acknowledged
        span = place(violation)
        finding = find(replay, code, message, span, violation.key, acknowledged=known, **facts)
        # If only the dealer is wrong, play goes on in order.
        began = code == "wrong-seat" and finding.follows is replay.false_dealer is not None
        if not known and not began:
            replay.causes.add(finding, message, replay.seat, facts, later=False)
            causes.append((finding, message, facts))
    play.violations.clear()
    for finding, message, facts in causes:
        replay.causes.add(finding, message, replay.seat, facts, later=True)
    replay.doubts += [Doubt(code, replay.turn, line) for code, _ in play.doubts]
    play.doubts.clear()


def settle_line(replay: DealReplay, span: Span, acknowledged: tuple[str, ...] = ()) -> None:
    """Turn the violations and doubts of one line, not a turn, into findings at its place."""
    if replay.play.violations or replay.play.doubts:
        settle(replay, span.line, lambda violation: span, acknowledged)


def is_unchecked(replay: DealReplay, line: int) -> bool:
    """Return whether this line is not checked; note the first line of which that is true."""
    if replay.unchecked_from is not None:
        return True
    if not replay.play.knowable:
        replay.unchecked_from = line
    elif replay.first_unread is not None and replay.first_unread < line:
        replay.unchecked_from = replay.first_unread
    return replay.unchecked_from is not None


def find_false_acknowledgements(
    replay: DealReplay, line: Turn | HandLine | UpLine, happened: set[str], span: Span
) -> None:
    """Report the acknowledgements of a line, which is at `span`, of what did not happen there."""
    for code, place in zip_longest(line.acknowledged, line.acknowledged_at):
        if code not in happened:
            message = "nothing" if code in codes() else "unknown"
            find(replay, "ack-claim", message, Span(span.line, *(place or span[1:])), named=code)


def end_line(replay: DealReplay) -> int:
    """Return the number of the first line after the deal's play, or of where it would be."""
    deal = replay.deal
    ended = (deal.end, *deal.end_lines, *deal.scores, deal.total)
    after = [line.span.line for line in ended if line]
    if after:
        return min(after)
    return line_number(deal.play[-1]) + 1 if deal.play else deal.span.line + 1


def line_number(line: Turn | PenaltyLine) -> int:
    """Return the number of the line of a turn or a penalty."""
    return line.line if isinstance(line, Turn) else line.span.line
