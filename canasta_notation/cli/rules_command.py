"""`canasta rules`: the profiles, one or two; `canasta explain`: what a finding means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.options import NoColour, profiles, read_rules
from canasta_notation.cli.session import Session, UserError

if TYPE_CHECKING:
    from canasta_notation.rules import Profile


def _codes() -> list[str]:
    """Return all codes, for completion in the shell."""
    from canasta_notation.rules import codes

    return [*codes()]


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
    """Look up the rules: all profiles, one with the source of each value, or two compared."""
    with Session(no_colour=no_color) as session:
        from canasta_notation.render.rules_view import compared_rows, list_rows, profile_rows
        from canasta_notation.rules import load_profile, profile_names

        chosen = [_profile(name) for name in names or ()]
        match chosen:
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


def explain(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORD",
            help="The code of a finding, as in error[CODE], the key of a rule, or words.",
            show_default=False,
            autocompletion=_codes,
        ),
    ] = None,
    no_color: NoColour = False,
) -> None:
    """Explain a finding, a rule or a topic in plain words, such as red threes.

    For a finding, it shows the meaning, why it matters, the remedy, the rules and an example; for
    the key of a rule, its values in the profiles, each in a sentence. Other words find the findings
    and rules about them. Without a word, all findings are listed.
    """
    from canasta_notation.cli.explain_work import explain_words

    with Session(no_colour=no_color) as session:
        explain_words(session, words or ())
