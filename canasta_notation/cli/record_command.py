"""`canasta record`: recording a game at the table, or only its results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.options import NoColour, forbid_together
from canasta_notation.cli.session import Session, UserError

if TYPE_CHECKING:
    from canasta_notation.cli.recording.console import Console


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
    turns: Annotated[
        bool,
        typer.Option("--turns", help="Record turns again, after --sheet or --table."),
    ] = False,
    no_color: NoColour = False,
) -> None:
    """Record a game turn by turn; each turn is checked and saved as it is entered.

    The command continues an unfinished record as it was recorded. On a terminal, the extra `record`
    adds completion and a toolbar. Without a terminal, lines are read from standard input. Type `?`
    for help.

    `--table` asks for the melds, threes and hands at the end of each deal and works out the scores.
    `--sheet` asks for canastas, threes and points of cards, and for the score on paper.
    """
    with Session(no_colour=no_color) as session:
        from canasta_notation.cli.recording.console import Console

        forbid_together("--sheet", sheet, {"--table": table, "--turns": turns})
        forbid_together("--table", table, {"--turns": turns})
        if not path:
            raise UserError("the path is empty; name a file such as game.canasta")
        if path == "-" or path.lower().endswith((".json", ".jsonl")):
            raise UserError(f"{path}: record writes only text; name a file such as game.canasta")
        with Console(session, path) as console:
            chosen = {"sheet": sheet, "table": table, "turns": turns}
            _record(console, next((mode for mode, wanted in chosen.items() if wanted), ""))


def _record(console: Console, mode: str) -> None:
    from canasta_notation.cli.recording.new_game import open_record
    from canasta_notation.dialogue.loop import run
    from canasta_notation.dialogue.pad_questions import PAD
    from canasta_notation.dialogue.questions import Course, Recording
    from canasta_notation.dialogue.turn_questions import TABLES, TURNS
    from canasta_notation.recorder.standing import NotRecordable

    try:
        standing, mode = open_record(console, mode)
        dialogue = next(each for each in (TURNS, TABLES, PAD) if each.mode == mode)
        console.hold(run(Recording(dialogue, console, Course(standing))))
    except NotRecordable as error:
        raise UserError(f"{console.name}: {error}") from error
    except EOFError:
        if console.unsaved:
            raise UserError(console.file.trouble) from None
