"""Work on the parts of many files in several processes, with results in the order of the files.

Memory is bounded by a few batches of parts for each process, whatever the size of the corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final, Generic, TypeVar

from canasta_notation.batch.parts import PART_SIZE, Done, FilePart, Input, Work, split, work_part

#: Small files are sent to a process together, up to this many bytes and this many files.
_BATCH_SIZE: Final = 1 << 18
_BATCH_FILES: Final = 64

T = TypeVar("T")
#: Called with the size of each part that is done, in bytes.
BytesDone = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Piece(Generic[T]):
    """The result for a part of an input.

    `values` has a value for each game of the part; `games` counts the games of the input so far.
    The last piece of an input is marked `last`; its `trouble` says why the input, or the rest of
    it, was not read.
    """

    input: Input
    values: list[T]
    games: int
    last: bool
    trouble: str | None = None


def verify_paths(
    inputs: Iterable[Input],
    work: Work[T],
    *,
    jobs: int = 1,
    part_size: int = PART_SIZE,
    progress: BytesDone | None = None,
) -> Iterator[Piece[T]]:
    """Yield the results of `work` for every game of many files, in the order of the files.

    `jobs` processes share files and parts of files (0: one per CPU); for a single part, none is
    started. An unreadable file, or one without a game, is reported by the `trouble` of its last
    piece and does not stop the others. If the caller stops early, the processes end.
    """
    parts = (part for each in inputs for part in split(each, part_size))
    batches = _batches(parts, min(part_size, _BATCH_SIZE))
    first: list[list[FilePart]] = []
    count = 1
    if jobs != 1:
        from canasta_notation.batch.processes import Pool, pooled, process_count, processors

        first = list(islice(batches, processors()))
        count = process_count(jobs, len(first))
    if count == 1:
        alone = ((part, None) for batch in chain(first, batches) for part in batch)
        yield from _in_order(alone, work, progress)
        return
    pool = Pool(count)
    try:
        yield from _in_order(pooled(chain(first, batches), work, pool), work, progress)
    finally:
        pool.close()


def _batches(parts: Iterable[FilePart], least: int) -> Iterator[list[FilePart]]:
    """Yield lists of parts of at least this many bytes, worth sending to a process together."""
    batch: list[FilePart] = []
    size = 0
    for part in parts:
        if batch and (part.stream or size >= least or len(batch) == _BATCH_FILES):
            yield batch
            batch, size = [], 0
        batch.append(part)
        size += part.size
    if batch:
        yield batch


def _in_order(
    results: Iterable[tuple[FilePart, Done[T] | None]], work: Work[T], progress: BytesDone | None
) -> Iterator[Piece[T]]:
    """Yield the piece of each part; redo a part if its first game is not the assumed one."""
    games, problems, stopped = 0, 0, False
    for part, done in results:
        if part.start == 0:
            games, problems, stopped = 0, 0, False
        if not stopped:
            if done is None or part.games != games or _too_many(problems, done):
                done = work_part(replace(part, games=games), work, problems)
                problems = done.problems
            else:
                problems += done.problems
            games = done.games
            stopped = done.stopped or done.trouble is not None
            yield _piece(part, done, end=part.last or stopped)
        if progress:
            progress(part.size)


def _too_many(problems: int, done: Done[T]) -> bool:
    """Return whether the errors of earlier parts, added to this part's, exceed the limit."""
    if not problems:
        return False
    from canasta_notation.notation.reader import PROBLEM_LIMIT

    return done.stopped or problems + done.problems >= PROBLEM_LIMIT


def _piece(part: FilePart, done: Done[T], *, end: bool) -> Piece[T]:
    trouble = done.trouble
    if end and not trouble and not done.games:
        trouble = f"{part.input.name}: there is no game in this file"
    return Piece(part.input, done.values, done.games, end, trouble)
