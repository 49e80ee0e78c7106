"""`canasta rules`: the profiles, one or two; `canasta explain`: what a finding means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.options import NoColour, profiles, read_rules
from canasta_notation.cli.session import Session, UserError
from canasta_notation.english import listed

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


def explain(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE",
            help="The code of a finding, as in error[CODE], or the key of a rule.",
            show_default=False,
            autocompletion=_codes,
        ),
    ] = None,
    no_color: NoColour = False,
) -> None:
    """Explain a finding: what it means, why it matters, the remedy, the rules and an example.

    Of the key of a rule, show its values in the profiles, each in a sentence.
    Without a code, list all findings.
    """
    with Session(no_colour=no_color) as session:
        from canasta_notation.render.rules_view import codes_rows, entry_rows, key_rows
        from canasta_notation.rules import codes, entry, keys, load_profile, profile_names

        if code is None:
            session.show(codes_rows(session.look))
            return
        if code in keys():
            session.show(key_rows(code, map(load_profile, profile_names()), session.look))
            return
        if code not in codes():
            raise UserError(f"no finding has the code {code}: {_nearest(code, codes())}")
        session.show(entry_rows(code, _example(entry(code).example), session.look))


def _nearest(code: str, known: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    word = code.casefold()
    containing = [each for each in known if word in each]
    near = get_close_matches(word, containing or known, n=3, cutoff=0 if containing else 0.5)
    return f"did you mean {listed(near, 'or')}?" if near else "canasta explain lists them"


def _example(name: str) -> str | None:
    """Return the text of a broken sample, None if the installation does not have it."""
    from canasta_notation.resources import read_text

    try:
        return read_text("samples/broken", name)
    except FileNotFoundError:
        return None
