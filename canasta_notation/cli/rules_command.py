"""`canasta rules`: the profiles; one with its sources; two compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.command_errors import UserError
from canasta_notation.cli.options import NoColour, profiles, read_rules
from canasta_notation.cli.session import Session

if TYPE_CHECKING:
    from canasta_notation.rules import Profile


def rules(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help='Profiles: names, "NAME key=value ..." or .toml files.',
            show_default=False,
            autocompletion=profiles,
        ),
    ] = None,
    no_color: NoColour = False,
) -> None:
    """List the rule profiles, show one with the source of each value, or compare two."""
    with Session(no_colour=no_color) as session:
        from canasta_notation.render.rules_view import compared_rows, list_rows, profile_rows
        from canasta_notation.rules import load_profile, profile_names

        profiles = [_profile(name) for name in names or ()]
        match profiles:
            case []:
                known = map(load_profile, profile_names())
                session.show(list_rows(known, session.look))
            case [profile]:
                session.show(profile_rows(profile, session.look))
            case [one, other]:
                session.show(compared_rows(one, other, session.look))
            case _:
                raise UserError("rules compares at most two profiles")


def _profile(text: str) -> Profile:
    profile = read_rules(text, "rules")
    assert profile is not None
    return profile
