"""Findings for programs: the JSON document of `canasta validate`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from canasta_notation.findings import Finding, worst
from canasta_notation.report.outcome import CheckedFile


def findings_json(files: Iterable[CheckedFile]) -> dict[str, Any]:
    """Return the document that schemas/findings.schema.json describes."""
    listed = [_file(file) for file in files]
    verdict = worst([file["verdict"] for file in listed])
    return {"verdict": verdict, "files": listed}


def _file(file: CheckedFile) -> dict[str, Any]:
    findings = file.findings
    return {
        "file": file.name,
        "verdict": file.verdict,
        "games": [
            {
                "game": game.game,
                "rules": game.rules,
                "verdict": game.verdict,
                "deals": game.deals,
                "turns": game.turns,
            }
            for game in file.games
        ],
        "findings": [finding_json(finding, findings) for finding in findings],
        "undetermined": [
            {
                "game": game.game,
                "deal": deal,
                "turn": doubt.turn,
                "line": doubt.line,
                "code": doubt.code,
            }
            for game in file.games
            for deal, doubt in game.doubts
        ],
        "unchecked": [
            {"game": game.game, "deal": deal, "line": line}
            for game in file.games
            for deal, line in game.unchecked
        ],
    }


def finding_json(finding: Finding, among: list[Finding]) -> dict[str, Any]:
    """Return a finding for JSON; a consequence has the index of its cause in `among`."""
    rule = finding.rule
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
        "rule": rule
        and {
            "key": rule.key,
            "value": rule.value,
            "mark": rule.mark,
            "source": rule.source,
        },
        "help": finding.help,
        "acknowledged": finding.acknowledged,
        "consequence_of": _place(finding.follows, among),
    }


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
