"""The shards of a corpus on a Dask cluster: the same files, to the byte, as from one process.

Every worker must have this program installed, and reach records and corpus under the same paths.
A worker that is lost loses nothing: its shards are built elsewhere, and a shard that two workers
build is renamed twice to the same bytes. Not done here: securing the cluster; a Dask scheduler
runs whatever anyone who reaches it sends.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from distributed import Client, KilledWorker, as_completed

from canasta_notation.batch.parts import Unreadable
from canasta_notation.corpus.build import Builder, build_shard
from canasta_notation.corpus.shards import Shard

#: Seconds after which a scheduler is given up that does not answer.
_PATIENCE: Final = 20


def cluster_builder(address: str) -> Builder:
    """Return a builder that runs on the cluster of a scheduler, `tcp://HOST:PORT`.

    Raises Unreadable, when it runs, where the scheduler does not answer, or a shard has brought
    down as many workers as Dask allows.
    """

    def build(shards: list[Shard], out: Path) -> Iterator[Shard]:
        if not shards:
            return
        client = _connect(address)
        try:
            futures = client.map(build_shard, shards, out=out.resolve(), pure=False)
            for _, shard in as_completed(futures, with_results=True):
                yield shard
        except KilledWorker as error:
            raise Unreadable(f"{address}: a shard was given up: {error}") from error
        finally:
            client.close()

    return build


def _connect(address: str) -> Client:
    try:
        return Client(address, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise Unreadable(f"{address}: no scheduler answers: {error}") from error
