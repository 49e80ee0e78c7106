"""The parser: Lark with the packaged grammar, whose words go straight to the builder."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import cache_from_source
from typing import Any, cast

from lark import Lark

from canasta_notation.notation.build import Builder, Rejected, Statement
from canasta_notation.resources import read_text


@cache
def parser() -> Lark:
    """Return the parser; `game` reads a text of many lines, `line` one line."""
    return Lark(
        read_text("grammar", "canasta.lark"),
        parser="lalr",
        lexer="contextual",
        start=["game", "line"],
        maybe_placeholders=False,
        transformer=Builder(),
        cache=_tables_file(),
    )


def _tables_file() -> str | bool:
    """Return the file in which Lark keeps its tables, False for none.

    It lies beside the compiled modules: written, left out and trusted as they are. Lark makes it
    anew for another grammar, another version of its own or of Python, and where it is damaged or
    cannot be written does without.
    """
    if sys.dont_write_bytecode or sys.implementation.cache_tag is None:
        return False
    return cache_from_source(__file__).removesuffix(".pyc") + ".lark"


def parse_text(text: str, first_line: int = 1) -> list[Statement | Rejected]:
    """Return the statements of a text; the lines count from `first_line`.

    Raises lark.exceptions.UnexpectedInput at the first word that cannot stand where it stands.
    """
    return cast("list[Statement | Rejected]", _parse(text, "game", first_line))


def parse_line(text: str, number: int = 1) -> Statement | Rejected | None:
    """Return the statement of one line, None for an empty one; raises as `parse_text` does."""
    return cast("Statement | Rejected | None", _parse(text, "line", number))


def _parse(text: str, start: str, first_line: int) -> object:
    """Parse with lines that count from `first_line`, for which `Lark.parse` has no parameter."""
    run: Any = parser().parse_interactive(text, start)
    run.lexer_thread.state.line_ctr.line = first_line
    return run.resume_parse()
