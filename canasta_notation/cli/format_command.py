"""`canasta format`: records in their canonical spelling, in place."""

from __future__ import annotations

import os
from itertools import zip_longest
from typing import IO, Annotated

import typer

from canasta_notation.cli.convert_command import whole_games
from canasta_notation.cli.files import Source, bytes_of, find_sources, read_lines, state_of
from canasta_notation.cli.options import NoColour, RecordPaths
from canasta_notation.cli.session import BadText, Session, UserError, say_all
from canasta_notation.storage import BadFile


def format(
    paths: RecordPaths,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with 1 if a file would change.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Change nothing; show what would change.")
    ] = False,
    no_color: NoColour = False,
) -> None:
    """Tidy records: the same content, spelled and spaced in the one standard way.

    Files are changed in place; `-` is standard input and output. A file with lines that cannot be
    read is left as it is: its errors are shown, and the exit code is 1.
    """
    from canasta_notation.notation.format import Unwritable

    with Session(no_colour=no_color) as session:
        sources, wrong = find_sources(paths, forms=("canasta",))
        say_all(session, wrong)
        for source in sources:
            try:
                _format(session, source, check=check, diff=diff)
            except Unwritable as trouble:
                session.fail(f"{source.name}: {trouble}")
            except BadFile as trouble:
                session.fail(str(trouble))
            except BadText:
                session.found()


def _format(session: Session, source: Source, *, check: bool, diff: bool) -> None:
    from canasta_notation.formats import games_as
    from canasta_notation.storage import spooled

    if source.form != "canasta":
        raise UserError(f"{source.name}: is JSON; format works on text records")
    before = state_of(source)
    with spooled(bytes_of(source)) as old:
        games = whole_games(session, source.name, read_lines(source.name, old))
        with spooled(map(str.encode, games_as("canasta", games))) as new:
            old.seek(0)
            changed = any(line != other for line, other in zip_longest(old, new))
            old.seek(0)
            new.seek(0)
            if diff:
                _show_diff(session, source.name, old, new)
            if check and changed:
                session.say(f"would change {source.name}")
                session.found()
            if not check and not diff:
                _write(session, source, new, before if changed else None)


def _write(
    session: Session, source: Source, text: IO[bytes], before: os.stat_result | None
) -> None:
    """Write the canonical text to standard output, or to the file if it differs from its content.

    `before` is the status of the file when it was read.
    """
    from canasta_notation.storage import write_whole

    if source.path is None:
        session.write_file(text)
    elif before is not None:
        lost = write_whole(source.path, text, unchanged=before)
        session.say("; ".join([f"changed {source.name}", *lost]))


def _show_diff(session: Session, name: str, old: IO[bytes], new: IO[bytes]) -> None:
    from difflib import unified_diff

    before, after = ([line.decode() for line in text] for text in (old, new))
    for line in unified_diff(before, after, name, f"{name} (canonical)"):
        end = "" if line.endswith("\n") else "\n\\ No newline at end of file\n"
        session.write_record(line + end)
