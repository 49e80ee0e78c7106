"""Noting violations, and checks that the record cannot decide."""

from __future__ import annotations

from canasta_notation.engine.table import Table, Violation


def violate(table: Table, code: str, message: str, key: str = "", **facts: object) -> None:
    """Record a violation at the current action."""
    table.violations.append(Violation(code, message, key, table.at, facts))


def doubt(table: Table, code: str) -> None:
    """Record that a check needs a card that is not written."""
    table.doubts.append((code, table.at))


def lose(table: Table) -> None:
    """Record that from here on the state of the deal cannot be known."""
    table.knowable = False
