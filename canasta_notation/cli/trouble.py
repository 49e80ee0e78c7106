"""What ends a command early: usage, a file that cannot be read or written, unknown rules."""

from __future__ import annotations


class Trouble(Exception):
    """Something that a person can put right; the message is one line and names the file."""


class Unruled(Trouble):
    """A game whose rules cannot be known from its record: a finding, so the exit code is 1."""


def because(name: str, error: OSError) -> Trouble:
    """Return the trouble with a file that the system refused."""
    reason = error.strerror or type(error).__name__
    return Trouble(f"{name}: {reason[:1].lower()}{reason[1:]}")
