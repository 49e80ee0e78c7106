"""Building a corpus: records into Parquet, shard by shard, so that an interrupted build resumes.

A corpus is a folder with one folder for each table, in it a file for each shard, and a manifest.
A shard is written under temporary names and renamed; its last file to appear says it is finished.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from canasta_notation.batch.parts import Input, Unreadable, Work, work_part
from canasta_notation.batch.processes import begin_process, processors
from canasta_notation.corpus.collect import collect, collect_verified
from canasta_notation.corpus.columns import SCHEMA_VERSION, TABLES, Rows, Tables, describe
from canasta_notation.corpus.shards import SHARD_SIZE, Shard, plan_shards, program_version

MANIFEST: Final = "manifest.json"
_TROUBLE: Final = b"canasta.trouble"
#: The table written last, by which a shard is known to be finished.
_LAST: Final = "games"
_TYPES: Final = {
    "string": pa.string(),
    "bool": pa.bool_(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "list<string>": pa.list_(pa.string()),
    "list<int32>": pa.list_(pa.int32()),
}

#: Called with the bytes of the shards that are kept, then of each that is built.
Progress = Callable[[int], None]
#: Builds shards somewhere, and yields each as it is finished, in any order.
Builder = Callable[[list[Shard], Path], Iterator[Shard]]


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did: shards built and found finished, rows by table, what could not be read."""

    built: int
    kept: int
    rows: dict[str, int]
    trouble: tuple[str, ...]


def build_corpus(
    inputs: Iterable[Input],
    out: Path,
    *,
    jobs: int = 1,
    builder: Builder | None = None,
    shard_size: int = SHARD_SIZE,
    progress: Progress | None = None,
) -> Built:
    """Write the tables of records into the folder `out`, and return what was done.

    The names of the inputs are the column `file`. Shards that are there already are kept, those
    of another state of the records removed. The bytes written depend on the records alone, not on
    `jobs` or the `builder` (processes here, unless one is given). Raises OSError where `out`
    cannot be written, Unreadable where it holds something else or a process was ended.
    """
    shards = list(plan_shards(inputs, shard_size))
    _prepare(out)
    todo = [shard for shard in shards if not is_finished(shard.name, out)]
    if progress:
        progress(sum(shard.size for shard in shards) - sum(shard.size for shard in todo))
    run = builder or _processes(jobs or processors())
    for shard in run(todo, out):
        if progress:
            progress(shard.size)
    manifest = _manifest(shards, out)
    _replace(out / MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())
    _sweep(out, {shard.name for shard in shards})
    rows = {table: sum(each["rows"][table] for each in manifest["shards"]) for table in TABLES}
    trouble = tuple(line for each in manifest["shards"] for line in each["trouble"])
    return Built(len(todo), len(shards) - len(todo), rows, trouble)


def _prepare(out: Path) -> None:
    """Make the folders; refuse one that holds something else."""
    corpus = (out / MANIFEST).exists() or (out / _LAST).is_dir()
    if out.is_dir() and not corpus and any(out.iterdir()):
        raise Unreadable(f"{out}: is not empty, and no corpus")
    for table in TABLES:
        (out / table).mkdir(parents=True, exist_ok=True)


def is_finished(name: str, out: Path) -> bool:
    """Return whether a shard of that name is there as a whole."""
    return all(_path(out, table, name).exists() for table in TABLES)


def _path(out: Path, table: str, name: str) -> Path:
    return out / table / f"{name}.parquet"


# --- one shard ----------------------------------------------------------------------------------


def build_shard(shard: Shard, out: Path) -> Shard:
    """Write a shard's files, in any process, and return it. Raises OSError."""
    tables = Tables()
    work = Work(partial(collect, tables), partial(collect_verified, tables), recorded=True)
    trouble = []
    for part in shard.parts:
        before = [len(rows) for rows in tables]
        done = work_part(part, work)
        if done.trouble:
            trouble.append(done.trouble)
            for rows, length in zip(tables, before, strict=True):
                rows.cut(length)
        elif part.last and not done.games:
            trouble.append(f"{part.input.name}: no game is in this file")
    for rows in sorted(tables, key=lambda rows: rows.table == _LAST):
        _write(rows, _path(out, rows.table, shard.name), trouble if rows.table == _LAST else None)
    return shard


def schema_of(table: str) -> pa.Schema:
    """Return a table's schema, its columns described in the metadata."""
    fields = [
        pa.field(
            column.name,
            _TYPES[column.type],
            metadata={"about": column.about, **({"unit": column.unit} if column.unit else {})},
        )
        for column in TABLES[table]
    ]
    return pa.schema(fields, metadata=describe(table))


def _write(rows: Rows, path: Path, trouble: list[str] | None) -> None:
    schema = schema_of(rows.table)
    if trouble:
        schema = schema.with_metadata({**schema.metadata, _TROUBLE: json.dumps(trouble)})
    arrays = [
        pa.array(column, field.type) for column, field in zip(rows.columns, schema, strict=True)
    ]
    fresh = _fresh(path)
    try:
        pq.write_table(pa.Table.from_arrays(arrays, schema=schema), fresh, compression="zstd")
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def _fresh(path: Path) -> Path:
    """Return a temporary name beside a path that no other process uses."""
    return path.with_name(f".{path.name}.{uuid4().hex}.tmp")


def _replace(path: Path, data: bytes) -> None:
    fresh = _fresh(path)
    try:
        fresh.write_bytes(data)
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


# --- all shards ---------------------------------------------------------------------------------


def _processes(jobs: int) -> Builder:
    """Return a builder of so many processes, or of this one."""

    def alone(shards: list[Shard], out: Path) -> Iterator[Shard]:
        for shard in shards:
            yield build_shard(shard, out)

    def together(shards: list[Shard], out: Path) -> Iterator[Shard]:
        executor = ProcessPoolExecutor(jobs, initializer=begin_process)
        waiting = iter(shards)
        running: set[Future[Shard]] = set()
        try:
            while True:
                for shard in waiting:
                    running.add(executor.submit(build_shard, shard, out))
                    if len(running) > jobs:
                        break
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        except BrokenProcessPool as error:
            raise Unreadable("a process was ended; the same command goes on from here") from error
        finally:
            executor.shutdown(wait=True, cancel_futures=True)

    return lambda shards, out: (together if jobs > 1 and len(shards) > 1 else alone)(shards, out)


def _manifest(shards: list[Shard], out: Path) -> dict[str, Any]:
    """Return what the corpus is made of; it depends on the records alone."""
    listed = []
    for shard in shards:
        found = {table: pq.read_metadata(_path(out, table, shard.name)) for table in TABLES}
        trouble = (found[_LAST].metadata or {}).get(_TROUBLE, b"[]")
        listed.append(
            {
                "shard": shard.name,
                "rows": {table: metadata.num_rows for table, metadata in found.items()},
                "trouble": json.loads(trouble),
                "sources": shard.sources(),
            }
        )
    return {"schema_version": SCHEMA_VERSION, "program": program_version(), "shards": listed}


def _sweep(out: Path, names: set[str]) -> None:
    """Remove shards that are no longer of the corpus, and what an interrupted build left."""
    for table in TABLES:
        for path in (out / table).iterdir():
            temporary = path.name.startswith(".") and path.suffix == ".tmp"
            if temporary or (path.suffix == ".parquet" and path.stem not in names):
                path.unlink(missing_ok=True)
