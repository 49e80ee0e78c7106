"""The parts of many files, worked on by several processes; the results in the order of the files.

Memory is bounded by a few batches of parts for each process, whatever the size of the corpus.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final, Generic, TypeVar

from canasta_notation.corpus.parts import PART_SIZE, Done, Input, Part, Work, split, work_part
from canasta_notation.notation.reader import PROBLEM_LIMIT

#: Small files go to a process together, up to so many bytes and so many files.
_BATCH_SIZE: Final = 1 << 18
_BATCH_FILES: Final = 64
#: Batches that wait, or are worked on, for each process.
_AHEAD: Final = 3

T = TypeVar("T")
#: Called with the size of each part that is done, in bytes.
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Piece(Generic[T]):
    """What became of a part of an input, in the order of inputs and parts.

    `values` are those of its games; `games` counts those of the input so far. The last piece of
    an input is marked, and says what stood in the way of reading it, or of the rest of it.
    """

    input: Input
    values: list[T]
    games: int
    last: bool
    trouble: str | None = None


def verify_paths(
    inputs: Iterable[Input | str],
    work: Work[T],
    *,
    jobs: int = 1,
    part_size: int = PART_SIZE,
    progress: Progress | None = None,
) -> Iterator[Piece[T]]:
    """Yield what `work` makes of every game of many files, in their order, whatever `jobs` is.

    `jobs` processes share files and parts of files, 0 for one a processor; nothing is started for
    a single part. A file that cannot be read, or that has no game, is told by the `trouble` of its
    last piece, and never stops the rest. On leaving early the processes end.
    """
    parts = (part for each in inputs for part in split(_input(each), part_size))
    batches = _batches(parts)
    first = list(islice(batches, 2))
    count = jobs or processors()
    if count < 2 or len(first) < 2:
        results = ((part, None) for batch in chain(first, batches) for part in batch)
        yield from _in_order(results, work, progress)
        return
    pool = _Pool(count)
    try:
        yield from _in_order(_pooled(chain(first, batches), work, pool), work, progress)
    finally:
        pool.close()


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _input(given: Input | str) -> Input:
    return Input(given, given) if isinstance(given, str) else given


def _batches(parts: Iterable[Part]) -> Iterator[list[Part]]:
    """Yield parts together until there are enough to be worth sending to a process."""
    batch: list[Part] = []
    size = 0
    for part in parts:
        if batch and (part.stream or size >= _BATCH_SIZE or len(batch) == _BATCH_FILES):
            yield batch
            batch, size = [], 0
        batch.append(part)
        size += part.size
    if batch:
        yield batch


def _in_order(
    results: Iterable[tuple[Part, Done[T] | None]], work: Work[T], progress: Progress | None
) -> Iterator[Piece[T]]:
    """Yield the pieces of parts; work again on one whose place in its file was not as assumed."""
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
    """Return whether a part that was worked on alone must be stopped by errors before it."""
    return problems > 0 and (done.stopped or problems + done.problems >= PROBLEM_LIMIT)


def _piece(part: Part, done: Done[T], *, end: bool) -> Piece[T]:
    trouble = done.trouble
    if end and not trouble and not done.games:
        trouble = f"{part.input.name}: no game is in this file"
    return Piece(part.input, done.values, done.games, end, trouble)


# --- processes ----------------------------------------------------------------------------------


class _Pool:
    """Processes that are replaced if one of them dies."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._executor = self._start()

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._count, initializer=begin_process)

    def submit(self, batch: list[Part], work: Work[T]) -> Future[list[Done[T]]]:
        """Give a batch to a process."""
        try:
            return self._executor.submit(_work_batch, batch, work)
        except BrokenProcessPool:
            self.close()
            self._executor = self._start()
            return self._executor.submit(_work_batch, batch, work)

    def close(self) -> None:
        """End the processes after what they are doing now."""
        self._executor.shutdown(wait=True, cancel_futures=True)


def _pooled(
    batches: Iterable[list[Part]], work: Work[T], pool: _Pool
) -> Iterator[tuple[Part, Done[T] | None]]:
    """Yield the parts of batches in order, each with what a process made of it."""
    window: deque[tuple[list[Part], Future[list[Done[T]]] | None]] = deque()
    ahead = _AHEAD * pool._count
    for batch in batches:
        # What is left of a pipe cannot be sent; it is worked on here when its turn comes.
        future = None if batch[0].stream else pool.submit(batch, work)
        window.append((batch, future))
        if len(window) > ahead:
            yield from _result(*window.popleft(), work)
    while window:
        yield from _result(*window.popleft(), work)


def _result(
    batch: list[Part], future: Future[list[Done[T]]] | None, work: Work[T]
) -> Iterator[tuple[Part, Done[T] | None]]:
    if future is None:
        yield from ((part, None) for part in batch)
        return
    try:
        yield from zip(batch, future.result(), strict=True)
    except BrokenProcessPool:
        yield from ((part, _alone(part, work)) for part in batch)


def _alone(part: Part, work: Work[T]) -> Done[T]:
    """Work on a part in a process of its own, which it may bring down."""
    with ProcessPoolExecutor(1, initializer=begin_process) as executor:
        try:
            return executor.submit(_work_batch, [part], work).result()[0]
        except BrokenProcessPool:
            name = part.input.name
            return Done([], part.games, trouble=f"{name}: the process that read it was ended")


def _work_batch(batch: list[Part], work: Work[T]) -> list[Done[T]]:
    return [work_part(part, work) for part in batch]


def begin_process() -> None:
    """Leave Ctrl-C to the parent, and do not outlive it."""
    import signal
    import threading
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    if parent is not None:
        threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()
