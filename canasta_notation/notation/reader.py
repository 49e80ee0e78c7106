"""The reader: records from bytes or text, one game at a time, with every error in the text.

A game is parsed in one piece, by Lark with the packaged grammar, whose words go straight to the
builder. If that fails, each line is parsed alone, so every error is reported and none affects
another line. Only a wrapped line is lost together with the lines that continue it.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from hashlib import sha256
from importlib.util import cache_from_source
from itertools import pairwise
from typing import Any, Final, cast

from lark import Lark, Token
from lark import __version__ as lark_version
from lark.exceptions import UnexpectedInput

from canasta_notation.findings import Finding, Span
from canasta_notation.notation.assemble import Assembler, Problems
from canasta_notation.notation.blocks import GAME_LIMIT, LINE_LIMIT, Block, NotText, read_blocks
from canasta_notation.notation.builder import (
    USUAL,
    Builder,
    Rejected,
    Spliced,
    Statement,
    line_of,
    read_usual,
)
from canasta_notation.notation.document import (
    JUDGING_TAGS,
    Deal,
    Game,
    HandLine,
    Line,
    MeldsLine,
    Tag,
    Turn,
)
from canasta_notation.notation.tag_values import note_player
from canasta_notation.quoting import quoted, shortened
from canasta_notation.resources import packaged_text

__all__ = ["PROBLEM_LIMIT", "Known", "NotText", "Reading", "read_games", "read_line", "read_text"]

#: After this many findings in a file, one more finding says that the rest was not read. Several
#: errors of one line count as one.
PROBLEM_LIMIT: Final = 200
#: The most lines that continue another: each is parsed with all those before it.
_CONTINUED: Final = 30
#: How many characters of an overlong line are kept for an excerpt.
_EXCERPT: Final = 80
_BLANK_OR_COMMENT: Final = re.compile(rb"[ \t]*(?:;|$)")
_DEAL_LINE: Final = re.compile(
    r"[^\w;\[]*(?:\w?deal\b|[deal]{3,5}[ \t]+\d|(?:round|hand|game)[ \t]*#?\d+\W*$)"
    r"|[^;\[]*\bdealer\b",
    re.IGNORECASE,
)
_CGN_LINE: Final = re.compile(r"[^\w;\[]*+(?:\[[ \t]*)?CGN\b", re.IGNORECASE)
_FIRST_WORD: Final = re.compile(r"[^ \t;]+")
#: The beginning of a line that has a mistake of its own: `# a remark`, `5 E +Kd`, `A remark by me`.
_MISREAD: Final = re.compile(r"[ \t]*(?:[#!?*]|\d+[ \t]+[A-Z]|\w+(?:[ \t]+[a-z]{2,}){2})")
#: Lines that were read, by their numbers: each with what it says.
Known = dict[int, tuple[str, Statement]]


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
    known: Known | None = None,
) -> Iterator[Reading]:
    """Yield each game of a file, or of any lines of bytes with their line ends.

    If the source is a part of a file, `first_line` is the number of its first line, `games` is how
    many games come before it, and `problems` counts the findings so far. `checked` says that the
    beginning of the file is known to be text and has no byte-order mark here. With `only`, the
    games before that one are skipped unread, and nothing after it is read. A line that is `known`
    is not parsed again; what is parsed is added.

    A game begins at a line `[CGN ` after a deal; a source with nothing but comments and blank lines
    yields nothing. After `PROBLEM_LIMIT` findings, and after a game of more than 8 MiB, a last
    finding says that the rest was not read. Raises NotText if the source is not text, and
    LookupError if there is no game `only`. Only the text is checked; whether the record can be true
    is for the replay to decide.
    """
    problems = problems or Problems(PROBLEM_LIMIT)
    number = games
    for block in read_blocks(source, first_line, checked=checked):
        if not block.cut and all(map(_BLANK_OR_COMMENT.match, block.lines)):
            continue
        number += 1
        if only in (None, number):
            yield _read_block(block, number, problems, known)
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
    result = _read(text, number, {}) if size <= LINE_LIMIT else [_too_long(number)]
    if isinstance(result, list):
        return result[0]
    return None if isinstance(result, Token) else result


def parse_turn(text: str) -> Turn:
    """Return the turn that a line spells, such as `4. W +2s A:AsAdAc -3c`.

    Raises ValueError, with the place in the line, for a text that is not a turn. Not checked:
    whether the turn is legal.
    """
    read = read_line(text) if isinstance(text, str) and "\n" not in text else None
    if isinstance(read, Turn):
        return read
    if isinstance(read, Finding):
        remedy = f" ({read.help})" if read.help else ""
        raise ValueError(shortened(f"column {read.span.column}: {read.message}{remedy}"))
    raise ValueError(f"not a turn such as '1. N +4h -4h': {quoted(text)}")


# --- games and lines ------------------------------------------------------------------------------


def _read_block(block: Block, number: int, problems: Problems, known: Known | None) -> Reading:
    assembler = Assembler(number, problems)
    statements = _parse_whole(block, known)
    if statements is not None:
        stopped = _add_statements(statements, assembler)
        version_unread = False
    else:
        stopped, version_unread = _add_lines(block, assembler, known)
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


def _parse_whole(block: Block, known: Known | None) -> list[Statement] | None:
    """Return the statements of a game, None if a line cannot be read, or may be a wrapped group."""
    if block.long:
        return None
    try:
        built = parse_text(b"\n".join(block.lines).decode("utf-8"), block.first_line, known)
    except (UnexpectedInput, UnicodeDecodeError):
        return None
    statements = [each for each in built if not isinstance(each, Rejected)]
    for above, below in pairwise(statements):
        if _may_be_group(below, above):
            return None
    return statements if len(statements) == len(built) else None


def _may_be_group(below: object, above: object) -> bool:
    """Return whether a hand line may be a wrapped group of the line above, as in `A:AsAhAd`."""
    return type(below) is HandLine and isinstance(above, (Turn, MeldsLine))


def _add_statements(statements: list[Statement], assembler: Assembler) -> int:
    """Add statements; return the line at which there were too many findings, or 0."""
    for statement in statements:
        if assembler.full:
            return line_of(statement)
        assembler.add(statement)
    return 0


def _add_lines(block: Block, assembler: Assembler, known: Known | None) -> tuple[int, bool]:
    """Parse and add each line alone.

    Returns the line at which there were too many findings, or 0, and whether a CGN tag is unread.
    """
    version_unread = False
    for read in _read_lines(block, known):
        if assembler.full:
            return read.line, version_unread
        if not read.faults:
            if read.statement is not None:
                assembler.add(read.statement)
            continue
        certain = None if read.long else _recover(read.text, read.faults[0].span)
        if certain is not None and not (certain and read.wrapped):
            for statement in certain:
                assembler.add(statement)
            for fault in read.faults:
                assembler.add_finding(fault)
            continue
        version_unread = version_unread or _CGN_LINE.match(read.text) is not None
        for fault in read.further:
            assembler.add_further(fault)
        for fault in read.faults:
            deal_line = _DEAL_LINE.match(read.text) is not None
            assembler.refuse(fault, deal_line=deal_line, tags=_possible_tags(read.text))
        if read.wrapped:
            assembler.skip(read.line)
    return 0, version_unread


@dataclass(slots=True)
class _Read:
    """A line, and the lines that continue it: joined to `text`, each with its own fault.

    `further` are the errors of a line alone after its first one.
    """

    line: int
    text: str
    long: bool
    statement: Statement | None = None
    faults: list[Finding] = field(default_factory=list)
    further: list[Finding] = field(default_factory=list)
    wrapped: bool = False


def _read_lines(block: Block, known: Known | None) -> Iterator[_Read]:
    """Yield what each line says alone; a line and those that continue it come together.

    At most `_CONTINUED` lines continue one; what follows them is read alone.
    """
    above: _Read | None = None
    players: dict[str, str] = {}
    for index, line in enumerate(block.lines):
        number, long = block.first_line + index, index in block.long
        text = line.decode("utf-8", "replace")
        bad = [_too_long(number)] if long else _bad_bytes(line, text, number)
        result = bad or _read(text, number, players, known)
        if isinstance(result, Tag):
            note_player(players, result)
        fault = None
        unread = isinstance(result, list)
        group = above is not None and _may_be_group(result, above.statement)
        open_ = above is not None and number - above.line <= _CONTINUED
        if above and open_ and not bad and (unread or above.faults or group):
            fault = _explain_wrapped(above.text, text, number, readable=not unread)
        if above and fault:
            above.faults = [*(above.faults if above.wrapped else ()), fault]
            above.text, above.further, above.wrapped = f"{above.text} {text}", [], True
            continue
        if above:
            yield above
        above = _Read(number, text, long)
        if isinstance(result, list):
            above.faults, above.further = result[:1], result[1:]
        else:
            above.statement = result
    if above:
        yield above


def _stop(block: Block, line: int, message: str, assembler: Assembler) -> None:
    assembler.stop(Finding("syntax", "error", message, Span(line, 1, 2)))
    for index in range(line - block.first_line, len(block.lines)):
        if not _BLANK_OR_COMMENT.match(block.lines[index]):
            assembler.skip(block.first_line + index)


def _bad_bytes(line: bytes, text: str, number: int) -> list[Finding]:
    """Return a finding about the first byte of a line that is not UTF-8, none without such a byte.

    `text` is the line with U+FFFD in the place of such bytes.
    """
    if "\ufffd" not in text:
        return []
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        column = len(line[: error.start].decode("utf-8")) + 1
        message = f"a byte that is not UTF-8: 0x{line[error.start]:02x}"
        span = Span(number, column, column + 1)
        return [Finding("syntax", "error", message, span, help="save the file as UTF-8")]
    return []


def _read(
    text: str, number: int, players: Mapping[str, str], known: Known | None = None
) -> Statement | list[Finding] | None:
    """Return what a line says, or what is wrong with it; `players` maps names to seats."""
    statement = _read_unparsed(text, number, known)
    try:
        statement = statement or parse_line(text, number)
    except UnexpectedInput as error:
        from canasta_notation.notation.diagnose import explain

        return explain(text, number, error, players, partial(parse_line, number=number))
    if isinstance(statement, Rejected):
        return list(statement.findings)
    if statement is not None:
        _note(statement, text, known)
    return statement


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


def _explain_wrapped(above: str, text: str, line: int, *, readable: bool) -> Finding | None:
    """Return the finding for a line that continues the line `above`, None if it does not.

    It does if both can be read as one line; if `text` is not `readable` alone, it is enough that
    its first word can be read. A line below a comment never continues another.
    """
    from canasta_notation.notation.diagnose import LOOKED_AT, column_of, explain_continued

    above, below = above.strip(" \t"), text.strip(" \t")
    first = _FIRST_WORD.match(below)
    if not above or not first or ";" in above or len(above) + len(text) > LOOKED_AT:
        return None
    joined = f"{above} {below}"
    try:
        if isinstance(parse_line(joined), Rejected):
            return None
    except UnexpectedInput as error:
        read = column_of(joined, error) > len(above) + len(first[0])
        if readable or _MISREAD.match(text) or not read:
            return None
    column = text.index(first[0]) + 1
    return explain_continued(first[0], Span(line, column, column + len(first[0])))


# --- lines that cannot be read --------------------------------------------------------------------

_NAMED_TAG: Final = re.compile(
    "[ \t]*\\[[ \t]*(?P<name>[A-Za-z][A-Za-z0-9_-]*)(?=[ \t\"'=:\\]\u2018-\u201f\u00ab\u00bb]|$)"
)
#: A whole tag. A `;` in its value does not begin a comment.
_WHOLE_TAG: Final = re.compile(r'[ \t]*\[[^"]*"(?:\\.|[^"\\])*"[ \t]*\]')
_JUDGING: Final = re.compile(rf"\[[ \t]*(?:{'|'.join(JUDGING_TAGS)})\b", re.IGNORECASE)
_COMMENT_LINE: Final = re.compile(r"[ \t]*;")
#: What shows that a line may be meant as a tag that decides how deals are judged, in any words.
_MEANT: Final = {
    "CGN": r"\[|\bcgn\b",
    "Rules": r"\[|=|\brules?\b|\b(?:{profiles})\b",
    "Target": r"\[|\btarget\b|\d00\b",
    "Dealer": r"\[|\bdealer\b",
}
#: The part of a turn from its discard on, and the words there that are not part of the play: clocks
#: and annotations, however they are spelled.
_AFTER_DISCARD: Final = re.compile(r"(?<=[ \t]-)[^ \t].*")
_REMARK: Final = re.compile(r"(?<=[ \t])[@!?$][^ \t]*")


def _possible_tags(text: str) -> frozenset[str]:
    """Return the tags of `JUDGING_TAGS` that an unreadable line may be meant as."""
    return frozenset(name for name, meant in _meant().items() if meant.search(text))


@cache
def _meant() -> dict[str, re.Pattern[str]]:
    from canasta_notation.rules.load import profile_names

    profiles = "|".join(map(re.escape, profile_names()))
    return {
        name: re.compile(pattern.replace("{profiles}", profiles), re.IGNORECASE)
        for name, pattern in _MEANT.items()
    }


def _recover(text: str, fault: Span) -> tuple[Statement, ...] | None:
    """Return what a line certainly says although it cannot be read at `fault`.

    Nothing is repaired. What is damaged is left out, and the rest of the line is read as it is: a
    comment, a clock, an annotation, a tag that does not affect how deals are judged, and what
    stands before the first word and is not seen, such as a form feed. Two lines that were written
    as one are both read if they are tags, or a tag and a `deal` line.

    Returns the statements, none if the line says nothing that the deals need; None if the damage
    may concern the play.
    """
    if _COMMENT_LINE.match(text):
        return ()
    beginning = _nothing_seen().match(text)
    if beginning:
        text = " " * beginning.end() + text[beginning.end() :]
        statement = _parse_part(text, fault.line)
        if statement is not None or not text.strip():
            return () if statement is None else (statement,)
    tag = _WHOLE_TAG.match(text)
    cut = text.find(";", tag.end() if tag else 0)
    if 0 <= cut < fault.column:
        statement = _parse_part(text[:cut], fault.line)
        if statement is not None:
            return (statement,)
    if _NAMED_TAG.match(text):
        joined = _joined(text, fault.line)
        return joined or (None if _JUDGING.search(text) else ())
    turn = _parse_part(
        _AFTER_DISCARD.sub(_without_remarks, text[: cut if cut >= 0 else None]), fault.line
    )
    return (turn,) if isinstance(turn, Turn) else None


@cache
def _nothing_seen() -> re.Pattern[str]:
    """Return the pattern of control characters and other signs that are not seen."""
    from canasta_notation.notation.diagnose import SPACES, UNSEEN

    return re.compile(rf"[\x00-\x20\x7f-\x9f{UNSEEN}{SPACES}]+")


def _joined(text: str, line: int) -> tuple[Statement, ...]:
    """Return the tags of a line, and the deal that follows the last; none if it is anything else.

    Each has its place in the whole line.
    """
    from canasta_notation.notation.diagnose import LOOKED_AT

    found: list[Statement | None] = []
    at, length = 0, len(text.rstrip())
    while at < length <= LOOKED_AT:
        tag = _WHOLE_TAG.match(text, at)
        more = text[tag.end() :].lstrip()[:1] if tag else ""
        end = tag.end() if tag and more not in ("", ";") else len(text)
        found.append(_parse_part(" " * at + text[at:end], line))
        at = end
    kinds = [type(each) for each in found]
    if {*kinds[:-1]} != {Tag} or kinds[-1] not in (Tag, Deal):
        return ()
    return tuple(each for each in found if each is not None)


def _without_remarks(after_discard: re.Match[str]) -> str:
    return _REMARK.sub(lambda word: " " * len(word[0]), after_discard[0])


def _parse_part(text: str, line: int) -> Statement | None:
    try:
        statement = parse_line(text, line)
    except UnexpectedInput:
        return None
    return None if isinstance(statement, Rejected) else statement


# --- the parser -----------------------------------------------------------------------------------


@cache
def parser() -> Lark:
    """Return the parser; its start rule `game` reads a text of many lines, `line` reads one line.

    Its tables are kept in a file beside Python's cached modules, under the same conditions. A
    damaged file is rebuilt; if the file cannot be written, the tables are built each time.
    """
    grammar = packaged_text("grammar", "canasta.lark")
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


def parse_text(
    text: str, first_line: int = 1, known: Known | None = None
) -> list[Statement | Rejected]:
    """Return the statements of a text; the lines count from `first_line`.

    The usual lines and those that are `known` are read first and replaced by empty ones, and the
    parser reads the rest. Raises lark.exceptions.UnexpectedInput for the first misplaced word.
    """
    lines = text.split("\n")
    statements = [_read_unparsed(line, at, known) for at, line in enumerate(lines, first_line)]
    unread = ["" if statements[at] else line for at, line in enumerate(lines)]
    rest = cast("list[Statement | Rejected]", _parse("\n".join(unread), "game", first_line))
    for statement in rest:
        at = line_of(statement) - first_line
        statements[at] = statement
        _note(statement, lines[at], known)
    return [statement for statement in statements if statement is not None]


def _read_unparsed(text: str, number: int, known: Known | None) -> Statement | Rejected | None:
    """Return the statement of a line that is known or usual, None if the parser has to read it."""
    if known is not None:
        held = known.get(number)
        if held is not None and held[0] == text:
            return held[1]
    match = _usual_line().fullmatch(text)
    if not match:
        return None
    statement = read_usual(match.lastgroup or "", text, number)
    _note(statement, text, known)
    return statement


def _note(statement: Statement | Rejected, text: str, known: Known | None) -> None:
    """Add a line to the known ones, unless it says something twice."""
    if known is not None and not isinstance(statement, Rejected):
        known[line_of(statement)] = text, statement


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
