"""`canasta corpus`: records into Parquet, SQL queries, ready-made reports."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from canasta_notation.cli.files import STANDARD_INPUT, Source, find_sources, opened
from canasta_notation.cli.help_text import Command
from canasta_notation.cli.options import Jobs, Json, NoColour, forbid_together
from canasta_notation.cli.session import Session, UserError, json_text, say_all
from canasta_notation.cli.streaming import Bar, JsonList, input_of, total_size
from canasta_notation.corpus import MEMORY, SECONDS
from canasta_notation.english import count
from canasta_notation.formats import decode
from canasta_notation.render import paint

if TYPE_CHECKING:
    from canasta_notation.batch.parts import Input
    from canasta_notation.batch.processes import Runner
    from canasta_notation.corpus.build import Built
    from canasta_notation.corpus.query import Answer

corpus = typer.Typer(
    name="corpus",
    help="Ask questions about many games, in SQL or as tables (needs the extra `corpus`).",
    epilog="Example: `canasta corpus build records -o games`",
    no_args_is_help=True,
)
#: The most rows of an answer that are shown in a table.
_SHOWN: Final = 1000
#: A spreadsheet treats a cell that begins with one of these as a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
Out = Annotated[str, typer.Argument(metavar="OUT", help="A corpus folder.", show_default=False)]


@corpus.command(cls=Command, epilog="Example: `canasta corpus build records -o games`")
def build(
    folder: Annotated[
        str,
        typer.Argument(
            metavar="DIR", help="A folder of records, or one record.", show_default=False
        ),
    ],
    out: Annotated[str, typer.Option("-o", "--out", metavar="OUT", help="The folder to write to.")],
    jobs: Jobs = 1,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Build on a Dask cluster: tcp://HOST:PORT."),
    ] = None,
    chances: Annotated[
        bool, typer.Option("--chances", help="Also find the chances that each turn missed (slow).")
    ] = False,
    no_color: NoColour = False,
) -> None:
    """Write the games as eight tables in Parquet: games, deals, sides, turns, facts and more.

    The other tables are melds, score_items and findings. Existing shards (parts of a table) are
    kept, so an interrupted build continues where it stopped. Unreadable records are reported, and
    the exit code is 2; the rest are still built.
    """
    with Session(no_colour=no_color) as session, _needing_extras():
        sources, wrong = find_sources([folder])
        say_all(session, wrong)
        if not sources:
            return
        from canasta_notation.corpus.build import build_corpus

        try:
            with Bar(total_size(sources), "building") as bar:
                built = build_corpus(
                    [_below(folder, source) for source in sources],
                    Path(out),
                    jobs=jobs,
                    run=_cluster(scheduler) if scheduler else None,
                    chances=chances,
                    progress=bar.advance,
                )
        except KeyboardInterrupt:
            session.say("canasta: stopped; the same command continues from here")
            raise
        say_all(session, built.trouble)
        session.write(_summary(built))


@corpus.command(cls=Command, epilog="Example: `canasta corpus check games`")
def check(out: Out, no_color: NoColour = False) -> None:
    """Check that no file of a corpus has changed since it was written, and that no other is there.

    The exit code is 1 if a file of a table is damaged, missing or foreign, and 2 if the list of
    files (the manifest) is damaged. To repair the corpus, run `build` again with the same records.
    """
    with Session(no_colour=no_color) as session, _needing_extras():
        from canasta_notation.corpus.folder import damage, foreign_files, read_manifest

        shards = read_manifest(Path(out))
        wrong = list(damage(Path(out), shards))
        foreign = list(foreign_files(Path(out), shards))
        for line in (*wrong, *foreign):
            session.show([paint.row(line)])
        session.found(wrong=bool(wrong or foreign))
        found = [f"{count(len(wrong), 'file')} damaged"]
        found += [f"{count(len(foreign), 'file')} foreign"] if foreign else []
        session.write(f"{count(len(shards), 'shard')}, {', '.join(found)}\n")


@corpus.command(
    cls=Command, epilog='Example: `canasta corpus query games "SELECT count(*) FROM deals"`'
)
def query(
    out: Out,
    sql: Annotated[
        str,
        typer.Argument(
            metavar="SQL",
            help="A SELECT statement; - reads it from standard input.",
            show_default=False,
        ),
    ],
    json: Json = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV with a header line.")] = False,
    timeout: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="Time limit for the query.")
    ] = SECONDS,
    memory: Annotated[
        int,
        typer.Option(
            min=64, max=1 << 20, metavar="MIB", help="Memory limit for the query, in MiB."
        ),
    ] = MEMORY,
    no_color: NoColour = False,
) -> None:
    """Query a corpus with SQL, in DuckDB's dialect. Only its tables can be read.

    `DESCRIBE` followed by the name of a table lists its columns. A table on the screen has at most
    1000 rows; `--json` and `--csv` print all of them. In CSV, text that a spreadsheet would take
    for a formula is printed with an apostrophe before it.
    """
    with Session(no_colour=no_color) as session, _needing_extras():
        forbid_together("--json", json, {"--csv": csv})
        from canasta_notation.corpus.query import Corpus

        with Corpus(Path(out), timeout, memory) as corpus:
            answer = corpus.ask(_read_sql() if sql == STANDARD_INPUT else sql)
            if json:
                _write_json(session, answer)
            elif csv:
                _write_csv(session, answer)
            else:
                _write_table(session, answer.columns, list(islice(answer.rows, _SHOWN)))
                if next(answer.rows, None) is not None:
                    session.say(f"the first {_SHOWN} rows; --json and --csv print all")


def _read_sql() -> str:
    """Return the text of standard input. Raises UserError."""
    from canasta_notation.notation.blocks import NotText

    with opened(Source(STANDARD_INPUT, None, "canasta")) as stream:
        try:
            return decode(stream.read())
        except NotText as error:
            raise UserError(f"{STANDARD_INPUT}: {error}") from error


@corpus.command(cls=Command, epilog="Example: `canasta corpus stats games`")
def stats(out: Out, json: Json = False, no_color: NoColour = False) -> None:
    """Show reports: lengths, endings, openings, piles, canastas, scores and findings."""
    with Session(no_colour=no_color) as session, _needing_extras():
        from canasta_notation.corpus.query import Corpus, make_reports

        with Corpus(Path(out), None) as corpus:
            reports = make_reports(corpus)
        if json:
            named = {
                report.name: [dict(zip(report.columns, row, strict=True)) for row in report.rows]
                for report in reports
            }
            session.write_json(named)
            return
        for place, report in enumerate(reports):
            session.write(("\n" if place else "") + report.title + "\n")
            if report.rows:
                _write_table(session, report.columns, report.rows)
            else:
                session.write("none\n")


@contextmanager
def _needing_extras() -> Iterator[None]:
    """Raise UserError for a missing package, naming the extra that installs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        extra = {"duckdb": "corpus", "pyarrow": "corpus", "distributed": "cluster"}.get(package)
        if extra is None:
            raise
        from canasta_notation.cli.installing import how_to_install

        raise UserError(f"this needs {package}; {how_to_install(extra)}") from error


def _below(folder: str, source: Source) -> Input:
    """Return a record with its absolute path; its name is its path below the folder."""
    assert source.path is not None
    path = os.path.abspath(source.path)
    base = folder if os.path.isdir(folder) else os.path.dirname(path)
    name = Path(os.path.relpath(path, base)).as_posix()
    shown = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return replace(input_of(replace(source, path=Path(path))), name=shown)


def _cluster(address: str) -> Runner:
    from canasta_notation.batch.cluster import on_cluster

    return on_cluster(address)


def _summary(built: Built) -> str:
    rows = ", ".join(count(number, table[:-1]) for table, number in built.rows.items())
    return f"{rows}\n{count(built.built, 'shard')} built, {built.kept} kept\n"


# --- answers ------------------------------------------------------------------------------------


def _write_json(session: Session, answer: Answer) -> None:
    """Write an answer as a list of objects."""
    twice = [name for name, number in Counter(answer.columns).items() if number > 1]
    if twice:
        raise UserError(f"query: two columns are called {twice[0]}; rename one with AS")
    rows = JsonList(0, unicode=session.look.unicode)
    for row in answer.rows:
        rows.add(dict(zip(answer.columns, row, strict=True)))
    rows.write_to(session.out)
    session.out.write("\n")


def _write_csv(session: Session, answer: Answer) -> None:
    import csv

    writer = csv.writer(session.out, lineterminator="\n")
    terminal = session.out.isatty()
    for row in chain([answer.columns], answer.rows):
        cells = map(_csv_cell, row)
        writer.writerow([paint.escape(cell) for cell in cells] if terminal else cells)


def _csv_cell(value: Any) -> str:
    """Return a value for CSV: a list as JSON, a text so that no spreadsheet runs it."""
    match value:
        case None:
            return ""
        case str():
            return "'" + value if value.startswith(_FORMULA) else value
        case bool() | list() | dict():
            return json_text(value, indent=None)[:-1]
    return str(value)


def _write_table(
    session: Session, columns: tuple[str, ...], rows: Sequence[tuple[Any, ...]]
) -> None:
    """Write rows as a table; cells too wide for the terminal are folded."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from canasta_notation.render.paint import escape

    shape = box.SIMPLE_HEAD if session.look.unicode else box.ASCII2
    table = Table(box=shape, pad_edge=False, show_edge=False)
    for at, column in enumerate(columns):
        numbers = all(isinstance(row[at], (int, float, type(None))) for row in rows)
        table.add_column(Text(escape(column)), justify="right" if numbers else "left")
    for row in rows:
        table.add_row(*(Text(escape("" if each is None else str(each))) for each in row))
    terminal = session.out.isatty()
    width = session.look.width if terminal else 10_000
    console = Console(
        file=session.out, width=width, color_system="auto" if session.look.colour else None
    )
    with console.capture() as captured:
        console.print(table)
    session.write(captured.get())
