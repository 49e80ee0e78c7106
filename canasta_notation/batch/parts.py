"""Files and parts of files: long files are split between games, so that processes can share them.

A part is a run of bytes of one file. It knows the number of its first line and how many games come
before it, so findings have the same places as when the file is read in one piece. `notation.blocks`
says where a game begins.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Generic, NamedTuple, TypeVar

from canasta_notation.notation.blocks import (
    GAME_LIMIT,
    HEAD,
    NotText,
    Rest,
    check_text,
    game_chunks,
    next_game,
)
from canasta_notation.rules import Profile
from canasta_notation.scan.scan_state import Scan
from canasta_notation.scan.scanner import scan_game
from canasta_notation.scan.verified import VerifiedGame
from canasta_notation.storage import BadFile, refusal

if TYPE_CHECKING:
    from canasta_notation.notation.reader import Known, Reading
    from canasta_notation.replay.game_report import GameReport

#: The approximate size of a part in bytes: a part ends with the game in which it reaches this size.
PART_SIZE: Final = 1 << 19
_BOM: Final = b"\xef\xbb\xbf"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Input:
    """A record to read: `path` is None for standard input, `name` is its name in messages.

    `translate` yields the text, line by line, of a record in another form, and may raise BadFile;
    it is called in any process.
    """

    name: str
    path: str | None
    translate: Callable[[BinaryIO], Iterable[bytes]] | None = None


@dataclass(frozen=True, slots=True)
class FilePart:
    """The bytes of an input from `start` to `end`, or `data` if they cannot be read again.

    `line` is the number of its first line, from 1; `games` is how many games come before it. A part
    without an `end` is a whole input, or the rest of one after a game that is too long to search.
    Its bytes after `data` come from `stream`, or else from the input's path; with a `stream`, the
    part cannot be sent to another process. `last` marks the end of the input; `trouble` says why an
    input could not be opened.
    """

    input: Input
    start: int = 0
    end: int | None = None
    line: int = 1
    games: int = 0
    last: bool = True
    data: bytes | None = None
    stream: BinaryIO | None = None
    trouble: str | None = None
    #: The number of bytes, if it is known.
    size: int = 0


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """The result of a part: a value for each game, and the trouble that ended it, if any.

    `games` is the number of its last game. `problems` counts syntax errors, including those of
    earlier parts that were given. `stopped` says that the rest of the file is not read.
    """

    values: list[T]
    games: int
    problems: int = 0
    stopped: bool = False
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class Work(Generic[T]):
    """How to make a value from a game, in any process. Both this and the values can be pickled.

    `of_read` makes the value of a game that was read, from the file's name, the game and its number
    in the file. `of_verified` makes the value of a game that the fast path verified by the rules of
    the record or of the `override`, from the name and the game; without it, every game is read. If
    `rows` is true, the fast path also makes the rows of the games that it verifies.
    """

    of_read: Callable[[str, Reading, int], T]
    of_verified: Callable[[str, VerifiedGame], T] | None = None
    override: Profile | None = None
    rows: bool = False


# --- splitting ----------------------------------------------------------------------------------


def split(source: Input, size: int = PART_SIZE) -> Iterator[FilePart]:
    """Yield the parts of an input in order, at least one, each of about `size` bytes.

    An input that cannot be opened is one part with its `trouble`. Not checked: that it is text.
    """
    done: FilePart | None = None
    try:
        for part in _split(source, size):
            done = part
            yield part
    except OSError as error:
        start = 0 if done is None else done.start + done.size
        yield FilePart(source, start, trouble=trouble_of(source.name, error))


def _split(source: Input, size: int) -> Iterator[FilePart]:
    if source.path is None and source.translate is not None:
        yield FilePart(source, stream=sys.stdin.buffer)
        return
    if source.path is None:
        yield from _split_stream(FilePart(source), sys.stdin.buffer, size)
        return
    found = os.stat(source.path)
    if source.translate is not None:
        yield FilePart(source, size=found.st_size)
    elif not stat.S_ISREG(found.st_mode):
        with open(source.path, "rb") as stream:
            yield from _split_stream(FilePart(source), stream, size)
    elif found.st_size <= size:
        yield FilePart(source, end=found.st_size, size=found.st_size)
    else:
        with open(source.path, "rb") as stream:
            for part in _split_stream(FilePart(source), stream, size):
                yield replace(part, data=None, stream=None)


def _split_stream(part: FilePart, stream: BinaryIO, size: int) -> Iterator[FilePart]:
    """Yield the parts of a stream with their bytes; `part` is one of its input."""
    buffer = b""
    while True:
        piece = stream.read(size)
        buffer += piece
        if not piece:
            end = part.start + len(buffer)
            yield replace(part, end=end, data=buffer, size=len(buffer))
            return
        end = next_game(buffer, size)
        if end > 0:
            block, buffer = buffer[:end], buffer[end:]
            end += part.start
            yield replace(part, end=end, data=block, size=len(block), last=False)
            line = part.line + block.count(b"\n")
            part = replace(part, start=end, line=line, games=part.games + count_games(block))
        elif len(buffer) > GAME_LIMIT + size:
            yield replace(part, data=buffer, stream=stream)
            return


def count_games(block: bytes) -> int:
    """Return how many games there are in these bytes (at least 1)."""
    games, at = 1, 0
    while (at := next_game(block, at)) > 0:
        games += 1
    return games


# --- reading ------------------------------------------------------------------------------------


def work_part(part: FilePart, work: Work[T], problems: int = 0) -> Done[T]:
    """Verify the games of a part; `problems` counts the syntax errors of the parts before it.

    No error of a file is raised: the result says why a part could not be read.
    """
    if part.trouble:
        return Done([], part.games, trouble=part.trouble)
    name = part.input.name
    values: list[T] = []
    chunks = _chunks(part, fast=work.of_verified is not None)
    scan = Scan(work.override, rows=work.rows) if work.of_verified else None
    stream = GameStream(scan, part.line, part.games, problems)
    try:
        for found in stream.games_of(chunks, checked=part.start > 0):
            if isinstance(found, VerifiedGame):
                assert work.of_verified is not None
                values.append(work.of_verified(name, found))
            else:
                values.append(work.of_read(name, found, stream.games))
    except Exception as error:
        return Done([], part.games, trouble=trouble_of(name, error))
    return Done(values, stream.games, stream.problems, stream.stopped)


def trouble_of(name: str, error: Exception) -> str:
    """Return why a file cannot be read, in one line that names it.

    With CANASTA_DEBUG in the environment, an error of this program is raised again.
    """
    match error:
        case BadFile():
            return str(error)
        case NotText():
            return f"{name}: {error}"
        case OSError():
            return refusal(name, error)
        case RecursionError() | MemoryError():
            return f"{name}: the input is too large or too deeply nested"
        case _ if os.environ.get("CANASTA_DEBUG"):
            raise error
    return f"{name}: internal error: {type(error).__name__}: {error} (a bug in this program)"


def _chunks(part: FilePart, *, fast: bool) -> Iterator[bytes | Iterable[bytes]]:
    """Yield the bytes of each game or, if not `fast`, of all games; for an open end, its lines.

    Of a part with an end, the first bytes of the input are checked to be text.
    """
    if part.end is None:
        with _tail(part) as stream:
            yield stream if part.input.translate is None else part.input.translate(stream)
    else:
        block = _bytes(part)
        if part.start == 0:
            check_text(block[:HEAD])
            block = block.removeprefix(_BOM)
        start = 0
        while fast and (end := next_game(block, start)) > 0:
            yield block[start:end]
            start = end
        if block[start:].strip():
            yield block[start:]


def _bytes(part: FilePart) -> bytes:
    if part.data is not None:
        return part.data
    assert part.input.path is not None and part.end is not None
    with open(part.input.path, "rb") as stream:
        stream.seek(part.start)
        return stream.read(part.end - part.start)


@contextmanager
def _tail(part: FilePart) -> Iterator[Any]:
    """Open an input at the part's start, to be read to its end."""
    if part.data is not None:
        yield Rest(part.data, part.stream or io.BytesIO())
    elif part.stream is not None:
        yield part.stream
    else:
        assert part.input.path is not None
        with open(part.input.path, "rb") as stream:
            stream.seek(part.start)
            yield stream


# --- the games of a part ------------------------------------------------------------------------


class JudgedGame(NamedTuple):
    """A game and its report; `reading` is None if the fast path verified it from `text`."""

    report: GameReport | VerifiedGame
    reading: Reading | None = None
    text: bytes = b""


def judge_games(
    source: BinaryIO,
    *,
    override: Profile | None = None,
    fast: bool = True,
    rows: bool = False,
) -> Iterator[JudgedGame]:
    """Yield each game of a file with its report, in its order.

    `override` replaces the records' rules. Without `fast`, every game is read with Lark. `rows`
    says that reports will be needed. Memory is bounded by one game. Raises NotText if the source is
    not text.
    """
    stream = GameStream(Scan(override, rows=rows) if fast else None)
    for chunk in game_chunks(source) if fast else [source]:
        for found in stream.games_of([chunk], checked=fast):
            if isinstance(found, VerifiedGame):
                assert isinstance(chunk, bytes)
                yield JudgedGame(found, text=chunk)
            else:
                from canasta_notation.replay.game_replay import replay_game

                yield JudgedGame(replay_game(found.game, stream.games, rules=override), found)
        if stream.stopped:
            return


class GameStream:
    """The games of a file, or of a part of one: each verified by a scan, or else read.

    A game that is scanned to its end is verified: every action, every item, every total. Any
    other game is read by Lark, to be replayed; only a replay has findings.
    `known` are lines that the reader need not parse again.
    `games` is the number of the last game. `problems` counts syntax errors, and `stopped` says that
    after too many of them the rest is not read.
    """

    def __init__(
        self,
        scan: Scan | None,
        line: int = 1,
        games: int = 0,
        problems: int = 0,
        known: Known | None = None,
    ) -> None:
        self.scan = scan
        self.line = line
        self.games = games
        self.problems = problems
        self.known = known
        self.stopped = False

    def games_of(
        self, chunks: Iterable[bytes | Iterable[bytes]], *, checked: bool
    ) -> Iterator[VerifiedGame | Reading]:
        """Yield each game of chunks: the bytes of one game or, for the reader, the lines of many.

        `checked` says that the first lines are known to be text; bytes always are.
        """
        for chunk in chunks:
            found = None
            if self.scan is not None and isinstance(chunk, bytes):
                found = scan_game(self.scan, chunk, self.games + 1, self.line)
            if found is not None:
                self.games += 1
                self.line += found.lines
                yield found
            elif isinstance(chunk, bytes):
                yield from self._read(io.BytesIO(chunk), checked=True)
                self.line += chunk.count(b"\n")
            else:
                yield from self._read(chunk, checked=checked)
            if self.stopped:
                return

    def _read(self, lines: Iterable[bytes], *, checked: bool) -> Iterator[Reading]:
        # The reader is loaded only when needed: verified games start without it.
        from canasta_notation.notation.assemble import Problems
        from canasta_notation.notation.reader import PROBLEM_LIMIT, read_games

        counted = Problems(PROBLEM_LIMIT)
        counted.count = self.problems
        for reading in read_games(
            lines,
            first_line=self.line,
            games=self.games,
            problems=counted,
            checked=checked,
            known=self.known,
        ):
            self.games += 1
            yield reading
        self.problems, self.stopped = counted.count, counted.stopped
