"""Many records: work for the processes, a progress bar, and JSON written as results arrive."""

from __future__ import annotations

import os
import select
import shutil
import signal
import stat
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Self, TextIO, TypeVar

from canasta_notation.cli.files import Source, canonical_lines
from canasta_notation.cli.session import Session, UserError

if TYPE_CHECKING:
    from canasta_notation.batch.jobs import Piece
    from canasta_notation.batch.parts import Input, Work
    from canasta_notation.foreign.spreadsheet_columns import SpreadsheetReading
    from canasta_notation.foreign.spreadsheet_map import ColumnMap

#: From this many bytes on, a progress bar is shown.
_LONG: Final = 2 << 20
#: How many characters of a list that waits to be written stay in memory.
_HELD: Final = 1 << 20
#: How often a long command checks whether its output is still read, in seconds.
_LOOK: Final = 0.25
T = TypeVar("T")


def work_results(
    session: Session,
    sources: list[Source],
    work: Work[T],
    jobs: int,
    columns: ColumnMap | None = None,
) -> Iterator[Piece[T]]:
    """Yield the results of `work` for the games of records, in order; report unreadable records.

    `columns` are the names that score sheets use. Standard error shows the progress if it is a
    terminal.
    """
    from canasta_notation.batch.jobs import verify_paths
    from canasta_notation.batch.parts import PART_SIZE

    # Games with their rows take several times as long; smaller parts end soon after Ctrl-C too.
    size = PART_SIZE >> 3 if work.rows else PART_SIZE
    if jobs != 1 and work.of_verified is None:
        from canasta_notation.notation.reader import parser

        parser()  # loaded once for all processes that fork; verified games do not need it
    long = _LONG >> 4 if work.rows else _LONG
    with Bar(total_size(sources), "checking", long=long) as bar:
        inputs = (
            _spreadsheet_input(session, source, work, columns) or input_of(source)
            for source in sources
        )
        for piece in verify_paths(inputs, work, jobs=jobs, part_size=size, progress=bar.advance):
            with bar.hidden():
                yield piece
                if piece.trouble:
                    session.fail(piece.trouble)


def _spreadsheet_input(
    session: Session, source: Source, work: Work[T], columns: ColumnMap | None
) -> Input | None:
    """Return a score sheet as an input with the text of its games; None for a record.

    It is read here, so that the report of what was understood appears only once.
    """
    from canasta_notation.cli.files import is_score_sheet

    if source.path is None or not is_score_sheet(source.name):
        return None
    from canasta_notation.batch.parts import Input
    from canasta_notation.cli.files import rules_of_map, spreadsheet_reading

    reading = spreadsheet_reading(work.override or rules_of_map(columns), columns)
    found = _sheet_lines(session, source.name, reading)
    return Input(source.name, str(source.path), partial(_lines, found))


def _sheet_lines(session: Session, name: str, reading: SpreadsheetReading) -> list[bytes] | str:
    """Return the lines of a sheet's games, or why there are none."""
    from canasta_notation.cli.files import how_to_map, read_spreadsheet
    from canasta_notation.foreign.spreadsheet_file import SpreadsheetError
    from canasta_notation.formats import games_as
    from canasta_notation.storage import BadFile

    try:
        games = read_spreadsheet(name, reading, session.say)
        return [
            line
            for game in games_as("canasta", games)
            for line in game.encode().splitlines(keepends=True)
        ]
    except SpreadsheetError as error:
        how = f"; {how_to_map(name)}" if error.map_helps else ""
        return f"{name}: {error}{how}"
    except BadFile as error:
        return str(error)


def _lines(found: list[bytes] | str, stream: BinaryIO) -> list[bytes]:
    """Return the lines of a sheet's games, or raise UserError saying why there are none."""
    if isinstance(found, str):
        raise UserError(found)
    return found


def input_of(source: Source) -> Input:
    """Return a record as an input for processes; a record in JSON becomes its canonical text."""
    from canasta_notation.batch.parts import Input

    path = None if source.path is None else str(source.path)
    if source.form == "canasta":
        return Input(source.name, path)
    return Input(source.name, path, partial(canonical_lines, source))


def total_size(sources: Iterable[Source]) -> int:
    """Return the total size of the records in bytes; unknown sizes count as 0."""
    total = 0
    for source in sources:
        try:
            total += 0 if source.path is None else os.stat(source.path).st_size
        except OSError:
            continue
    return total


class Bar:
    """A progress bar for a long command, shown only if standard error is a terminal."""

    def __init__(self, total: int, what: str, *, long: int = _LONG) -> None:
        self._progress: Any = None
        if total >= long and sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self._progress = Progress(
                TextColumn(what),
                BarColumn(),
                TextColumn("{task.percentage:>3.0f}%"),
                TimeRemainingColumn(),
                console=Console(stderr=True, no_color="NO_COLOR" in os.environ),
                auto_refresh=False,
                transient=True,
            )
            self._task = self._progress.add_task(what, total=total)

    def advance(self, size: int) -> None:
        """Add `size` to what is done of the total."""
        if self._progress:
            self._progress.update(self._task, advance=size, refresh=True)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Hide the bar while something else is shown on the terminal."""
        if self._progress and sys.stdout.isatty():
            self._progress.stop()
            yield
            sys.stdout.flush()
            self._progress.start()
        else:
            yield

    def __enter__(self) -> Self:
        if self._progress:
            self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._progress:
            self._progress.stop()


@contextmanager
def while_read(out: TextIO) -> Iterator[None]:
    """If `out` is a pipe, raise BrokenPipeError soon after its reader has gone.

    Otherwise, long work would notice this only when it writes something. On systems without timers,
    such as Windows, it still does.
    """
    reader = _reader_of(out)
    if reader is None:
        yield
        return

    def look(*_: object) -> None:
        if reader.poll(0):
            raise BrokenPipeError

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _LOOK, _LOOK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _reader_of(out: TextIO) -> select.poll | None:
    """Return what detects that the reader of a pipe has gone, None if that cannot be detected."""
    if not hasattr(signal, "setitimer") or not hasattr(select, "poll"):
        return None
    if threading.current_thread() is not threading.main_thread():
        return None
    try:
        if not stat.S_ISFIFO(os.fstat(out.fileno()).st_mode):
            return None
    except (OSError, ValueError):
        return None
    reader = select.poll()
    reader.register(out.fileno(), 0)  # only errors
    return reader


class JsonList:
    """A list in a JSON document, in the layout of `output.json_text`, that waits to be written.

    `depth` is how deeply its brackets are nested. A long list waits in a temporary file.
    """

    def __init__(self, depth: int, *, unicode: bool) -> None:
        import tempfile

        self._depth = depth
        self._unicode = unicode
        self._file: Any = tempfile.SpooledTemporaryFile(  # noqa: SIM115  # closed when written
            _HELD, "w+", encoding="utf-8"
        )
        self.count = 0

    def add(self, value: Any) -> None:
        """Add an element."""
        self._begin()
        self._file.write(json_at(value, self._depth + 1, unicode=self._unicode))

    def add_parts(self, *parts: str | JsonList) -> None:
        """Add an element in parts: text that is ready, or other lists that wait."""
        self._begin()
        for part in parts:
            if isinstance(part, JsonList):
                part.write_to(self._file)
            else:
                self._file.write(part)

    def _begin(self) -> None:
        self._file.write(("," if self.count else "") + "\n" + " " * (self._depth + 1))
        self.count += 1

    def write_to(self, out: TextIO) -> None:
        """Write the list and empty it."""
        out.write("[")
        if self.count:
            self._file.seek(0)
            shutil.copyfileobj(self._file, out)
            out.write("\n" + " " * self._depth)
        out.write("]")
        self._file.close()


def json_at(value: Any, depth: int, *, unicode: bool) -> str:
    """Return a value as JSON text at this depth; its first line is not indented."""
    from canasta_notation.cli.session import json_text

    return json_text(value, unicode=unicode)[:-1].replace("\n", "\n" + " " * depth)
