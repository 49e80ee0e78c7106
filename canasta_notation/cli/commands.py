"""The table of commands: the one place where the program names what stands outside its core."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

_PACKAGE: Final = "canasta_notation"


@dataclass(frozen=True)
class CommandEntry:
    """A command: the heading under which the help lists it, its module, its name, an example.

    The module is named below the package and has a function of the command's name, or the Typer of
    a group of commands. The example is what follows `canasta NAME`.
    """

    group: str
    module: str
    name: str
    example: str = ""

    @property
    def line(self) -> str:
        """The example as a whole line."""
        return f"canasta {self.name} {self.example}".rstrip()

    @property
    def is_installed(self) -> bool:
        """Whether the package with the command is there; a copy may hold the core alone."""
        return find_spec(f"{_PACKAGE}.{self.module.split('.')[0]}") is not None

    @cached_property
    def function(self) -> Any:
        """The function with the arguments of the command, or the Typer of a group."""
        return getattr(import_module(f"{_PACKAGE}.{self.module}"), self.name)


_CHECK: Final = "Check and settle"
_LOOK: Final = "Look"
_RECORD: Final = "Record and convert"
_MANY: Final = "Many games"
_TURN: Final = "game.canasta --deal 1 --turn 7"
_ENTRIES: Final = (
    CommandEntry(_CHECK, "cli.validate_command", "validate", "game.canasta"),
    CommandEntry(_CHECK, "cli.validate_command", "audit", "game.canasta"),
    CommandEntry(_CHECK, "cli.rules_command", "rules", "classic davenport"),
    CommandEntry(_CHECK, "cli.rules_command", "explain", '"red threes"'),
    CommandEntry(_LOOK, "cli.replay_command", "replay", _TURN),
    CommandEntry(_LOOK, "page.page_command", "page", "game.canasta -o game.html"),
    CommandEntry(_LOOK, "page.page_command", "diagram", f"{_TURN} -o table.svg"),
    CommandEntry(_LOOK, "cli.replay_command", "legal", _TURN),
    CommandEntry(_LOOK, "story.analyze_command", "analyze", "game.canasta"),
    CommandEntry(_RECORD, "cli.record_command", "record", "evening.canasta"),
    CommandEntry(_RECORD, "cli.convert_command", "convert", "game.canasta --to json -o game.json"),
    CommandEntry(_RECORD, "cli.format_command", "format", "--check game.canasta"),
    CommandEntry(_RECORD, "editor.lsp_command", "lsp"),
    CommandEntry(_RECORD, "app.app_command", "app", "-o score-pad --pyodide pyodide.tgz"),
    CommandEntry(_MANY, "players.generate_command", "generate", "--seed 7 -o game.canasta"),
    CommandEntry(_MANY, "corpus.corpus_command", "corpus"),
    CommandEntry(_MANY, "exercises.learn_command", "learn", "evenings --player Ana"),
    CommandEntry("Other programs", "conformance.conform_command", "conform"),
)
#: The commands that are there, in the order in which the help lists them.
COMMANDS: Final = tuple(entry for entry in _ENTRIES if entry.is_installed)
