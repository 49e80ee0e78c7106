"""The parser: Lark with the packaged grammar. Its words go straight to the builder."""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from hashlib import sha256
from importlib.util import cache_from_source
from typing import Any, cast

from lark import Lark
from lark import __version__ as lark_version

from canasta_notation.notation.builder import (
    USUAL,
    Builder,
    Rejected,
    Spliced,
    Statement,
    line_of,
    read_usual,
)
from canasta_notation.resources import read_text


@cache
def parser() -> Lark:
    """Return the parser; its start rule `game` reads a text of many lines, `line` reads one line.

    Its tables are kept in a file beside Python's cached modules, under the same conditions. A
    damaged file is rebuilt; if the file cannot be written, the tables are built each time.
    """
    grammar = read_text("grammar", "canasta.lark")
    kept = _tables_file(grammar)
    if kept is None or os.path.exists(kept):
        return _build(grammar, kept)
    fresh = f"{kept}.{os.getpid()}"
    built = _build(grammar, fresh)
    if os.path.exists(fresh):
        os.replace(fresh, kept)  # never half a file, even if other processes write it too
    return built


def _build(grammar: str, tables: str | None) -> Lark:
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start=["game", "line", "usual"],
        maybe_placeholders=False,
        transformer=Builder(),
        tree_class=Spliced,
        cache=tables or False,
    )


def _tables_file(grammar: str) -> str | None:
    """Return the file for the tables of a grammar and this version of Lark, None without one."""
    if sys.dont_write_bytecode or sys.implementation.cache_tag is None:
        return None
    made_from = sha256(f"{lark_version} {grammar}".encode()).hexdigest()
    return f"{cache_from_source(__file__).removesuffix('.pyc')}.{made_from[:16]}.lark"


def parse_text(text: str, first_line: int = 1) -> list[Statement | Rejected]:
    """Return the statements of a text; the lines count from `first_line`.

    The usual lines are read first and replaced by empty ones, and the parser reads the rest. Raises
    lark.exceptions.UnexpectedInput for the first misplaced word.
    """
    match_usual = _usual_line().fullmatch
    lines = text.split("\n")
    statements: list[Statement | Rejected | None] = [None] * len(lines)
    for at, line in enumerate(lines):
        match = match_usual(line)
        if match:
            statements[at] = read_usual(match.lastgroup or "", line, first_line + at)
            lines[at] = ""
    rest = cast("list[Statement | Rejected]", _parse("\n".join(lines), "game", first_line))
    for statement in rest:
        statements[line_of(statement) - first_line] = statement
    return [statement for statement in statements if statement is not None]


@cache
def _usual_line() -> re.Pattern[str]:
    """Return Lark's pattern for the grammar's usual lines, with a group for each kind."""
    patterns = {name: parser().get_terminal(name).pattern.to_regexp() for name in USUAL}
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items()))


def parse_line(text: str, number: int = 1) -> Statement | Rejected | None:
    """Return the statement of one line, None for an empty one; raises as `parse_text` does."""
    return cast("Statement | Rejected | None", _parse(text, "line", number))


def _parse(text: str, start: str, first_line: int) -> object:
    """Parse a text whose lines count from `first_line`; `Lark.parse` has no parameter for this."""
    run: Any = parser().parse_interactive(text, start)
    run.lexer_thread.state.line_ctr.line = first_line
    return run.resume_parse()
