"""The entry point of the program `canasta`, with two ways in.

Loading Typer takes longer than checking a game. So `canasta validate` and `canasta audit` with only
paths, and `canasta explain` with only words, do their work directly; everything else goes through
Typer. A test checks that both ways print the same.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Final

from canasta_notation.cli.session import (
    INTERRUPTED,
    TROUBLE,
    Session,
    ended_by_session,
    is_interrupt,
    open_closed_streams,
)

#: Variables for which Rich would write colours into a pipe.
_FORCING: Final = ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "TTY_COMPATIBLE")
#: Variables that set the size of the terminal, and a size.
_SIZES: Final = ("COLUMNS", "LINES", "TERMINAL_WIDTH")
_SIZE: Final = re.compile("[1-9][0-9]{0,3}")


def main() -> None:
    """Run the program: the console script `canasta`, and `python -m canasta_notation`."""
    open_closed_streams()
    _ignore_variables()
    if "--no-color" in sys.argv:
        os.environ["NO_COLOR"] = "1"  # progress bars and tables obey it too
    try:
        if is_plain(sys.argv[1:]):
            _PLAIN[sys.argv[1]](sys.argv[2:])
        else:
            _command()
    except BaseException as error:
        if not is_interrupt(error):
            raise
        sys.exit(INTERRUPTED)


def _ignore_variables() -> None:
    """Unset variables that force colours, and those that hold no size."""
    for name in _FORCING:
        os.environ.pop(name, None)
    for name in _SIZES:
        if not _SIZE.fullmatch(os.environ.get(name, "")):
            os.environ.pop(name, None)


def _validate(paths: list[str]) -> None:
    from canasta_notation.cli.validate_work import check_paths

    with Session() as session:
        check_paths(session, paths)


def _audit(paths: list[str]) -> None:
    from canasta_notation.cli.audit_work import audit_paths

    with Session() as session:
        audit_paths(session, paths)


def _explain(words: list[str]) -> None:
    from canasta_notation.cli.explain_work import explain_words

    with Session() as session:
        explain_words(session, words)


_PLAIN: Final = {"validate": _validate, "audit": _audit, "explain": _explain}


def is_plain(args: list[str]) -> bool:
    """Return whether the arguments are one of these commands and its words, without options.

    Returns False on Windows, where Typer expands patterns because the shell does not.
    """
    return (
        os.name == "posix"
        and len(args) > 1
        and args[0] in _PLAIN
        and all(arg == "-" or not arg.startswith("-") for arg in args[1:])
    )


def _command() -> None:
    from canasta_notation.cli.app import app

    with ended_by_session(TROUBLE):  # of usage errors
        app(prog_name="canasta")
