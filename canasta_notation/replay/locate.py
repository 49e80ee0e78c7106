"""Findings of a deal: the engine's violations with words, place and cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from canasta_notation.engine.table import Violation
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import PenaltyLine, Turn
from canasta_notation.replay.deal_replay import DealReplay
from canasta_notation.replay.end_lines import end_lines
from canasta_notation.replay.game_report import Doubt
from canasta_notation.rules import codes, entry


def find(
    replay: DealReplay, code: str, message: str, span: Span, key: str = "", **facts: object
) -> Finding:
    """Report a finding of this deal at a place; return it."""
    text, label, help_text = entry(code).sentences(
        message, facts, replay.rules.seats, replay.profile.side_names
    )
    finding = Finding(
        code,
        "error",
        text,
        span,
        replay.context.number,
        replay.at + 1,
        replay.turn,
        label,
        replay.profile.ref(key) if key else None,
        help_text,
        follows=_cause(replay, code, message, facts),
    )
    replay.findings.append(finding)
    return finding


def _cause(replay: DealReplay, code: str, message: str, facts: dict[str, object]) -> Finding | None:
    """Return the finding that is taken to be the cause of one with this code, here."""
    if replay.false_dealer and (code == "stock-order" or (code, replay.turn) == ("wrong-seat", 1)):
        return replay.false_dealer.follows or replay.false_dealer
    if code == "wrong-seat":
        return replay.misplaced or (replay.interrupted if _restores_order(replay, facts) else None)
    return replay.causes.of(code, message, replay.seat, facts)


def _restores_order(replay: DealReplay, facts: Mapping[str, Any]) -> bool:
    """Return whether a turn out of turn restores the order that the last series of them broke.

    If two players exchange their turns, first one of them wrongly plays twice, then the other.
    """
    skipped: int = facts.get("seat", 0) - facts.get("seat_due", 0)
    return (replay.displaced + skipped) % replay.rules.players == 0


def settle(
    replay: DealReplay,
    place: Callable[[Violation], Span],
    acknowledged: tuple[str, ...],
    *,
    doubled: bool = False,
) -> None:
    """Turn the engine's violations and doubts since the last call into findings.

    If a turn out of turn is `doubled`, the message says that it is the same as the one before it.
    """
    play = replay.play
    causes = []
    for violation in play.violations:
        code, message, facts = violation.code, violation.message, violation.facts
        if doubled and code == "wrong-seat":
            message = "twice"
        finding = find(replay, code, message, place(violation), violation.key, **facts)
        if code in acknowledged:
            replay.findings[-1] = replace(finding, severity="note", acknowledged=True)
            continue
        if code == "penalty":
            replay.findings[-1] = replace(finding, severity="warning", follows=None)
        replay.causes.add(replay.findings[-1], message, replay.seat, facts)
        causes.append((replay.findings[-1], message, facts))
    play.violations.clear()
    for finding, message, facts in causes:
        replay.causes.add_later(finding, message, replay.seat, facts)


def settle_line(replay: DealReplay, span: Span, acknowledged: tuple[str, ...] = ()) -> None:
    """Locate what one line other than a turn caused."""
    play = replay.play
    if play.violations:
        settle(replay, lambda violation: span, acknowledged)
    if play.doubts:
        replay.doubts += [Doubt(code, replay.turn, span.line) for code, _ in play.doubts]
        play.doubts.clear()


def is_unread(replay: DealReplay, line: int) -> bool:
    """Return whether the deal is unchecked from this line on; note the line where that began."""
    if replay.unchecked_from is not None:
        return True
    if not replay.play.knowable:
        replay.unchecked_from = line
    elif replay.first_unread is not None and replay.first_unread < line:
        replay.unchecked_from = replay.first_unread
    return replay.unchecked_from is not None


def find_false_acknowledgement(replay: DealReplay, code: str, span: Span) -> None:
    """Report an acknowledgement of something that did not happen there."""
    find(replay, "ack-claim", "nothing" if code in codes() else "unknown", span, named=code)


def end_line(replay: DealReplay) -> int:
    """Return the first line after the deal's play, or where it would be."""
    deal = replay.deal
    ended = (deal.end, *end_lines(deal), *deal.scores, deal.total)
    after = [line.span.line for line in ended if line]
    if after:
        return min(after)
    return line_number(deal.play[-1]) + 1 if deal.play else deal.span.line + 1


def line_number(line: Turn | PenaltyLine) -> int:
    """Return the line of a turn or a penalty."""
    return line.line if isinstance(line, Turn) else line.span.line
