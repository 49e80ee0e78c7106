"""`canasta generate`: random legal games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.files import STANDARD_INPUT
from canasta_notation.cli.options import NoColour, profiles, read_rules
from canasta_notation.cli.session import Session

if TYPE_CHECKING:
    from canasta_notation.notation.document import Game
    from canasta_notation.rules import Profile


def generate(
    games: Annotated[int, typer.Option("--games", min=1, help="How many games to write.")] = 1,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", help="The seed of the first game; each further game uses the next one."
        ),
    ] = 1,
    rules: Annotated[
        str,
        typer.Option(
            "--rules",
            metavar="RULES",
            help='The rules to play by: "PROFILE key=value ..." or a .toml file.',
            autocompletion=profiles,
        ),
    ] = "classic",
    deals: Annotated[
        int | None, typer.Option("--deals", min=1, help="The most deals a game may have.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "-o", "--out", metavar="OUT", help="The file to write: .canasta, .json or .jsonl."
        ),
    ] = None,
    no_color: NoColour = False,
) -> None:
    """Write random games in which every move is legal and every claim is true.

    The same seed and rules always give the same games. Without `-o`, they go to standard output.
    """
    with Session(no_colour=no_color) as session:
        from canasta_notation.cli.forms import games_as, written_form
        from canasta_notation.cli.output import write_whole

        profile = read_rules(rules)
        assert profile is not None
        played = _played(profile, games, seed, deals)
        if out is None or out == STANDARD_INPUT:
            for text in games_as("canasta", played):
                session.write_record(text)
        else:
            pieces = map(str.encode, games_as(written_form(out), played))
            for lost in write_whole(Path(out), pieces):
                session.say(f"{out}: {lost}")


def _played(profile: Profile, games: int, seed: int, deals: int | None) -> Iterator[Game]:
    from canasta_notation.generate import DEAL_LIMIT, play_game

    for at in range(games):
        yield play_game(profile, seed + at, deals=deals or DEAL_LIMIT)
