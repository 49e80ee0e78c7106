"""A corpus built on a cluster is the same to the byte, even if the cluster loses a worker."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli_records import FALSE, VERIFIED
from tests.programs import contents

pytest.importorskip("pyarrow")
pytest.importorskip("distributed")

from canasta_notation.batch.cluster import on_cluster
from canasta_notation.batch.parts import Input
from canasta_notation.corpus.build import build_corpus
from canasta_notation.storage import BadFile

LIMIT = 60


@contextmanager
def started(module: str, *args: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a part of a cluster, bound to the loopback interface, and end it afterwards."""
    command = [sys.executable, "-m", f"distributed.cli.{module}", *args, "--host", "127.0.0.1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=LIMIT)


def worker(address: str, folder: Path) -> contextmanager[subprocess.Popen[bytes]]:  # type: ignore[type-arg]
    options = ("--no-nanny", "--nthreads", "1", "--no-dashboard")
    return started("dask_worker", address, *options, "--local-directory", str(folder))


def address_of(scheduler: subprocess.Popen[bytes]) -> str:
    """Return the address at which a scheduler says that it listens."""
    assert scheduler.stderr is not None
    for line in scheduler.stderr:
        found = re.search(rb"tcp://127\.0\.0\.1:\d+", line)
        if found:
            return found[0].decode()
    raise AssertionError("the scheduler did not start")


def test_losing_a_worker_changes_nothing(tmp_path: Path) -> None:
    inputs = []
    for at in range(24):
        path = tmp_path / f"{at:02}.canasta"
        path.write_text((VERIFIED + "\n" + FALSE + "\n") * (3 + at % 2), "utf-8")
        inputs.append(Input(path.name, str(path)))
    one, many = tmp_path / "one", tmp_path / "many"
    expected = build_corpus(inputs, one, shard_size=5000)
    with started("dask_scheduler", "--port", "0", "--no-dashboard") as scheduler:
        address = address_of(scheduler)
        with worker(address, tmp_path / "a") as lost, worker(address, tmp_path / "b"):
            cluster = on_cluster(address)

            def run(function: Any, values: Iterable[Any]) -> Iterator[Any]:
                for place, shard in enumerate(cluster(function, values)):
                    if place == 4:
                        os.kill(lost.pid, signal.SIGKILL)
                    yield shard

            begun = time.monotonic()
            built = build_corpus(inputs, many, shard_size=5000, run=run)
            assert lost.wait(LIMIT) == -signal.SIGKILL
            assert time.monotonic() - begun < LIMIT
    assert built == expected and built.built > 24
    assert contents(many) == contents(one)


def test_losing_the_scheduler_is_reported(tmp_path: Path) -> None:
    """The build ends with a message, and can be continued without the cluster."""
    inputs = []
    for at in range(24):
        path = tmp_path / f"{at:02}.canasta"
        path.write_text((VERIFIED + "\n" + FALSE + "\n") * 3, "utf-8")
        inputs.append(Input(path.name, str(path)))
    with started("dask_scheduler", "--port", "0", "--no-dashboard") as scheduler:
        address = address_of(scheduler)
        cluster = on_cluster(address)

        def run(function: Any, values: Iterable[Any]) -> Iterator[Any]:
            for shard in cluster(function, values):
                scheduler.kill()
                yield shard

        with (
            worker(address, tmp_path / "a"),
            pytest.raises(BadFile, match="lost the connection"),
        ):
            build_corpus(inputs, tmp_path / "out", shard_size=5000, run=run)
    assert build_corpus(inputs, tmp_path / "out", shard_size=5000).kept > 0


def test_a_missing_scheduler_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("canasta_notation.batch.cluster._PATIENCE", 0.5)
    (tmp_path / "a.canasta").write_text(VERIFIED, "utf-8")
    inputs = [Input("a.canasta", str(tmp_path / "a.canasta"))]
    with pytest.raises(BadFile, match="no scheduler answers"):
        build_corpus(inputs, tmp_path / "out", run=on_cluster("tcp://127.0.0.1:9"))


def test_a_scheduler_without_a_worker_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("canasta_notation.batch.cluster._PATIENCE", 2)
    (tmp_path / "a.canasta").write_text(VERIFIED, "utf-8")
    inputs = [Input("a.canasta", str(tmp_path / "a.canasta"))]
    with started("dask_scheduler", "--port", "0", "--no-dashboard") as scheduler:
        address = address_of(scheduler)
        with pytest.raises(BadFile, match="has no worker; start one with `dask worker tcp://"):
            build_corpus(inputs, tmp_path / "out", run=on_cluster(address))
