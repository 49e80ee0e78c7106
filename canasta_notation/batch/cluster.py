"""Work on a Dask cluster, in the same way as in processes on this machine.

Every worker must have this program installed and find the files under the same paths. If a worker
is lost, another one does its work. The cluster is not secured here: a Dask scheduler runs whatever
anyone who can reach it sends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from typing import Any, Final, TypeVar

from distributed import Client, KilledWorker, as_completed

from canasta_notation.batch.processes import Runner
from canasta_notation.storage import BadFile

#: How long to wait for a scheduler that does not answer or has no worker yet, in seconds.
_PATIENCE: Final = 20
A = TypeVar("A")
B = TypeVar("B")


def on_cluster(address: str) -> Runner:
    """Return the cluster of a scheduler, `tcp://HOST:PORT`, as a place to run work.

    Running work raises BadFile if the scheduler does not answer, has no worker or goes away, or if
    a piece of work has brought down as many workers as Dask allows.
    """

    def run(function: Callable[[A], B], values: Iterable[A]) -> Iterator[B]:
        listed = list(values)
        if not listed:
            return
        client = _connect(address)
        try:
            for future in as_completed(client.map(function, listed, pure=False)):
                yield future.result()
        except KilledWorker as error:
            raise BadFile(f"{address}: too many workers were lost: {error}") from error
        except (CancelledError, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise BadFile(
                f"{address}: lost the connection to the scheduler; run the same command again"
            ) from error
        finally:
            client.close()

    return run


def _connect(address: str) -> Any:
    try:
        client = Client(address, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise BadFile(f"{address}: no scheduler answers: {error}") from error
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError as error:
        client.close()
        raise BadFile(
            f"{address}: the scheduler has no worker; start one with `dask worker {address}`"
        ) from error
    return client
