"""Processes that share the parts of records, and end with the one that started them."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import parent_process
from multiprocessing.connection import wait
from typing import Final, TypeVar

from canasta_notation.batch.parts import Done, Part, Work, work_part

#: Batches that wait, or are worked on, for each process.
_AHEAD: Final = 3

T = TypeVar("T")


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Pool:
    """So many processes, 0 for one a processor; they are replaced if one of them dies."""

    def __init__(self, count: int) -> None:
        self.count = count or processors()
        self._executor = self._start()

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.count, initializer=begin_process)

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


def pooled(
    batches: Iterable[list[Part]], work: Work[T], pool: Pool
) -> Iterator[tuple[Part, Done[T] | None]]:
    """Yield the parts of batches in order, each with what a process made of it."""
    window: deque[tuple[list[Part], Future[list[Done[T]]] | None]] = deque()
    ahead = _AHEAD * pool.count
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    if parent is not None:
        threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()
