"""`canasta validate` and `canasta audit`: their arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from canasta_notation.cli.audit_work import audit_paths
from canasta_notation.cli.files import read_column_map
from canasta_notation.cli.options import (
    Jobs,
    Json,
    NoColour,
    RecordPaths,
    RulesText,
    SheetColumns,
    forbid_together,
    profiles,
    read_rules,
)
from canasta_notation.cli.session import Session
from canasta_notation.cli.validate_work import LISTED, Format, check_paths


def validate(
    paths: RecordPaths,
    rules: RulesText = None,
    columns: SheetColumns = None,
    format: Annotated[Format, typer.Option(help="How to print the findings.")] = Format.TEXT,
    everything: Annotated[
        bool,
        typer.Option(
            "--all",
            help=f"List every finding, not only the first {LISTED} of each code; JSON has all.",
        ),
    ] = False,
    json: Json = False,
    jobs: Jobs = 1,
    no_color: NoColour = False,
) -> None:
    """Find every mistake in a record: its place, the rule it breaks, and a remedy.

    The verdict is verified, contradicted (the record has an error) or undetermined (the record
    does not say enough). The exit code is 0 if there are no errors, 1 if there are, and 2 if a
    file cannot be read. For a record in JSON, lines and columns are those of its canonical text.
    """
    with Session(no_colour=no_color) as session:
        forbid_together("--json", json, {"--format github": format == Format.GITHUB})
        names = read_column_map(columns)
        shown = Format.JSON if json else format
        check_paths(session, paths, read_rules(rules), shown, jobs, names, everything=everything)


def audit(
    paths: RecordPaths,
    rules: RulesText = None,
    columns: SheetColumns = None,
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
    """Settle a score: show what earns each point, beside what was written down.

    The exit code is 1 if a claim is false or a record has other errors.
    """
    with Session(no_colour=no_color) as session:
        forbid_together("--csv", csv, {"--json": json, "--against": against})
        forbid_together("--why", why, {"--csv": csv, "--against": against})
        profile = read_rules(rules)
        other = read_rules(against, "--against")
        form = "json" if json else "csv" if csv else "cards"
        names = read_column_map(columns)
        audit_paths(session, paths, profile, other, form, jobs, why=why, columns=names)
