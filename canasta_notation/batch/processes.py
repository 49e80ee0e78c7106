"""Processes that share the parts of records, and end with the process that started them."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import parent_process
from multiprocessing.connection import wait
from typing import Final, Protocol, TypeVar

from canasta_notation.batch.parts import Done, FilePart, Work, work_part
from canasta_notation.storage import BadFile

#: How many batches per process are waiting or in progress.
_AHEAD: Final = 3
#: How long to wait for processes at a time, in seconds.
_TICK: Final = 0.25

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")


class Runner(Protocol):
    """A place to call a function with many values; the results come in any order.

    Raises BadFile if a process or the whole place is lost.
    """

    def __call__(self, function: Callable[[A], B], values: Iterable[A], /) -> Iterator[B]: ...


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def process_count(jobs: int, work: int) -> int:
    """Return how many processes are worth starting: `jobs` (0: one per CPU), at least 1.

    There are never more processes than processors or pieces of work.
    """
    most = processors()
    return max(1, min(jobs or most, most, work))


class Pool:
    """A number of processes; if one of them dies, all are replaced."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._executor = self._start()

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.count, initializer=begin_process)

    def submit(self, batch: list[FilePart], work: Work[T]) -> Future[list[Done[T]]]:
        """Give a batch to a process."""
        try:
            return self._executor.submit(_work_batch, batch, work)
        except BrokenProcessPool:
            self.close()
            self._executor = self._start()
            return self._executor.submit(_work_batch, batch, work)

    def close(self) -> None:
        """End the processes, and whatever they are still working on."""
        _end(self._executor)


def in_processes(jobs: int, tick: Callable[[], None] | None = None) -> Runner:
    """Return a place with `jobs` processes (0: one per CPU; 1: only this process).

    With several processes, `tick` is called repeatedly while they work; an exception that it raises
    ends them.
    """

    def run(function: Callable[[A], B], values: Iterable[A]) -> Iterator[B]:
        listed = list(values)
        count = process_count(jobs, len(listed))
        if count == 1:
            yield from map(function, listed)
            return
        executor = ProcessPoolExecutor(count, initializer=begin_process)
        waiting = iter(listed)
        running: set[Future[B]] = set()
        try:
            while True:
                for value in islice(waiting, count + 1 - len(running)):
                    running.add(executor.submit(function, value))
                if not running:
                    return
                timeout = None if tick is None else _TICK
                done, running = wait_for(running, timeout, FIRST_COMPLETED)
                if tick is not None:
                    tick()
                yield from (future.result() for future in done)
        except BrokenProcessPool as error:
            raise BadFile("a process was killed; run the same command again") from error
        finally:
            _end(executor)

    return run


def _end(executor: ProcessPoolExecutor) -> None:
    """End processes at once: their results are no longer needed.

    Nobody waits for the result, and a piece of work can take minutes.
    """
    # Python 3.14 has `terminate_workers`; earlier versions have only this attribute.
    for process in [*(executor._processes or {}).values()]:
        process.terminate()
    executor.shutdown(wait=True, cancel_futures=True)


def pooled(
    batches: Iterable[list[FilePart]], work: Work[T], pool: Pool
) -> Iterator[tuple[FilePart, Done[T] | None]]:
    """Yield the parts of batches in order, each with its result from a process."""
    window: deque[tuple[list[FilePart], Future[list[Done[T]]] | None]] = deque()
    ahead = _AHEAD * pool.count
    for batch in batches:
        # The rest of a pipe cannot be sent to a process; it is worked on here when its turn comes.
        future = None if batch[0].stream else pool.submit(batch, work)
        window.append((batch, future))
        if len(window) > ahead:
            yield from _result(*window.popleft(), work)
    while window:
        yield from _result(*window.popleft(), work)


def _result(
    batch: list[FilePart], future: Future[list[Done[T]]] | None, work: Work[T]
) -> Iterator[tuple[FilePart, Done[T] | None]]:
    if future is None:
        yield from ((part, None) for part in batch)
        return
    try:
        yield from zip(batch, future.result(), strict=True)
    except BrokenProcessPool:
        yield from ((part, _alone(part, work)) for part in batch)


def _alone(part: FilePart, work: Work[T]) -> Done[T]:
    """Work on a part in its own process, because it may kill the process."""
    with ProcessPoolExecutor(1, initializer=begin_process) as executor:
        try:
            return executor.submit(_work_batch, [part], work).result()[0]
        except BrokenProcessPool:
            name = part.input.name
            return Done([], part.games, trouble=f"{name}: the process that read it was killed")


def _work_batch(batch: list[FilePart], work: Work[T]) -> list[Done[T]]:
    return [work_part(part, work) for part in batch]


def begin_process() -> None:
    """Leave Ctrl-C to the parent process, and end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    if parent is not None:
        threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()
