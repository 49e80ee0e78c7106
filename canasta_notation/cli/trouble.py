"""What ends a command with exit code 2: usage, or a file that cannot be read or written."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from canasta_notation.replay.header import Header


class Trouble(Exception):
    """Something that a person can put right; the message is one line and names the file."""


def unread_rules(name: str, header: Header) -> Trouble:
    """Return the trouble with a game whose rules cannot be read: what was found in its tag."""
    found = header.rules_problem
    return Trouble(f"{name}:{found.span.line}: {found.message}")


def because(name: str, error: OSError) -> Trouble:
    """Return the trouble with a file that the system refused."""
    reason = error.strerror or type(error).__name__
    return Trouble(f"{name}: {reason[:1].lower()}{reason[1:]}")
