"""`canasta convert`: a record from one form into another, with nothing lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.files import (
    STANDARD_INPUT,
    Source,
    form_of,
    one_source,
    read_games_of,
    read_record,
)
from canasta_notation.cli.forms import Form
from canasta_notation.cli.options import NoColour, Path
from canasta_notation.cli.session import Session
from canasta_notation.cli.trouble import Trouble, Unread

if TYPE_CHECKING:
    from canasta_notation.findings import Finding
    from canasta_notation.notation.document import Game
    from canasta_notation.notation.reader import Reading


class FormName(StrEnum):
    """The forms of a record."""

    CANASTA = "canasta"
    JSON = "json"
    JSONL = "jsonl"


def convert(
    path: Path,
    to: Annotated[
        FormName | None, typer.Option(help="The form to convert to; else the suffix of OUT tells.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("-o", "--out", metavar="OUT", help="The file to write; else standard output."),
    ] = None,
    source_form: Annotated[
        FormName | None,
        typer.Option("--from", help="The form of the record; else its suffix tells."),
    ] = None,
    no_color: NoColour = False,
) -> None:
    """Convert a record between the text and the JSON forms, comments included.

    From text to JSON and back is the canonical text. A record that cannot be read whole is not
    converted: its errors are shown, and the exit code is 1.
    """
    with Session(no_colour=no_color) as session:
        from canasta_notation.cli.forms import games_as
        from canasta_notation.cli.output import spooled, write_whole

        target = _target(to, out)
        source = one_source(path, form=_form(source_form) if source_form else None)
        pieces = map(str.encode, games_as(target, _games(session, source)))
        if out is None or out == STANDARD_INPUT:
            with spooled(pieces) as whole:
                session.write_file(whole)
        else:
            write_whole(FilePath(out), pieces)


def _form(name: FormName) -> Form:
    return name.value


def _target(to: FormName | None, out: str | None) -> Form:
    if to is not None:
        return _form(to)
    if out is None or not FilePath(out).suffix:
        raise Trouble("convert: say the form with --to, or by the suffix of -o")
    return form_of(FilePath(out))


def _games(session: Session, source: Source) -> Iterator[Game]:
    if source.form == "canasta":
        return whole_games(session, source.name, read_record(source))
    return read_games_of(source)


def whole_games(session: Session, name: str, readings: Iterable[Reading]) -> Iterator[Game]:
    """Yield each game of a text. Where the text has errors show them all, then raise Unread."""
    whole = True
    for reading in readings:
        unread = [problem for problem in reading.problems if problem.code == "syntax"]
        if unread:
            whole = False
            _show_unread(session, name, reading, unread)
        elif whole:
            yield reading.game
    if not whole:
        raise Unread


def _show_unread(session: Session, name: str, reading: Reading, findings: list[Finding]) -> None:
    """Say on standard error where a record cannot be read."""
    from canasta_notation.render.excerpt import finding_block
    from canasta_notation.render.paint import paint
    from canasta_notation.report.outcome import excerpt_lines

    lines = excerpt_lines(reading, findings)
    for finding in findings:
        text = lines.get(finding.span.line)
        block = finding_block(name, None, finding, text, session.look)
        for line in paint(block).splitlines():
            session.say(line)
