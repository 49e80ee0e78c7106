"""`canasta rules`: the profiles, one or two; `canasta explain`: what a finding means."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Final

import typer

from canasta_notation.cli.options import NoColour, profiles, read_rules
from canasta_notation.cli.session import Session, UserError
from canasta_notation.english import listed
from canasta_notation.quoting import QUOTED, shortened

if TYPE_CHECKING:
    from canasta_notation.render.paint import Look, Rows
    from canasta_notation.rules import Profile


#: A code or a key, also one that is misspelled.
_LIKE_A_CODE: Final = re.compile(r"\S+[-.]\S+")


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

    Of a finding, show what it means, why it matters, the remedy, the rules and an example; of the
    key of a rule, its values in the profiles, each in a sentence. Other words find what is about
    them. Without a word, list all findings.
    """
    with Session(no_colour=no_color) as session:
        session.show(_explained(" ".join(words or ()), session.look))


def _explained(topic: str, look: Look) -> Rows:
    """Return what is known of a topic. Raises UserError if that is nothing."""
    from canasta_notation.render.rules_view import codes_rows, entry_rows, key_rows, topic_rows
    from canasta_notation.rules import about, codes, entry, keys, load_profile, profile_names

    if not topic:
        return codes_rows(look)
    if topic in keys():
        return key_rows(topic, map(load_profile, profile_names()), look)
    if topic in codes():
        return entry_rows(topic, _example(entry(topic).example), look)
    found = () if _LIKE_A_CODE.fullmatch(topic) else about(topic)
    if not found:
        raise UserError(f"nothing is known about {shortened(topic, QUOTED)}: {_nearest(topic)}")
    return topic_rows(found, load_profile(profile_names()[0]), look)


def _nearest(topic: str) -> str:
    from difflib import get_close_matches

    from canasta_notation.rules import codes, keys

    near = get_close_matches(topic.casefold()[:QUOTED], [*codes(), *keys()], n=3, cutoff=0.5)
    return f"did you mean {listed(near, 'or')}?" if near else "canasta explain lists the findings"


def _example(name: str) -> str | None:
    """Return the text of a broken sample, None if the installation does not have it."""
    from canasta_notation.resources import read_text

    try:
        return read_text("samples/broken", name)
    except FileNotFoundError:
        return None
