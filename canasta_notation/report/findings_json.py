"""A finding for programs, as schemas/findings.schema.json describes it."""

from __future__ import annotations

from typing import Any

from canasta_notation.findings import Finding, RuleRef


def finding_json(finding: Finding, among: list[Finding]) -> dict[str, Any]:
    """Return a finding for JSON; a consequence has the index of its cause in `among`."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "game": finding.game,
        "deal": finding.deal,
        "turn": finding.turn,
        "line": finding.span.line,
        "column": finding.span.column,
        "end_column": finding.span.end_column,
        "message": finding.message,
        "rule": rule_json(finding.rule),
        "help": finding.help,
        "acknowledged": finding.acknowledged,
        "consequence_of": _place(finding.follows, among),
    }


def rule_json(rule: RuleRef | None) -> dict[str, Any] | None:
    """Return, for JSON, the rule that a finding rests on; None for None."""
    if rule is None:
        return None
    return {"key": rule.key, "value": rule.value, "mark": rule.mark, "source": rule.source}


def _place(cause: Finding | None, among: list[Finding]) -> int | None:
    """Return the index of a finding's cause, or of the copy that replaced it."""
    if cause is None:
        return None
    for same in (
        lambda each: each is cause,
        lambda each: each == cause,
        lambda each: (each.code, each.span) == (cause.code, cause.span),
    ):
        for at, each in enumerate(among):
            if same(each):
                return at
    return None
