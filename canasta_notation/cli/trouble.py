"""What ends a command with exit code 2: usage, or a file that cannot be read or written."""

from __future__ import annotations


class Trouble(Exception):
    """Something that a person can put right; the message is one line and names the file."""


def because(name: str, error: OSError) -> Trouble:
    """Return the trouble with a file that the system refused."""
    reason = error.strerror or type(error).__name__
    return Trouble(f"{name}: {reason[:1].lower()}{reason[1:]}")
