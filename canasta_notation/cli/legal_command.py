"""`canasta legal`: what a seat could have done at a turn of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.command_errors import UserError
from canasta_notation.cli.files import Source, check_deal, one_source, read_record, rules_of
from canasta_notation.cli.options import Json, NoColour, Path, RulesText, read_rules
from canasta_notation.cli.session import Session

if TYPE_CHECKING:
    from canasta_notation.report.plays import Choices
    from canasta_notation.rules import Profile


def legal(
    path: Path,
    deal: Annotated[int, typer.Option("--deal", min=1, help="The deal, from 1.")],
    turn: Annotated[
        int,
        typer.Option(
            "--turn", min=1, help="The turn, from 1, or one more than the last: the turn due next."
        ),
    ],
    game: Annotated[int, typer.Option("--game", min=1, help="The game in the file, from 1.")] = 1,
    rules: RulesText = None,
    json: Json = False,
    no_color: NoColour = False,
) -> None:
    """List the legal plays of a turn: how it can begin and how it can continue.

    The second part lists what can follow the draw or take that is written in the record. Plays that
    differ only in suits are listed once: a discard stands for every card of its rank. The exit code
    does not depend on what was played; `canasta validate` judges that.
    """
    from canasta_notation.render.legal_rows import legal_rows
    from canasta_notation.report.legal_json import legal_json

    with Session(no_colour=no_color) as session:
        source = one_source(path)
        choices = _find(source, game, deal, turn, read_rules(rules))
        if json:
            session.write_json(legal_json(choices))
        else:
            session.show(legal_rows(choices, session.look))


def _find(source: Source, number: int, deal: int, turn: int, override: Profile | None) -> Choices:
    """Return what could be played at the turn asked for. Raises UserError."""
    from canasta_notation.report.plays import find_choices

    [reading] = read_record(source, number)
    game = reading.game
    profile = rules_of(source.name, reading, number, override)
    check_deal(deal, source.name, number, len(game.deals))
    choices = find_choices(source.name, game, number, deal, turn, profile)
    if choices is None:
        turns = game.deals[deal - 1].turns
        why = f"it has {turns}" if turn > turns + 1 else "the play before it cannot be checked"
        raise UserError(f"{source.name}: deal {deal} has no turn {turn}; {why}")
    return choices
