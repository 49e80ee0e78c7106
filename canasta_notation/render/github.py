"""Findings as workflow commands for GitHub Actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from canasta_notation.render.paint import escape
from canasta_notation.report.outcome import CheckedFile

_GITHUB: Final = {"error": "error", "warning": "warning", "note": "notice"}


def github_lines(file: CheckedFile) -> Iterator[str]:
    """Yield a workflow command for each finding of a file."""
    for finding in file.findings:
        place = finding.span
        fields = {
            "file": file.name,
            "line": place.line,
            "col": place.column,
            "endColumn": place.end_column,
            "title": finding.code,
        }
        written = ",".join(f"{name}={_property(str(value))}" for name, value in fields.items())
        yield f"::{_GITHUB[finding.severity]} {written}::{_data(finding.message)}"


def _data(text: str) -> str:
    return escape(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
