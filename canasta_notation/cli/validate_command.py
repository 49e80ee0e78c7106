"""`canasta validate`: its arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from canasta_notation.cli.options import (
    Jobs,
    Json,
    NoColour,
    Paths,
    RulesText,
    keep_apart,
    read_rules,
)
from canasta_notation.cli.session import Session
from canasta_notation.cli.validate_work import Format, check_paths


def validate(
    paths: Paths,
    rules: RulesText = None,
    format: Annotated[Format, typer.Option(help="How to print the findings.")] = Format.TEXT,
    json: Json = False,
    jobs: Jobs = 1,
    no_color: NoColour = False,
) -> None:
    """Check records and report every finding with its place, the rule and a remedy.

    The verdict is verified, contradicted (the record has an error) or undetermined (the record
    does not say enough). The exit code is 0 if there are no errors, 1 if there are, and 2 if a
    file cannot be read. For a record in JSON, lines and columns are those of its canonical text.
    """
    with Session(no_colour=no_color) as session:
        keep_apart("--json", json, {"--format github": format == Format.GITHUB})
        check_paths(session, paths, read_rules(rules), Format.JSON if json else format, jobs)
