"""Questions to a corpus in SQL, on DuckDB: its tables are views, nothing else can be reached."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import duckdb
import pyarrow.dataset as ds

from canasta_notation.corpus.build import schema_of
from canasta_notation.corpus.columns import TABLES
from canasta_notation.corpus.folder import damage, path_of, read_manifest
from canasta_notation.storage import Unreadable

_FETCH: Final = 1000
#: No file, no extension, no variable of this program, and no way back.
_LOCKS: Final = (
    "SET python_enable_replacements = false",
    "SET temp_directory = ''",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The columns of an answer, and its rows as they come; values are ready for JSON."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


class Corpus:
    """An open corpus. Raises Unreadable if a file of it is not as it was written."""

    def __init__(self, out: Path) -> None:
        shards = read_manifest(out)
        for wrong in damage(out, shards):
            raise Unreadable(f"{wrong}; `canasta corpus build` repairs it")
        self._connection = duckdb.connect(":memory:")
        for lock in _LOCKS:
            self._connection.execute(lock)
        for table in TABLES:
            paths = [str(path_of(out, table, shard.name)) for shard in shards]
            data = ds.dataset(paths, schema=schema_of(table), format="parquet")
            self._connection.register(table, data)

    def ask(self, sql: str) -> Answer:
        """Return the answer to one query. Raises Unreadable, with DuckDB's words, if it is none."""
        try:
            statements = self._connection.extract_statements(sql)
            if len(statements) != 1:
                raise Unreadable("query: write one statement")
            if statements[0].type not in (
                duckdb.StatementType.SELECT,
                duckdb.StatementType.EXPLAIN,
            ):
                raise Unreadable("query: a corpus can be read only: write a SELECT")
            self._connection.execute(statements[0])
        except duckdb.Error as error:
            raise Unreadable(f"query: {_words(error)}") from error
        columns = tuple(str(column[0]) for column in self._connection.description or ())
        return Answer(columns, self._rows())

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        try:
            while rows := self._connection.fetchmany(_FETCH):
                for row in rows:
                    yield tuple(map(plain, row))
        except duckdb.Error as error:
            raise Unreadable(f"query: {_words(error)}") from error

    def close(self) -> None:
        """End the connection."""
        self._connection.close()


@contextmanager
def open_corpus(out: Path) -> Iterator[Corpus]:
    """Open a corpus for queries. Raises Unreadable where there is none, or no finished one."""
    corpus = Corpus(out)
    try:
        yield corpus
    finally:
        corpus.close()


def _words(error: duckdb.Error) -> str:
    """Return what DuckDB says, in one line without its excerpt."""
    text = str(error).split("\n\nLINE", 1)[0]
    return " ".join(text.split())


def plain(value: Any) -> Any:
    """Return a value of an answer as JSON has it; what is no number there becomes null or text."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case list() | tuple():
            return [plain(each) for each in value]
        case dict():
            return {str(key): plain(each) for key, each in value.items()}
    return str(value)
