"""`canasta audit`: its arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from canasta_notation.cli.audit_work import audit_paths
from canasta_notation.cli.options import (
    Jobs,
    Json,
    NoColour,
    Paths,
    RulesText,
    keep_apart,
    profiles,
    read_rules,
)
from canasta_notation.cli.session import Session


def audit(
    paths: Paths,
    rules: RulesText = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="RULES",
            help="Also show the scores by these rules.",
            autocompletion=profiles,
        ),
    ] = None,
    json: Json = False,
    csv: Annotated[
        bool, typer.Option("--csv", help="Print one row per deal, side and item.")
    ] = False,
    why: Annotated[
        bool,
        typer.Option("--why", help="For each wrong score, name house rules that make it right."),
    ] = False,
    jobs: Jobs = 1,
    no_color: NoColour = False,
) -> None:
    """Show every item of every score: what earns it, and what was claimed.

    The exit code is 1 if a claim is false or a record has other errors.
    """
    with Session(no_colour=no_color) as session:
        keep_apart("--csv", csv, {"--json": json, "--against": against})
        keep_apart("--why", why, {"--csv": csv, "--against": against})
        profile = read_rules(rules)
        other = read_rules(against, "--against")
        form = "json" if json else "csv" if csv else "cards"
        audit_paths(session, paths, profile, other, form, jobs, why=why)
