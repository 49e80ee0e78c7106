"""`canasta convert`: a record from one form into another, without loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Annotated, Final

import typer

from canasta_notation.cli.command_errors import BadText, UserError
from canasta_notation.cli.files import (
    STANDARD_INPUT,
    Source,
    decoded,
    form_of_input,
    one_source,
    read_bytes,
    read_games_of,
    read_record,
)
from canasta_notation.cli.options import NoColour, profiles, read_rules
from canasta_notation.cli.session import Session
from canasta_notation.formats import Form

if TYPE_CHECKING:
    from canasta_notation.findings import Finding
    from canasta_notation.notation.csv_form import ColumnMap
    from canasta_notation.notation.document import Game
    from canasta_notation.notation.reader import Reading


class FormName(StrEnum):
    """The forms of a record."""

    CANASTA = "canasta"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


#: The forms that can hold whole games.
_WHOLE: Final[dict[FormName, Form]] = {
    FormName.CANASTA: "canasta",
    FormName.JSON: "json",
    FormName.JSONL: "jsonl",
}
#: The form that each suffix of a file means.
_SUFFIXES: Final = {f".{name.value}": name for name in FormName}


def convert(
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH",
            help="A record or a CSV score sheet; - reads standard input.",
            show_default=False,
        ),
    ],
    to: Annotated[
        FormName | None,
        typer.Option(help="The output format (default: by the suffix of OUT; from CSV, canasta)."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "-o", "--out", metavar="OUT", help="The file to write (default: standard output)."
        ),
    ] = None,
    source_form: Annotated[
        FormName | None,
        typer.Option("--from", help="The format of PATH (default: by its suffix)."),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="MAP.toml",
            help="For CSV input: a file that names its columns and sides, and gives tags.",
        ),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="RULES",
            help="For CSV input: the rules that the game was played by.",
            autocompletion=profiles,
        ),
    ] = None,
    no_color: NoColour = False,
) -> None:
    """Convert a record between text and JSON without loss, or scores from and to CSV.

    Converting text to JSON and back gives the canonical text, comments included. A record with
    lines that cannot be read is not converted: its errors are shown, and the exit code is 1.

    CSV holds only scores. Output has one row per deal, side and item, like `audit --csv`. Input
    may have one row per item, per deal and side, or per deal; the header row decides which.
    Commas, semicolons or tabs separate the cells. Every figure becomes a claim, which `audit` can
    check. If a sheet uses other names, say in MAP.toml what each one means: melds = "Cards down"
    for a column, and NS = "Ana and Carla" below the line [sides] for a side.
    """
    with Session(no_colour=no_color) as session:
        from canasta_notation.storage import spooled, write_whole

        is_sheet = source_form is FormName.CSV or FilePath(path).suffix.lower() == ".csv"
        if to is None and out is None and is_sheet:
            to = FormName.CANASTA
        target = to or _form_of_suffix(out, "-o", "--to")
        if out and _SUFFIXES.get(FilePath(out).suffix.lower(), target) != target:
            raise UserError(f"-o {out}: this suffix does not fit --to {target.value}")
        if source_form is None and path == STANDARD_INPUT:
            source_form = FormName(form_of_input())
        if path != STANDARD_INPUT and not FilePath(path).exists():
            raise UserError(f"{path}: no such file or folder")
        form = source_form or _form_of_suffix(path, path, "--from")
        if form is not FormName.CSV and (columns or rules):
            raise UserError("--columns and --rules can be used only with CSV input")
        pieces = map(str.encode, _pieces(session, path, form, target, columns, rules))
        if out is None or out == STANDARD_INPUT:
            with spooled(pieces) as whole:
                session.write_file(whole)
        else:
            for lost in write_whole(FilePath(out), pieces):
                session.say(f"{out}: {lost}")


def _form_of_suffix(path: str | None, name: str, option: str) -> FormName:
    """Return the form that a suffix names; `-` and folders are text. Raises UserError."""
    if path is not None and (path == STANDARD_INPUT or FilePath(path).is_dir()):
        return FormName.CANASTA
    suffix = FilePath(path or "").suffix
    form = _SUFFIXES.get(suffix.lower())
    if form is not None:
        return form
    known = ", ".join(_SUFFIXES)
    why = "the format to write is not known"
    if path:
        why = f"{name}: {suffix or 'no suffix'} is not a record format"
    raise UserError(f"convert: {why}; use {option}, or one of the suffixes {known}")


def _pieces(
    session: Session,
    path: str,
    form: FormName,
    target: FormName,
    columns: str | None,
    rules: str | None,
) -> Iterator[str]:
    """Return the text that a record becomes, piece by piece."""
    from canasta_notation.formats import games_as

    if form is FormName.CSV:
        games = _sheets(session, path, columns, rules)
        if target is FormName.CSV:
            raise UserError("convert: the input is CSV already; choose another format with --to")
        return games_as(_WHOLE[target], games)
    source = one_source(path, form=_WHOLE[form])
    if target is FormName.CSV:
        return _score_rows(session, source)
    return games_as(_WHOLE[target], _games(session, source))


def _score_rows(session: Session, source: Source) -> Iterator[str]:
    """Yield the rows of the scores, header first."""
    import csv
    import io

    from canasta_notation.render.paint import escape
    from canasta_notation.report.audit_json import CSV_COLUMNS, csv_rows
    from canasta_notation.report.ledger import audit_game

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    readings = whole_readings(session, source.name, read_record(source))
    for number, reading in enumerate(readings, 1):
        writer.writerows(csv_rows(escape(source.name), audit_game(reading, number)))
        yield text.getvalue()
        text.seek(0)
        text.truncate()


def _sheets(session: Session, path: str, columns: str | None, rules: str | None) -> list[Game]:
    """Return the games of a score sheet. If cells are wrong, show them all, then raise BadText."""
    from canasta_notation.notation.csv_form import ColumnMap, SheetError, read_sheets
    from canasta_notation.rules import profile_names

    names = ColumnMap() if columns is None else _column_map(columns)
    if rules is not None:
        names = replace(names, tags={**names.tags, "Rules": rules})
    profile = read_rules(names.tags.get("Rules", profile_names()[0]), "rules of the sheet")
    assert profile is not None
    text = decoded(path, read_bytes(path))
    try:
        sheets = read_sheets(text, profile.side_names, names)
    except SheetError as error:
        for problem in error.problems:
            session.fail(f"{path}: {problem}")
        raise BadText from error
    if sheets.left_out:
        session.say(f"{path}: columns left out: {', '.join(sheets.left_out)}")
    return sheets.games


def _column_map(path: str) -> ColumnMap:
    """Return the map of columns that a TOML file holds. Raises UserError."""
    import tomllib

    from canasta_notation.notation.csv_form import column_map

    try:
        return column_map(tomllib.loads(decoded(path, read_bytes(path))))
    except tomllib.TOMLDecodeError as error:
        raise UserError(f'{path}: {error}; write each line like deal = "Round"') from error
    except ValueError as error:  # Python's own, of thousands of digits, too
        why = str(error).partition("; use sys.")[0]
        raise UserError(f"{path}: {why}") from error


def _games(session: Session, source: Source) -> Iterator[Game]:
    if source.form == "canasta":
        return whole_games(session, source.name, read_record(source))
    return read_games_of(source)


def whole_games(session: Session, name: str, readings: Iterable[Reading]) -> Iterator[Game]:
    """Yield each game of a text. If the text has errors, show them all, then raise BadText."""
    return (reading.game for reading in whole_readings(session, name, readings))


def whole_readings(session: Session, name: str, readings: Iterable[Reading]) -> Iterator[Reading]:
    """Yield each game as it was read. If the text has errors, show them all, then raise BadText."""
    whole = True
    for reading in readings:
        unread = [problem for problem in reading.problems if problem.code == "syntax"]
        if unread:
            whole = False
            _show_unread(session, name, reading, unread)
        elif whole:
            yield reading
    if not whole:
        raise BadText


def _show_unread(session: Session, name: str, reading: Reading, findings: list[Finding]) -> None:
    """Say on standard error at which line a record cannot be read."""
    from canasta_notation.render.excerpt import finding_block
    from canasta_notation.render.paint import paint
    from canasta_notation.report.outcome import excerpt_lines

    lines = excerpt_lines(reading, findings)
    for finding in findings:
        text = lines.get(finding.span.line)
        block = finding_block(name, None, finding, text, session.look)
        for line in paint(block).splitlines():
            session.say(line)
