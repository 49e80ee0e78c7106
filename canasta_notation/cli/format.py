"""`canasta format`: records in their canonical spelling, in place."""

from __future__ import annotations

from typing import Annotated

import typer

from canasta_notation.cli.convert import games_of
from canasta_notation.cli.files import Source, find_sources
from canasta_notation.cli.options import NoColour, Paths
from canasta_notation.cli.session import Session, say_all
from canasta_notation.cli.trouble import Trouble, because


def format(
    paths: Paths,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit 1 if a file would change.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Change nothing; show what would change.")
    ] = False,
    no_color: NoColour = False,
) -> None:
    """Write records in their canonical form, in place; - goes to standard output.

    What is recorded is never changed. A file that cannot be read whole is left as it is, its
    errors are shown, and the exit code is 1.
    """
    with Session(no_colour=no_color) as session:
        sources, wrong = find_sources(paths, forms=("canasta",))
        say_all(session, wrong)
        for source in sources:
            try:
                _format(session, source, check=check, diff=diff)
            except Trouble as trouble:
                session.fail(str(trouble))


def _format(session: Session, source: Source, *, check: bool, diff: bool) -> None:
    from canasta_notation.cli.forms import games_as
    from canasta_notation.cli.output import write_whole

    if source.form != "canasta":
        raise Trouble(f"{source.name}: is in a JSON form; format is for the text")
    if source.path is None:
        _format_standard_input(session, source, check=check, diff=diff)
        return
    games = games_of(session, source)
    if games is None:
        return
    text = games_as("canasta", games).encode("utf-8")
    try:
        old = source.path.read_bytes()
    except OSError as error:
        raise because(source.name, error) from error
    if text == old:
        return
    if diff:
        _show_diff(session, source.name, old, text)
    if check:
        session.say(f"would change {source.name}")
        session.found()
    elif not diff:
        write_whole(source.path, text)
        session.say(f"changed {source.name}")


def _format_standard_input(session: Session, source: Source, *, check: bool, diff: bool) -> None:
    import io
    import sys
    from types import SimpleNamespace
