"""SQL queries of a corpus with DuckDB, and ready-made reports.

The tables are views, and a query can reach nothing else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from decimal import Decimal
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple, Self, TypeVar

import duckdb
import pyarrow.dataset as ds

from canasta_notation.corpus import MEMORY, SECONDS
from canasta_notation.corpus.build import schema_of
from canasta_notation.corpus.columns import MEANT, TABLES
from canasta_notation.corpus.folder import damage, path_of, read_manifest
from canasta_notation.storage import BadFile

_FETCH: Final = 1000
#: How long to wait at a time, in seconds.
_WAKE: Final = 0.05
#: Statements that only read. DuckDB splits a PIVOT whose values are not listed into several.
_READING: Final = (
    duckdb.StatementType.SELECT,
    duckdb.StatementType.EXPLAIN,
    duckdb.StatementType.MULTI,
)
#: Settings that deny a query files, extensions and variables of this program, for good.
_LOCKS: Final = (
    "SET python_enable_replacements = false",
    "SET temp_directory = ''",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)
#: A word of SQL that is used like a column.
_MEANT: Final = re.compile(rf"(?<!group )(?<!order )(?<!partition )\b({'|'.join(MEANT)})\b", re.I)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Answer:
    """The names of an answer's columns, and its rows as they arrive; values are ready for JSON."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


class Corpus:
    """An open corpus. Raises BadFile if a file is missing or damaged, or its build is unfinished.

    `seconds` limits each query, including the time to read its rows (None: no limit); `memory` is
    in MiB.
    """

    def __init__(self, out: Path, seconds: float | None = SECONDS, memory: int = MEMORY) -> None:
        shards = read_manifest(out)
        for wrong in damage(out, shards):
            raise BadFile(f"{wrong}; `canasta corpus build` repairs it")
        self._seconds = seconds
        self._memory = memory
        self._deadline = inf
        self._sql = ""
        # DuckDB ignores Ctrl-C, so it works in a thread, and this one waits for it.
        self._thread = ThreadPoolExecutor(1)
        self._connection = duckdb.connect(":memory:")
        for lock in (f"SET memory_limit = '{memory}MiB'", *_LOCKS):
            self._connection.execute(lock)
        for table in TABLES:
            paths = [str(path_of(out, table, shard.name)) for shard in shards]
            data = ds.dataset(paths, schema=schema_of(table), format="parquet")
            self._connection.register(table, data)

    def ask(self, sql: str) -> Answer:
        """Return the answer to a query. Raises BadFile, in DuckDB's words, if the query fails."""
        self._deadline = inf if self._seconds is None else monotonic() + self._seconds
        self._sql = sql
        columns = self._call(lambda: self._execute(sql))
        return Answer(columns, self._rows())

    def _execute(self, sql: str) -> tuple[str, ...]:
        statements = self._connection.extract_statements(sql)
        if len(statements) != 1:
            raise BadFile("query: write one statement")
        if statements[0].type not in _READING:
            raise BadFile("query: a corpus is read-only: write a SELECT")
        self._connection.execute(statements[0])
        return tuple(str(column[0]) for column in self._connection.description or ())

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        while rows := self._call(lambda: self._connection.fetchmany(_FETCH)):
            for row in rows:
                yield tuple(map(json_value, row))

    def _call(self, function: Callable[[], R]) -> R:
        """Return the result of a call to DuckDB. Raises BadFile if it fails or takes too long."""
        future = self._thread.submit(function)
        try:
            # A signal may come to DuckDB's thread; this one sees it when it wakes.
            waiting = True
            while waiting:
                waiting = not wait([future], _WAKE).done
                if monotonic() > self._deadline:
                    raise TimeoutError
            return future.result()
        except TimeoutError as error:
            seconds = f"{self._seconds:g} seconds"
            raise BadFile(f"query: no answer within {seconds}; --timeout allows more") from error
        except duckdb.OutOfMemoryException as error:
            more = f"more than {self._memory} MiB of memory"
            raise BadFile(f"query: needs {more}; --memory allows more") from error
        except duckdb.Error as error:
            raise BadFile(f"query: {_words(error, self._sql)}") from error
        finally:
            while not future.done():
                self._connection.interrupt()
                wait([future], _WAKE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._thread.shutdown()
        self._connection.close()


def _words(error: duckdb.Error, sql: str) -> str:
    """Return DuckDB's message in one line, without the excerpt of the query.

    It ends with the name of the column that was meant, if a word of SQL may stand for one.
    """
    text = " ".join(str(error).split("\n\nLINE", 1)[0].split())
    wrong = isinstance(error, duckdb.ParserException | duckdb.BinderException)
    found = next(_MEANT.finditer(sql), None) if wrong else None
    return f"{text}; the column is named {MEANT[found[1].lower()]}" if found else text


def json_value(value: Any) -> Any:
    """Return a value of an answer for JSON; numbers that JSON lacks become null or text."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case list() | tuple():
            return [json_value(each) for each in value]
        case dict():
            return {str(key): json_value(each) for key, each in value.items()}
    return str(value)


class ReportQuery(NamedTuple):
    """A report: its name in JSON, its title, and the query that answers it."""

    name: str
    title: str
    sql: str


@dataclass(frozen=True, slots=True)
class Report:
    """A report and its answer."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def _spread(what: str, source: str) -> str:
    return (
        f"SELECT count({what}) AS counted, min({what}) AS fewest, median({what}) AS median, "
        f"round(avg({what}), 2) AS mean, max({what}) AS most FROM {source}"
    )


#: Deals by side, with whether a seat of the side dealt.
_BY_SIDE: Final = (
    "(SELECT dealer, unnest(sides) AS side, unnest(scores) AS score FROM deals "
    "WHERE dealer IS NOT NULL AND coalesce(ended, '') NOT IN ('void', 'time'))"
)
#: How the play of a deal can end it.
_BY_PLAY: Final = "('out', 'stock', 'special')"
QUESTIONS: Final = (
    ReportQuery(
        "corpus",
        "Games by rules and verdict",
        "SELECT rules, verdict, count(*) AS games, sum(deals)::BIGINT AS deals, "
        "sum(turns)::BIGINT AS turns FROM games GROUP BY ALL ORDER BY games DESC, rules, verdict",
    ),
    ReportQuery("game_length", "Deals in a game", _spread("deals", "games WHERE finished")),
    ReportQuery(
        "deal_length",
        "Turns in a deal that ended",
        _spread("turns", f"deals WHERE ended IN {_BY_PLAY} AND turns > 0"),
    ),
    ReportQuery(
        "endings",
        "How deals end",
        "SELECT coalesce(ended, 'open or not known') AS ended, count(*) AS deals, "
        "count(*) FILTER (concealed) AS concealed, "
        "round(100 * count(*) / sum(count(*)) OVER (), 1) AS percent, "
        "round(avg(turns), 1) AS turns FROM deals WHERE NOT sheet "
        "GROUP BY ALL ORDER BY deals DESC, ended",
    ),
    ReportQuery(
        "opening_turn",
        "The turn of a deal's first opening",
        _spread("opening_turn", "deals WHERE opening_turn IS NOT NULL"),
    ),
    ReportQuery(
        "openings",
        "What openings count",
        _spread("opening", "turns WHERE opening IS NOT NULL"),
    ),
    ReportQuery(
        "takes", "Takes of the pile in a deal", _spread("takes", "deals WHERE replayed > 0")
    ),
    ReportQuery(
        "pile", "Cards in a pile when it is taken", _spread("pile", "turns WHERE pile IS NOT NULL")
    ),
    ReportQuery(
        "canastas",
        "Canastas",
        "SELECT canasta, count(*) AS canastas, "
        "round(count(*) / (SELECT count(*) FROM deals WHERE replayed > 0), 2) AS per_deal, "
        "count(*) FILTER (concealed) AS concealed, round(avg(cards), 1) AS cards, "
        "round(avg(canasta_turn), 1) AS turn FROM melds WHERE canasta IS NOT NULL "
        "GROUP BY canasta ORDER BY canastas DESC, canasta",
    ),
    ReportQuery(
        "score_by_side",
        "Score of a deal, by side",
        "SELECT side, count(score) AS deals, round(avg(score), 1) AS mean, "
        f"median(score) AS median, max(score) AS most FROM {_BY_SIDE} GROUP BY side ORDER BY side",
    ),
    ReportQuery(
        "score_by_dealer",
        "Score of a deal, by dealer and side",
        "SELECT dealer, side, count(score) AS deals, round(avg(score), 1) AS mean "
        f"FROM {_BY_SIDE} GROUP BY ALL ORDER BY dealer, side",
    ),
    ReportQuery(
        "out_by_seat",
        "Who goes out, by seat, and how often as dealer",
        "SELECT ended_by AS seat, count(*) AS deals, "
        "count(*) FILTER (dealer = ended_by) AS as_dealer, round(avg(turns), 1) AS turns "
        "FROM deals WHERE ended = 'out' GROUP BY ALL ORDER BY seat",
    ),
    ReportQuery(
        "findings",
        "The most frequent findings",
        "SELECT code, severity, count(*) AS findings, "
        "count(DISTINCT (file, game)) AS games, count(*) FILTER (consequence) AS consequences "
        "FROM findings GROUP BY ALL ORDER BY findings DESC, code LIMIT 20",
    ),
)


def make_reports(corpus: Corpus) -> tuple[Report, ...]:
    """Return every report on a corpus."""
    reports = []
    for name, title, sql in QUESTIONS:
        answer = corpus.ask(sql)
        reports.append(Report(name, title, answer.columns, tuple(answer.rows)))
    return tuple(reports)
