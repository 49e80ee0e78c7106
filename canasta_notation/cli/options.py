"""The arguments and options that commands share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.session import UserError
from canasta_notation.english import listed
from canasta_notation.language.languages import IN_ENGLISH, LANGUAGES

if TYPE_CHECKING:
    from canasta_notation.rules import Profile


def profiles() -> list[str]:
    """Return the names of the profiles, for completion in the shell."""
    from canasta_notation.rules import profile_names

    return [*profile_names()]


def languages_of(given: str, *, together: bool = True) -> tuple[str, ...]:
    """Return a language by its code, or all of them for "all" if `together`. Raises UserError."""
    from canasta_notation.quoting import quoted

    if together and given == "all":
        return (*LANGUAGES,)
    if given not in LANGUAGES:
        codes = listed([*LANGUAGES, *["all"] * together], "or")
        raise UserError(f"--language: give {codes}, not {quoted(given)}")
    return (given,)


def _seats() -> list[str]:
    """Return all letters of seats, for completion in the shell."""
    from canasta_notation.cards import SEATS

    return sorted({seat for seats in SEATS.values() for seat in seats})


RecordPaths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH",
        help="Records or folders of records; - reads standard input.",
        show_default=False,
    ),
]
RecordPath = Annotated[
    str,
    typer.Argument(metavar="PATH", help="A record; - reads standard input.", show_default=False),
]
RulesText = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="RULES",
        help='Use these rules, not the record\'s own: "PROFILE key=value ..." or a .toml file.',
        autocompletion=profiles,
    ),
]
SeatName = Annotated[
    str | None,
    typer.Option(
        "--seat",
        metavar="SEAT",
        help="Show only what this seat can know.",
        autocompletion=_seats,
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="|".join([*LANGUAGES, "all"]),
        help=f"The language: {listed([*IN_ENGLISH.values()], 'or')}, or all of them.",
        show_default=False,
        autocompletion=lambda: [*languages_of("all"), "all"],
    ),
]
DealNumber = Annotated[
    int | None,
    typer.Option("--deal", min=1, help="The deal, from 1; may be left out if there is one deal."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Jobs = Annotated[
    int,
    typer.Option(min=0, max=1024, help="Worker processes, at most one per CPU (0: one per CPU)."),
]
SheetColumns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="MAP.toml",
        help="For score sheets: a file that names their columns and sides, and gives tags.",
    ),
]
NoColour = Annotated[
    bool, typer.Option("--no-color", help="Disable colour, even on a terminal.", show_default=False)
]


def forbid_together(option: str, given: object, others: Mapping[str, object]) -> None:
    """Raise UserError if an option is given together with one of the others."""
    for other, value in others.items():
        if given and value:
            raise UserError(f"{option} cannot be combined with {other}")


def read_rules(text: str | None, option: str = "--rules") -> Profile | None:
    """Return the profile that an option names, None if it was not given. Raises UserError."""
    if text is None:
        return None
    from canasta_notation.rules import ProfileError, parse_rules, profile_names

    if not text.strip():
        raise UserError(f"{option}: name a profile (there are {', '.join(profile_names())})")
    try:
        reading = parse_rules(text, source="the command line", files=True)
    except ProfileError as error:
        raise UserError(f"{option}: {error}") from error
    if reading.profile is None:
        problem = reading.problems[0]
        raise UserError(f"{option}: {problem.message} ({problem.help})")
    return reading.profile
