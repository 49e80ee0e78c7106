"""The findings and doubts of a deal: only this module writes them.

A check in the engine records a violation on the table: a code, the name of a message, and facts.
`report_violations` turns it into a finding, with its place, its words (from `rules/findings/`) and
the earlier finding that caused it (`causes`). For what the engine does not check, such as claims,
the modules of this package call `report`, or `leave_open` if the record does not decide the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from canasta_notation.engine.table import Violation
from canasta_notation.english import listed
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import HandLine, Turn, UpLine
from canasta_notation.replay.deal_state import DealReplay
from canasta_notation.replay.game_report import Doubt
from canasta_notation.rules import codes, entry


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

    `message` is the name of a message of the code, which `facts` fill; `key` is the key of the rule
    that it is about. `follows` is its cause; without it, the cause is looked up. `help_text`
    replaces the help of the catalogue.
    """
    profile = replay.rules.profile
    finding = entry(code).finding(
        message, facts, span, profile, key, game=replay.so_far.game, deal=replay.at + 1,
        turn=replay.turn, acknowledged=acknowledged,
        follows=follows or _cause(replay, code, message, facts),
    )  # fmt: skip
    if help_text:
        finding = replace(finding, help=help_text)
    replay.findings.append(finding)
    return finding


def report_side(replay: DealReplay, code: str, span: Span, name: str) -> None:
    """Report a line for a side, named `name`, that the game does not have."""
    known = listed(replay.rules.sides, "or")
    report(replay, code, "side", span, "players", name=name, known=known)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings of a deal in their order: violations, then false claims, each by line."""
    return tuple(sorted(findings, key=lambda each: (entry(each.code).claim, each.span.line)))


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
    """Turn what the engine has recorded about one line into findings and doubts.

    `place` says where in the line each violation is; a code among the `acknowledged` becomes a
    note.
    """
    table = replay.table
    affecting = []
    for violation in table.violations:
        code, message = violation.code, violation.message
        facts: dict[str, Any] = violation.facts
        noted = code in acknowledged
        span = place(violation)
        finding = report(
            replay, code, message, span, violation.key, acknowledged=noted, help_text=help_text,
            **facts,
        )  # fmt: skip
        # If only the dealer is wrong, play continues in order.
        began = code == "wrong-seat" and finding.follows is replay.false_dealer is not None
        if not noted and not began:
            replay.causes.add(finding, message, replay.seat, facts, later=False)
            affecting.append((finding, message, facts))
    table.violations.clear()
    for finding, message, facts in affecting:
        replay.causes.add(finding, message, replay.seat, facts, later=True)
    replay.doubts += [Doubt(code, replay.turn, line) for code, _ in table.doubts]
    table.doubts.clear()


def report_line(
    replay: DealReplay,
    span: Span,
    acknowledged: tuple[str, ...] = (),
    help_text: str | None = None,
) -> None:
    """Turn what the engine recorded about a line that is not a turn into findings and doubts."""
    if replay.table.violations or replay.table.doubts:
        report_violations(replay, span.line, lambda violation: span, acknowledged, help_text)


def report_false_acknowledgements(
    replay: DealReplay, line: Turn | HandLine | UpLine, happened: set[str], span: Span
) -> None:
    """Report the acknowledgements of a line, at `span`, of something that did not happen there."""
    for code, place in zip_longest(line.acknowledged, line.acknowledged_at):
        if code not in happened:
            message = "nothing" if code in codes() else "unknown"
            report(replay, "ack-claim", message, Span(span.line, *(place or span[1:])), named=code)
