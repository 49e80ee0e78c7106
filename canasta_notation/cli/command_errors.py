"""Errors that end a command early: a wrong option, file, record or rule."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from canasta_notation.storage import BadFile, refusal


class UserError(BadFile):
    """An error that the user can correct; the message is one line and names the file."""


class BadText(Exception):
    """A record whose text has errors, which have been shown; the exit code is 1."""


class BadRules(UserError):
    """A game whose record does not show its rules. This is a finding, so the exit code is 1."""


def file_error(name: str, error: OSError) -> UserError:
    """Return the error for a file that the system refused to open or write."""
    return UserError(refusal(name, error))


def how_to_install(extra: str) -> str:
    """Return how to install a missing extra: from a copy, because no package is published.

    The Python that runs this program is named: another one may come first in the shell.
    """
    python = Path(sys.executable)
    here = Path.cwd()
    if python.is_relative_to(here) and (here / "pyproject.toml").is_file():
        python = python.relative_to(here)
    pip = f"{shlex.quote(str(python))} -m pip"
    return f"run {pip} install -e '.[{extra}]' in your copy of the repository"
