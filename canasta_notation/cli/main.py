"""The program `canasta`: the way in, with two doors.

Typer and what it loads take longer to start than the checking of a game. So the plain
`canasta validate PATH...` goes straight to its work; everything else goes through Typer. A test
holds both doors to the same output.
"""

from __future__ import annotations

import os
import sys

from canasta_notation.cli.session import INTERRUPTED, Session, open_closed_streams


def main() -> None:
    """Run the program: the console script `canasta`, and `python -m canasta_notation`."""
    open_closed_streams()
    if "--no-color" in sys.argv:
        os.environ["NO_COLOR"] = "1"  # help and usage errors are written before an option is read
    try:
        if is_plain_validation(sys.argv[1:]):
            _validate(sys.argv[2:])
        else:
            _command()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def is_plain_validation(args: list[str]) -> bool:
    """Return whether arguments are those of `validate` with paths and no options.

    Not on Windows, where Typer expands the patterns that no shell has.
    """
    return (
        os.name == "posix"
        and args[:1] == ["validate"]
        and len(args) > 1
        and all(arg == "-" or not arg.startswith("-") for arg in args[1:])
    )


def _validate(paths: list[str]) -> None:
    from canasta_notation.cli.check import check_paths

    with Session() as session:
        check_paths(session, paths)


def _command() -> None:
    from canasta_notation.cli.app import app

    app(prog_name="canasta")
