"""The reader: records from bytes or text, one game at a time, with every error in the text.

A game is parsed in one piece. If that fails, each line is parsed alone, so every error is reported
and none affects another line. Only a wrapped line is lost together with the lines that continue it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from lark import Token
from lark.exceptions import UnexpectedInput

from canasta_notation.findings import Finding, Span
from canasta_notation.notation.assemble import Assembler, Problems
from canasta_notation.notation.blocks import GAME_LIMIT, LINE_LIMIT, Block, NotText, read_blocks
from canasta_notation.notation.builder import Rejected, Statement, line_of
from canasta_notation.notation.diagnose import explain, explain_wrapped
from canasta_notation.notation.document import Deal, Game, HandLine, Line, MeldsLine, Tag, Turn
from canasta_notation.notation.recover import recover
from canasta_notation.notation.syntax import parse_line, parse_text
from canasta_notation.notation.tag_values import note_player

__all__ = ["PROBLEM_LIMIT", "NotText", "Reading", "read_games", "read_line", "read_text"]

#: After this many findings in a file, one more finding says that the rest was not read.
PROBLEM_LIMIT: Final = 200
#: How many characters of an overlong line are kept for an excerpt.
_EXCERPT: Final = 80
_BLANK_OR_COMMENT: Final = re.compile(rb"[ \t]*(?:;|$)")
_DEAL_LINE: Final = re.compile(
    r"[^\w;\[]*(?:\w?deal\b|[deal]{3,5}[ \t]+\d|(?:round|hand|game)[ \t]*#?\d+\W*$)"
    r"|[^;\[]*\bdealer\b",
    re.IGNORECASE,
)
_CGN_LINE: Final = re.compile(r"[^\w;\[]*\[?[ \t]*CGN\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """A game as read, and what is wrong with its text.

    `problems` are the findings of the codes syntax, version and duplicate-tag, in the order of
    their lines. They have a `game`, a `deal` if the line is in one, and no `turn`. `lines` are the
    game's lines in the file; the first of them has the number `first_line`.
    """

    game: Game
    problems: tuple[Finding, ...]
    lines: list[str] = field(compare=False)
    first_line: int = 1


def read_games(
    source: Iterable[bytes],
    *,
    first_line: int = 1,
    games: int = 0,
    problems: Problems | None = None,
    checked: bool = False,
    only: int | None = None,
) -> Iterator[Reading]:
    """Yield each game of a file, or of any lines of bytes with their line ends.

    If the source is a part of a file, `first_line` is the number of its first line, `games` is how
    many games come before it, and `problems` counts the findings so far. `checked` says that the
    beginning of the file is known to be text and has no byte-order mark here. With `only`, the
    games before that one are skipped unread, and nothing after it is read.

    A game begins at a line `[CGN ` after a deal; a source with nothing but comments and blank lines
    yields nothing. After `PROBLEM_LIMIT` findings, and after a game of more than 8 MiB, a last
    finding says that the rest was not read. Raises NotText if the source is not text, and
    LookupError if there is no game `only`. Only the text is checked; whether the record can be true
    is for the replay to decide.
    """
    problems = problems or Problems(PROBLEM_LIMIT)
    number = games
    for block in read_blocks(source, first_line, checked=checked):
        if all(map(_BLANK_OR_COMMENT.match, block.lines)):
            continue
        number += 1
        if only in (None, number):
            yield _read_block(block, number, problems)
        if problems.stopped or number == only:
            return
    if only is not None:
        none = "there is no game in this file"
        raise LookupError(f"has no game {only}; it has {number}" if number else none)


def read_text(text: str) -> Iterator[Reading]:
    """Yield each game of a text; see `read_games`."""
    return read_games(io.BytesIO(text.encode("utf-8", "surrogatepass")))


def read_line(text: str, number: int = 1) -> Line | Deal | Finding | None:
    """Return the value of a line, None for a blank line or a comment, or what is wrong with it.

    For recorders. `text` has no line end; `number` is its line in the file, for the finding. Not
    checked: whether the line may come at its place in the record.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    result = _read(text, number) if size <= LINE_LIMIT else _too_long(number)
    return None if isinstance(result, Token) else result


def _read_block(block: Block, number: int, problems: Problems) -> Reading:
    assembler = Assembler(number, problems)
    statements = _parse_whole(block)
    if statements is not None:
        stopped = _add_statements(statements, assembler)
        version_unread = False
    else:
        stopped, version_unread = _add_lines(block, assembler)
    if stopped:
        message = f"the rest of the file is not read, after {problems.limit} errors"
        _stop(block, stopped, message, assembler)
    elif block.cut:
        line = block.first_line + len(block.lines) - 1
        message = f"the rest of the file is not read: a game of more than {GAME_LIMIT >> 20} MiB"
        _stop(block, line, message, assembler)
    game = assembler.finish(version_unread=version_unread or bool(stopped))
    game = replace(game, problems=tuple(assembler.findings), number=number)
    return Reading(game, game.problems, _excerpt_lines(block), block.first_line)


def _parse_whole(block: Block) -> list[Statement] | None:
    """Return the statements of a game, None if a line cannot be read.

    Also None if a hand line follows a turn or melds: it may be a wrapped group, as in `A:AsAhAd`.
    """
    if block.long:
        return None
    try:
        built = parse_text(b"\n".join(block.lines).decode("utf-8"), block.first_line)
    except (UnexpectedInput, UnicodeDecodeError):
        return None
    statements = [each for each in built if not isinstance(each, Rejected)]
    for above, below in pairwise(statements):
        if type(below) is HandLine and isinstance(above, (Turn, MeldsLine)):
            return None
    return statements if len(statements) == len(built) else None


def _add_statements(statements: list[Statement], assembler: Assembler) -> int:
    """Add statements; return the line at which there were too many findings, or 0."""
    for statement in statements:
        if assembler.full:
            return line_of(statement)
        assembler.add(statement)
    return 0


def _add_lines(block: Block, assembler: Assembler) -> tuple[int, bool]:
    """Parse and add each line alone.

    Returns the line at which there were too many findings, or 0, and whether a CGN tag is unread.
    """
    version_unread = False
    for read in _read_lines(block):
        if assembler.full:
            return read.line, version_unread
        if not read.faults:
            if read.statement is not None:
                assembler.add(read.statement)
            continue
        known = None if read.long else recover(read.text, read.faults[0].span)
        if known is not None and not (known and read.wrapped):
            for statement in known:
                assembler.add(statement)
            for fault in read.faults:
                assembler.add_finding(fault)
            continue
        version_unread = version_unread or _CGN_LINE.match(read.text) is not None
        for fault in read.faults:
            assembler.refuse(fault, deal_line=_DEAL_LINE.match(read.text) is not None)
        if read.wrapped:
            assembler.skip(read.line)
    return 0, version_unread


@dataclass(slots=True)
class _Read:
    """A line, and the lines that continue it: joined to `text`, each with its own fault."""

    line: int
    text: str
    long: bool
    statement: Statement | None = None
    faults: list[Finding] = field(default_factory=list)
    wrapped: bool = False


def _read_lines(block: Block) -> Iterator[_Read]:
    """Yield what each line says alone; a line and those that continue it come together."""
    above: _Read | None = None
    players: dict[str, str] = {}
    for index, line in enumerate(block.lines):
        number, long = block.first_line + index, index in block.long
        text = line.decode("utf-8", "replace")
        result = _too_long(number) if long else _read_bytes(line, number, players)
        if isinstance(result, Tag):
            note_player(players, result)
        fault = None
        unread = isinstance(result, Finding)
        if above and not long and (unread or above.faults or isinstance(result, HandLine)):
            fault = explain_wrapped(above.text, text, number, readable=not unread)
        if above and fault:
            above.faults = [*(above.faults if above.wrapped else ()), fault]
            above.text, above.wrapped = f"{above.text} {text}", True
            continue
        if above:
            yield above
        above = _Read(number, text, long)
        if isinstance(result, Finding):
            above.faults = [result]
        else:
            above.statement = result
    if above:
        yield above


def _stop(block: Block, line: int, message: str, assembler: Assembler) -> None:
    assembler.stop(Finding("syntax", "error", message, Span(line, 1, 2)))
    for index in range(line - block.first_line, len(block.lines)):
        if not _BLANK_OR_COMMENT.match(block.lines[index]):
            assembler.skip(block.first_line + index)


def _read_bytes(line: bytes, number: int, players: Mapping[str, str]) -> Statement | Finding | None:
    try:
        return _read(line.decode("utf-8"), number, players)
    except UnicodeDecodeError as error:
        column = len(line[: error.start].decode("utf-8")) + 1
        return Finding(
            "syntax",
            "error",
            f"a byte that is not UTF-8: 0x{line[error.start]:02x}",
            Span(number, column, column + 1),
            help="save the file as UTF-8",
        )


def _read(
    text: str, number: int, players: Mapping[str, str] | None = None
) -> Statement | Finding | None:
    """Return what a line says, or what is wrong with it; `players` maps names to seats."""
    try:
        statement = parse_line(text, number)
    except UnexpectedInput as error:
        return explain(text, number, error, players)
    return statement.finding() if isinstance(statement, Rejected) else statement


def _too_long(number: int) -> Finding:
    message = f"a line of more than {LINE_LIMIT >> 10} KiB"
    return Finding(
        "syntax", "error", message, Span(number, 1, 2), help="write one turn or list on each line"
    )


def _excerpt_lines(block: Block) -> list[str]:
    """Return the lines as text, with overlong lines shortened."""
    texts = [line.decode("utf-8", "replace") for line in block.lines]
    for index in block.long:
        texts[index] = texts[index][:_EXCERPT] + "…"
    return texts
