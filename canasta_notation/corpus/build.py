"""Building a corpus: records into Parquet, shard by shard; an interrupted build can resume."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq

from canasta_notation.batch.jobs import BytesDone
from canasta_notation.batch.parts import PART_SIZE, FilePart, Input, Work, work_part
from canasta_notation.batch.processes import Runner, in_processes
from canasta_notation.corpus.collect import collect, collect_verified
from canasta_notation.corpus.columns import TABLES, CorpusRows, Tables, describe
from canasta_notation.corpus.folder import Written, build_folder, path_of
from canasta_notation.corpus.shards import SHARD_SIZE, Shard, plan_shards, program_version
from canasta_notation.english import count
from canasta_notation.notation.reader import Reading
from canasta_notation.scan.verified import VerifiedGame
from canasta_notation.storage import BadFile, replace_file

_TYPES: Final = {
    "string": pa.string(),
    "bool": pa.bool_(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "list<string>": pa.list_(pa.string()),
    "list<int64>": pa.list_(pa.int64()),
    "map<string,int64>": pa.map_(pa.string(), pa.int64()),
}


@dataclass(frozen=True, slots=True)
class Built:
    """The result of a build: shards built and shards kept, rows by table, what was unreadable."""

    built: int
    kept: int
    rows: dict[str, int]
    trouble: tuple[str, ...]


def build_corpus(
    inputs: Iterable[Input],
    out: Path,
    *,
    jobs: int = 1,
    run: Runner | None = None,
    shard_size: int = SHARD_SIZE,
    chances: bool = False,
    progress: BytesDone | None = None,
) -> Built:
    """Write the tables of records into the folder `out`, and return what was done.

    The names of the inputs become the column `file`. Intact shards are kept, and shards of records
    that have changed since are removed; nothing else in the folder is touched. The bytes written
    depend only on the records and on `chances`, not on `jobs` or on where the shards are built.
    `chances` fills the column `missed` of turns, which takes much longer. `run` is the place to
    build the shards (default: `jobs` processes on this machine). `progress` is called with the
    size, in bytes, of the shards that are kept, then of each shard that is built. Raises OSError if
    `out` cannot be written; BadFile if it contains something else, another build is writing to it,
    a process was killed, or a record changed while it was read.
    """
    with build_folder(out) as folder:
        shards = list(plan_shards(inputs, shard_size, chances=chances))
        sizes = {shard.name: shard.size for shard in shards}
        kept = {name: whole for name in sizes if (whole := folder.whole(name)) is not None}
        done = dict(kept)
        folder.begin(list(sizes), list(kept.values()))
        if progress:
            progress(sum(sizes[name] for name in kept))
        todo = [shard for shard in shards if shard.name not in kept]
        work = partial(build_shard, out=Path(os.path.realpath(out)), chances=chances)
        for written in (run or in_processes(jobs))(work, todo):
            folder.add(written)
            done[written.name] = written
            if progress:
                progress(sizes[written.name])
        listed = [{**done[shard.name].to_json(), "sources": shard.sources()} for shard in shards]
        folder.finish({"program": program_version(), "shards": listed}, set(sizes))
    return _built([done[shard.name] for shard in shards], len(kept))


def _built(shards: Sequence[Written], kept: int) -> Built:
    """Return what was done: the shards in order, of which some were kept."""
    rows = {table: sum(shard.rows[table] for shard in shards) for table in TABLES}
    trouble = tuple(line for shard in shards for line in shard.trouble)
    return Built(len(shards) - kept, kept, rows, trouble)


# --- one shard ----------------------------------------------------------------------------------


def build_shard(shard: Shard, out: Path, *, chances: bool = False) -> Written:
    """Write a shard's files, in any process, and return it as written.

    With `chances`, every game is replayed, because the fast path does not look for them. Raises
    OSError, and BadFile if the bytes of a record have changed since the shard was planned.
    """
    tables = Tables()
    verified = None if chances else partial(collect_verified, tables)
    work = Work(partial(collect, tables, chances=chances), verified, rows=True)
    trouble = []
    for planned, digest in zip(shard.parts, shard.digests, strict=True):
        before = [len(rows) for rows in tables]
        with _digested(planned, digest) as part:
            done = work_part(part, work)
        if done.trouble:
            trouble.append(done.trouble)
            for rows, length in zip(tables, before, strict=True):
                rows.cut(length)
        elif part.last and not done.games:
            trouble.append(f"{part.input.name}: there is no game in this file")
    counts = {rows.table: len(rows) for rows in tables}
    digests = {rows.table: _write(rows, path_of(out, rows.table, shard.name)) for rows in tables}
    return Written(shard.name, counts, digests, tuple(trouble))


@contextmanager
def _digested(part: FilePart, expected: str) -> Iterator[FilePart]:
    """Provide a part to work on; afterwards, check that its bytes had the expected digest."""
    if part.trouble or part.input.path is None:
        yield part
        return
    digest = hashlib.sha256()
    with open(part.input.path, "rb") as stream:
        stream.seek(part.start)
        if part.end is None:
            reader = io.BufferedReader(_Digesting(stream, digest))
            yield replace(part, stream=reader)
            while reader.read(PART_SIZE):
                pass
        else:
            data = stream.read(part.end - part.start)
            digest.update(data)
            yield replace(part, data=data)
    if digest.hexdigest() != expected:
        raise BadFile(
            f"{part.input.name}: changed while the corpus was built; run the same command again"
        )


class _Digesting(io.RawIOBase):
    """A stream that computes the digest of what is read from it."""

    def __init__(self, stream: BinaryIO, digest: Any) -> None:
        self._stream = stream
        self._digest = digest

    def readable(self) -> bool:
        """Return True, because the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read bytes into a buffer, and return how many."""
        piece = self._stream.read(len(buffer))
        self._digest.update(piece)
        buffer[: len(piece)] = piece
        return len(piece)


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


def _arrow(rows: CorpusRows) -> pa.Table:
    schema = schema_of(rows.table)
    arrays = [
        pa.array(column, field.type) for column, field in zip(rows.columns, schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


class CorpusTable:
    """A table in memory: `arrow` is a `pyarrow.Table`, whose methods this has too."""

    def __init__(self, arrow: Any) -> None:
        self.arrow = arrow

    def to_polars(self) -> Any:
        """Return the table as a polars.DataFrame. Raises ImportError if polars is not installed."""
        return import_module("polars").from_arrow(self.arrow)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.arrow, name)

    def __getitem__(self, name: Any) -> Any:
        return self.arrow[name]

    def __arrow_c_stream__(self, schema: object = None) -> object:
        return self.arrow.__arrow_c_stream__(schema)

    def __len__(self) -> int:
        return len(self.arrow)

    def __repr__(self) -> str:
        return f"<Table of {count(len(self), 'row')}: {', '.join(self.arrow.column_names)}>"


def in_memory(
    games: Iterable[tuple[str, VerifiedGame | Reading, int]], *, chances: bool = False
) -> dict[str, CorpusTable]:
    """Return the tables of games, each with the name of its file and its place there.

    With `chances`, all of them must have been read.
    """
    tables = Tables()
    for name, game, number in games:
        if isinstance(game, VerifiedGame):
            collect_verified(tables, name, game)
        else:
            collect(tables, name, game, number, chances=chances)
    return {rows.table: CorpusTable(_arrow(rows)) for rows in tables}


def _write(rows: CorpusRows, path: Path) -> str:
    """Write a table's rows as Parquet, and return the digest of the bytes."""
    sink = io.BytesIO()
    pq.write_table(_arrow(rows), sink, compression="zstd")
    data = sink.getvalue()
    if path.is_dir() and not path.is_symlink():
        path.rmdir()  # raises OSError unless the folder is empty
    replace_file(path, [data])
    return hashlib.sha256(data).hexdigest()
