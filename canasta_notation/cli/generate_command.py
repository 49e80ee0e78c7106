"""`canasta generate`: random legal games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.files import STANDARD_INPUT, form_of
from canasta_notation.cli.options import NoColour, read_rules
from canasta_notation.cli.session import Session

if TYPE_CHECKING:
    from canasta_notation.notation.document import Game
    from canasta_notation.rules import Profile


def generate(
    games: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 1,
    seed: Annotated[
        int, typer.Option("--seed", help="The first game's seed; each next game has the next.")
    ] = 1,
    profile: Annotated[
        str, typer.Option("--profile", metavar="RULES", help='Rules: "PROFILE key=value ...".')
    ] = "classic",
    deals: Annotated[
        int | None, typer.Option("--deals", min=1, help="At most so many deals a game.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("-o", "--out", metavar="OUT", help="A .canasta, .json or .jsonl file."),
    ] = None,
    no_color: NoColour = False,
) -> None:
    """Write random games that are legal in every move, and true in every claim.

    The same seed and rules give the same games. Without -o, to standard output.
    """
    with Session(no_colour=no_color) as session:
        from canasta_notation.cli.forms import games_as
        from canasta_notation.cli.output import write_whole

        rules = read_rules(profile, "--profile")
        assert rules is not None
        played = _played(rules, games, seed, deals)
        if out is None or out == STANDARD_INPUT:
            for text in games_as("canasta", played):
                session.write_record(text)
        else:
            pieces = map(str.encode, games_as(form_of(Path(out)), played))
            for lost in write_whole(Path(out), pieces):
                session.say(f"{out}: {lost}")


def _played(rules: Profile, games: int, seed: int, deals: int | None) -> Iterator[Game]:
    from canasta_notation.generate import DEAL_LIMIT, play_game

    for at in range(games):
        yield play_game(rules, seed + at, deals=deals or DEAL_LIMIT)
