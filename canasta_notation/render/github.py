"""Findings as workflow commands for GitHub Actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from canasta_notation.findings import Finding
from canasta_notation.render.paint import escape

_GITHUB: Final = {"error": "error", "warning": "warning", "note": "notice"}


def github_lines(file: str, findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a workflow command for each finding in a file."""
    for finding in findings:
        place = finding.span
        fields = {
            "file": file,
            "line": place.line,
            "col": place.column,
            "endColumn": place.end_column,
            "title": finding.code,
        }
        written = ",".join(f"{name}={_property(str(value))}" for name, value in fields.items())
        yield f"::{_GITHUB[finding.severity]} {written}::{_data(finding.message)}"


def github_trouble(message: str, file: str = "") -> str:
    """Return a workflow command for a file that cannot be read; `file` is "" if none was found."""
    field = f" file={_property(file)}" if file else ""
    return f"::error{field}::{_data(message)}"


def _data(text: str) -> str:
    return escape(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
