"""`canasta validate`: its arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from canasta_notation.cli.check import Format, check_paths
from canasta_notation.cli.options import Jobs, Json, NoColour, Paths, RulesText, read_rules
from canasta_notation.cli.session import Session


def validate(
    paths: Paths,
    rules: RulesText = None,
    format: Annotated[Format, typer.Option(help="How findings are printed.")] = Format.TEXT,
    json: Json = False,
    jobs: Jobs = 1,
    no_color: NoColour = False,
) -> None:
    """Check records: every finding with its place, rule and remedy, then a line of counts.

    The verdict is verified, contradicted (an error stands) or undetermined (something cannot be
    known from the record). Exit code 1 if an error stands, 2 if a file cannot be read. Places in a
    JSON form count in its canonical text.
    """
    with Session(no_colour=no_color) as session:
        check_paths(session, paths, read_rules(rules), Format.JSON if json else format, jobs)
