"""What ends a command early: a wrong option, file, record or rule, and what to do about it."""

from __future__ import annotations

from canasta_notation.storage import BadFile, refusal


class Trouble(BadFile):
    """Something that a person can put right; the message is one line and names the file."""


class Unread(Exception):
    """A record whose text has errors, which have been shown; the exit code is 1."""


class Unruled(Trouble):
    """A game whose rules cannot be known from its record: a finding, so the exit code is 1."""


def because(name: str, error: OSError) -> Trouble:
    """Return the trouble with a file that the system refused."""
    return Trouble(refusal(name, error))


def how_to_install(extra: str) -> str:
    """Return what to do if an extra is missing: the package is installed from a checkout."""
    return f"in a checkout of canasta-notation, run: pip install -e '.[{extra}]'"
