"""`canasta format`: records in their canonical spelling, in place."""

from __future__ import annotations

import io
from typing import Annotated

import typer

from canasta_notation.cli.convert import whole_games
from canasta_notation.cli.files import Source, find_sources, read_bytes, read_lines
from canasta_notation.cli.options import NoColour, Paths
from canasta_notation.cli.session import Session, say_all
from canasta_notation.cli.trouble import Trouble


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

    if source.form != "canasta":
        raise Trouble(f"{source.name}: is in a JSON form; format is for the text")
    old = read_bytes(source)
    games = whole_games(session, source.name, read_lines(source.name, io.BytesIO(old)))
    if games is None:
        return
    text = games_as("canasta", games)
    if diff:
        _show_diff(session, source.name, old, text)
    if check and text.encode() != old:
        session.say(f"would change {source.name}")
        session.found()
    if not check and not diff:
        _write(session, source, old, text)


def _write(session: Session, source: Source, old: bytes, text: str) -> None:
    """Write the canonical text: in place, and only where it is another; or to standard output."""
    from canasta_notation.cli.output import write_whole

    if source.path is None:
        session.write_record(text)
    elif text.encode() != old:
        write_whole(source.path, text.encode())
        session.say(f"changed {source.name}")


def _show_diff(session: Session, name: str, old: bytes, text: str) -> None:
    from difflib import unified_diff

    before = old.decode("utf-8").splitlines(keepends=True)
    after = text.splitlines(keepends=True)
    for line in unified_diff(before, after, name, f"{name} (canonical)"):
        end = "" if line.endswith("\n") else "\n\\ No newline at end of file\n"
        session.write_record(line + end)
