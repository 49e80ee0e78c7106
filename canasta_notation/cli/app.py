"""The commands of the program `canasta`, for Typer."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from canasta_notation.cli.audit_command import audit
from canasta_notation.cli.convert_command import convert
from canasta_notation.cli.corpus_command import app as corpus
from canasta_notation.cli.explain_command import explain
from canasta_notation.cli.format_command import format
from canasta_notation.cli.generate_command import generate
from canasta_notation.cli.legal_command import legal
from canasta_notation.cli.options import NoColour
from canasta_notation.cli.page_command import page
from canasta_notation.cli.record_command import record
from canasta_notation.cli.replay_command import replay
from canasta_notation.cli.rules_command import rules
from canasta_notation.cli.validate_command import validate

app = typer.Typer(
    name="canasta",
    help="The record of a Canasta game: check it, replay it, audit its scores.",
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",  # which fills the lines of a paragraph
)

for command in (
    validate, record, replay, audit, convert, format, page, rules, explain, legal, generate,
):  # fmt: skip
    app.command()(command)
app.add_typer(corpus)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        from canasta_notation.arrays import COMPILED

        kind = "compiled" if COMPILED else "interpreted"
        typer.echo(f"canasta {version('canasta-notation')} ({kind})")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
    no_color: NoColour = False,
) -> None:
    if no_color:
        os.environ["NO_COLOR"] = "1"
