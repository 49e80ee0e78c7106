"""`canasta audit`: its arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from canasta_notation.cli.options import Jobs, Json, NoColour, Paths, RulesText, read_rules
from canasta_notation.cli.scores import audit_paths
from canasta_notation.cli.session import Session
from canasta_notation.cli.trouble import Trouble


def audit(
    paths: Paths,
    rules: RulesText = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="RULES", help="Other rules, whose scores are shown beside."),
    ] = None,
    json: Json = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print a row a deal, side and item.")] = False,
    why: Annotated[
        bool,
        typer.Option("--why", help="For each false score, the house rules that make it right."),
    ] = False,
    jobs: Jobs = 1,
    no_color: NoColour = False,
) -> None:
    """Show how every score is made: items, what earns them, computed beside claimed.

    Exit code 1 if a claim is false or another error stands in a record.
    """
    with Session(no_colour=no_color) as session:
        if csv and (json or against):
            raise Trouble("--csv goes neither with --json nor with --against")
        if why and (csv or against):
            raise Trouble("--why goes neither with --csv nor with --against")
        profile = read_rules(rules)
        other = read_rules(against, "--against")
        form = "json" if json else "csv" if csv else "cards"
        audit_paths(session, paths, profile, other, form, jobs, why=why)
