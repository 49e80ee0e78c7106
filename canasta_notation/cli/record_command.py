"""`canasta record`: recording a game at the table, or its results alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.options import NoColour, keep_apart
from canasta_notation.cli.session import Session
from canasta_notation.cli.trouble import Trouble

if TYPE_CHECKING:
    from canasta_notation.cli.recording.desk import Desk
    from canasta_notation.recorder.standing import Standing


def record(
    path: Annotated[
        str,
        typer.Argument(metavar="PATH", help="A new or unfinished record.", show_default=False),
    ],
    sheet: Annotated[
        bool,
        typer.Option("--sheet", help="Record only the results of each deal, as on a score pad."),
    ] = False,
    table: Annotated[
        bool,
        typer.Option("--table", help="Record only the table at the end of each deal."),
    ] = False,
    no_color: NoColour = False,
) -> None:
    """Record a game turn by turn; each turn is checked and saved as it is entered.

    The command continues an unfinished record. On a terminal, the extra `record` adds completion
    and a toolbar. Without a terminal, lines are read from standard input. Type `?` for help.

    `--table` asks for the melds, threes and hands at the end of each deal and works out the scores.
    `--sheet` asks for canastas, threes and points of cards, and for the score on paper.
    """
    with Session(no_colour=no_color) as session:
        from canasta_notation.cli.recording.desk import Desk

        keep_apart("--sheet", sheet, {"--table": table})
        if path == "-" or path.lower().endswith((".json", ".jsonl")):
            raise Trouble(f"{path}: record writes only text; name a file such as game.canasta")
        with Desk(session, path) as desk:
            _record(desk, sheet, table)


def _record(desk: Desk, sheet: bool, table: bool) -> None:
    from canasta_notation.cli.recording.start import open_record

    try:
        standing = open_record(desk, house=sheet or table)
        _talk(desk, standing, sheet, table)
    except EOFError:
        if desk.unsaved:
            raise Trouble(desk.file.trouble) from None


def _talk(desk: Desk, standing: Standing, sheet: bool, table: bool) -> None:
    from canasta_notation.cli.recording.pad import ScorePad
    from canasta_notation.cli.recording.tables import FinalTables
    from canasta_notation.cli.recording.talk import Talk

    kind = ScorePad if sheet else FinalTables if table else Talk
    kind(desk, standing).run()
