"""`canasta record`: recording a game at the table, or its results alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.options import NoColour
from canasta_notation.cli.session import Session
from canasta_notation.cli.trouble import Trouble

if TYPE_CHECKING:
    from canasta_notation.cli.recording.desk import Desk
    from canasta_notation.recorder.standing import Standing


def record(
    path: Annotated[
        str,
        typer.Argument(metavar="PATH", help="The record, new or unfinished.", show_default=False),
    ],
    sheet: Annotated[
        bool, typer.Option("--sheet", help="Only the results of each deal: a score pad.")
    ] = False,
    no_color: NoColour = False,
) -> None:
    """Record a game: a prompt for each turn, each judged as it is entered, saved before the next.

    A record that is there and unfinished is gone on with. On a terminal with completion and a
    toolbar (the extra `record`), else line by line from standard input; `help` lists what can be
    typed.
    """
    with Session(no_colour=no_color) as session:
        from canasta_notation.cli.recording.desk import Desk

        if path == "-" or path.lower().endswith((".json", ".jsonl")):
            raise Trouble(f"{path}: a recorder writes the text form, such as game.canasta")
        with Desk(session, path) as desk:
            _record(desk, sheet)


def _record(desk: Desk, sheet: bool) -> None:
    from canasta_notation.cli.recording.start import open_record

    try:
        standing = open_record(desk)
        _talk(desk, standing, sheet)
    except EOFError:
        if desk.unsaved:
            raise Trouble(desk.file.trouble) from None


def _talk(desk: Desk, standing: Standing, sheet: bool) -> None:
    from canasta_notation.cli.recording.pad import ScorePad
    from canasta_notation.cli.recording.talk import Talk

    (ScorePad if sheet else Talk)(desk, standing).run()
