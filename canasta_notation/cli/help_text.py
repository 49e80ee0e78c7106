"""The help of the program and of each command, as plain text that fits a narrow terminal."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from itertools import compress
from typing import Any, Final

from typer.core import TyperCommand, TyperGroup

#: The most columns that the names of options take beside what they do.
_NAMES: Final = 22


class Command(TyperCommand):
    """A command whose help names each argument and option in the words of its declaration."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments. Some begin with `--` and are not options, such as comments in SQL."""
        end = args.index("--") if "--" in args else len(args)
        options = [each for each in self.params if each.param_type_name == "option"]
        takers = {name for each in options if not _is_flag(each) for name in each.opts}
        texts = [
            _is_text(arg) and before not in takers
            for before, arg in zip(["", *args], args[:end], strict=False)
        ]
        if any(texts):
            others = [arg for arg, text in zip(args, texts, strict=False) if not text]
            args = [*others, "--", *compress(args, texts), *args[end + 1 :]]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what follows the name of the command in its usage."""
        arguments = [each for each in self.params if each.param_type_name == "argument"]
        return [self.options_metavar or "", *map(_argument_name, arguments)]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        write_help(self, ctx, formatter, {})


class CommandGroup(TyperGroup):
    """Commands; the help shows those of the same panel together."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        write_help(self, ctx, formatter, panels_of(self))


def panels_of(group: TyperGroup) -> dict[str, list[tuple[str, str]]]:
    """Return the commands of a group by their panels, each with the sentence that begins its help.

    Commands without a panel are listed under "Commands".
    """
    panels: dict[str, list[tuple[str, str]]] = {}
    for name, command in group.commands.items():
        panel = getattr(command, "rich_help_panel", None)
        first = (command.help or "").partition("\n\n")[0]
        panels.setdefault(panel or "Commands", []).append((name, " ".join(first.split())))
    return panels


def write_help(
    command: Any, ctx: Any, formatter: Any, panels: Mapping[str, list[tuple[str, str]]]
) -> None:
    """Write the help of a command: usage, text, panels of commands, arguments, options, example."""
    formatter.write_usage(ctx.command_path, " ".join(command.collect_usage_pieces(ctx)))
    for text in (command.help or "").split("\n\n"):
        formatter.write_paragraph()
        formatter.write_text(_plain(text))
    params = [each for each in command.get_params(ctx) if not getattr(each, "hidden", False)]
    arguments = [each for each in params if each.param_type_name == "argument"]
    options = [each for each in params if each.param_type_name == "option"]
    sections = {
        **panels,
        "Arguments": [(_argument_name(each), each.help or "") for each in arguments],
        "Options": [(_option_name(each), _option_words(each, ctx)) for each in options],
    }
    for title, rows in sections.items():
        if rows:
            with formatter.section(title):
                formatter.write_dl([(name, _plain(words)) for name, words in rows], _NAMES)
    formatter.write_paragraph()
    for line in (command.epilog or "").splitlines():
        formatter.write_text(_plain(line))


def _is_text(arg: str) -> bool:
    """Return whether an argument begins with `--` and is not an option, which has no spaces."""
    name = arg.partition("=")[0]
    return arg.startswith("--") and (len(arg.splitlines()) > 1 or any(map(str.isspace, name)))


def _is_flag(option: Any) -> bool:
    return bool(option.is_flag or option.count)


def _plain(text: str) -> str:
    return " ".join(text.replace("`", "").split())


def _argument_name(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    several = "..." if argument.nargs != 1 else ""
    return f"{name}{several}" if argument.required else f"[{name}]{several}"


def _option_name(option: Any) -> str:
    names = ", ".join(sorted(option.opts, key=len))
    value = "" if _is_flag(option) else f" {_value_name(option)}"
    return names + value


def _value_name(option: Any) -> str:
    """Return the word for the value of an option; a number is N."""
    choices = option.type_descriptor.choices or ()
    return option.metavar or "|".join(str(each.value) for each in choices) or "N"


def _option_words(option: Any, ctx: Any) -> str:
    words = option.help or ""
    default = option.get_default(ctx, call=False)
    if isinstance(default, Enum):
        default = default.value
    if option.required:
        return f"{words} Required."
    return f"{words} [{default}]" if default and option.show_default else words
