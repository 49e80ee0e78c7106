"""The arguments and options that commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.trouble import Trouble

if TYPE_CHECKING:
    from canasta_notation.rules import Profile

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH",
        help="Records, folders of records, or - for standard input.",
        show_default=False,
    ),
]
Path = Annotated[
    str,
    typer.Argument(metavar="PATH", help="A record, or - for standard input.", show_default=False),
]
RulesText = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="RULES",
        help='Rules that replace the record\'s own: "PROFILE key=value ..." or a .toml file.',
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Jobs = Annotated[
    int,
    typer.Option(
        min=0,
        max=1024,
        help="Processes for long files and many (0: one per CPU); never more than there are CPUs.",
    ),
]
NoColour = Annotated[
    bool, typer.Option("--no-color", help="No colours, on a terminal either.", show_default=False)
]


def read_rules(text: str | None, option: str = "--rules") -> Profile | None:
    """Return the profile that an option asks for, None without one. Raises Trouble."""
    if text is None:
        return None
    from canasta_notation.rules import ProfileError, parse_rules, profile_names

    if not text.strip():
        raise Trouble(f"{option}: names no rules (the profiles are {', '.join(profile_names())})")
    try:
        reading = parse_rules(text, source="the command line", files=True)
    except ProfileError as error:
        raise Trouble(f"{option}: {error}") from error
    if reading.profile is None:
        problem = reading.problems[0]
        raise Trouble(f"{option}: {problem.message} ({problem.help})")
    return reading.profile
