"""The commands of the program `canasta`, for Typer."""

from __future__ import annotations

import os
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from canasta_notation.cli.commands import COMMANDS
from canasta_notation.cli.help_text import Command, CommandGroup, panels_of, write_help
from canasta_notation.cli.options import NoColour
from canasta_notation.cli.session import ended_by_session
from canasta_notation.formats import SUFFIXES
from canasta_notation.quoting import QUOTED, shortened

#: What the examples read, and how to get it.
_GAME: Final = "game.canasta"
_MAKE_GAME: Final = f"To try it, `canasta generate -o {_GAME}` writes a random game."


#: How many columns of a wide terminal the help fills.
_WIDEST: Final = 100
#: What Typer raises for a wrong option or argument.
_USAGE: Final[Any] = typer.BadParameter.__base__


class _Commands(TyperGroup):
    """The commands; recognises a record that is given instead of a command."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        write_help(self, ctx, formatter, panels_of(self))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments name; say how to check a record."""
        first = args[0]
        if first not in self.commands and (
            os.path.exists(first) or first.lower().endswith(tuple(SUFFIXES))
        ):
            typer.echo(
                shortened(f"canasta: {first} is not a command; to check a record: canasta validate")
                + f" {shortened(first)}",
                err=True,
            )
            raise typer.Exit(2)
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **more: Any) -> Any:
        """Return the context of a command; it may write the help or the version."""
        with ended_by_session():
            return super().make_context(*args, **more)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; word the message of a wrong option for people."""
        try:
            with ended_by_session():
                return super().invoke(ctx)
        except _USAGE as error:
            worded = _worded(error) if isinstance(error, typer.BadParameter) else error.message
            error.message = shortened(worded)
            raise


def _worded(error: typer.BadParameter) -> str:
    """Return the message of a wrong option, without the words of Python's types."""
    errors: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)()
    kind = errors[0].get("type") if errors else None
    wanted = {"int_parsing": "a whole number", "float_parsing": "a number"}.get(kind or "")
    if wanted:
        return f"`{shortened(str(errors[0].get('input')), QUOTED)}` is not {wanted}"
    return error.message.removeprefix("Value error, ")


app = typer.Typer(
    name="canasta",
    cls=_Commands,
    help="Check, replay and score records of Canasta games.",
    epilog=f"`canasta help validate` says more about a command.\n{_MAKE_GAME}",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": _WIDEST},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # loading Rich takes longer than most commands
)


def _epilog(example: str) -> str:
    reads_game = _GAME in example and "-o game.canasta" not in example
    return f"Example: `{example}`" + (f"\n{_MAKE_GAME}" if reads_game else "")


for entry in COMMANDS:
    if isinstance(entry.function, typer.Typer):
        app.add_typer(entry.function, cls=CommandGroup, rich_help_panel=entry.group)
    else:
        command = app.command(
            entry.name, cls=Command, rich_help_panel=entry.group, epilog=_epilog(entry.line)
        )
        command(entry.function)


@app.command("help", cls=Command, rich_help_panel="Help", epilog="Example: `canasta help validate`")
def show_help(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND",
            help="A command, such as validate.",
            show_default=False,
            autocompletion=lambda: [entry.name for entry in COMMANDS],
        ),
    ] = None,
) -> None:
    """Show the help of a command."""
    app([*(names or ()), "--help"], prog_name="canasta")


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
