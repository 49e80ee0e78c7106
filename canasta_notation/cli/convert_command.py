"""`canasta convert`: records and score sheets, from one form into another."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from canasta_notation.cli.files import (
    STANDARD_INPUT,
    Source,
    find_sources,
    form_of_input,
    how_to_map,
    is_score_sheet,
    one_source,
    read_bytes,
    read_column_map,
    read_games_of,
    read_record,
    read_spreadsheet,
    rules_of_map,
    spreadsheet_reading,
    spreadsheets_in,
    with_reader,
)
from canasta_notation.cli.options import NoColour, SheetColumns, profiles
from canasta_notation.cli.session import BadText, Session, UserError
from canasta_notation.english import count, listed
from canasta_notation.formats import FORMS, Form
from canasta_notation.storage import BadFile, check_place

if TYPE_CHECKING:
    from canasta_notation.findings import Finding
    from canasta_notation.foreign.spreadsheet_columns import SpreadsheetReading
    from canasta_notation.foreign.spreadsheet_file import SpreadsheetError
    from canasta_notation.notation.anonymous import PlayerNumbers
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
#: The form of files with each suffix.
_SUFFIXES: Final = {f".{name.value}": name for name in FormName}


#: The games of the files that have been read as a whole; None for one that cannot be read.
_Held = dict[str, "list[Game] | None"]


class Points(StrEnum):
    """What the figures of a score sheet are."""

    DEAL = "deal"
    TOTAL = "total"


class _Original(NamedTuple):
    """A file to convert: its path, what it is called in a folder of results, and its form."""

    name: str
    below: Path
    form: FormName


class _Goal(NamedTuple):
    """What a file becomes: its form, and the file to write (None: standard output)."""

    form: FormName
    path: Path | None


def convert(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH",
            help="Records, folders of records, or score sheets; - reads standard input.",
            show_default=False,
        ),
    ],
    to: Annotated[
        FormName | None,
        typer.Option(
            help="The output format (default: by the suffix of OUT; from score sheets, canasta)."
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--out",
            metavar="OUT",
            help="The file to write, or a folder for several, which is made if it is missing "
            "(default: standard output).",
        ),
    ] = None,
    source_form: Annotated[
        FormName | None,
        typer.Option("--from", help="The format of PATH (default: by its suffix)."),
    ] = None,
    columns: SheetColumns = None,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="RULES",
            help="For score sheets: the rules that the games were played by.",
            autocompletion=profiles,
        ),
    ] = None,
    points: Annotated[
        Points | None,
        typer.Option(
            help="For score sheets: whether figures are points of a deal or running totals, "
            "if the sheet does not say so.",
            show_default=False,
        ),
    ] = None,
    guess: Annotated[
        str | None,
        typer.Option(
            metavar="MAP.toml",
            help="For one score sheet: only write a file for --columns, as far as it can be "
            "guessed.",
        ),
    ] = None,
    anonymous: Annotated[
        bool,
        typer.Option("--anonymous", help="Replace players by Player 1 and so on; drop the Site."),
    ] = False,
    no_color: NoColour = False,
) -> None:
    """Turn score sheets into records, and records into JSON, or their scores into CSV.

    Converting text to JSON and back gives the canonical text, comments included. A record with
    lines that cannot be read is not converted: its errors are shown, and the exit code is 1.
    Of several files, each becomes a file in the folder OUT, and those that cannot be converted are
    listed at the end.

    CSV holds only scores. Output has one row per deal, side and item, like `audit --csv`. A score
    sheet is a .csv, .tsv, .xlsx or .ods file, the JSON that a score app exports, or any file with
    `--from csv`; so is every spreadsheet in a folder with `--from csv`. It may have one row per
    item, per deal and side, or per deal; the header decides which. The names of columns may be
    English, German, Spanish, French, Portuguese, Italian or Dutch, or names of players; standard
    error says what they mean. Every figure becomes a claim, which `audit` can check. If a sheet
    does not say enough, `--guess MAP.toml` writes what can be guessed: correct it, and use it with
    `--columns MAP.toml`. There, melds = "Cards down" names a column, and NS = "Ana and Carla" below
    the line [sides] a side.

    With `--anonymous`, names of players are also replaced in comments and in every tag that is a
    text. A player has the same new name in all files of one call. If one of them cannot be read,
    nothing is written.
    """
    with Session(no_colour=no_color) as session:
        inputs = [each for path in paths for each in _inputs(path, source_form)]
        if guess is not None:
            _guess(session, inputs, _sheet_reading(columns, rules, points), guess)
            return
        goals = _goals(paths, inputs, to, out, anonymous=anonymous)
        held = _sheets(session, inputs, columns, rules, points)
        players = _players(session, inputs, goals, held) if anonymous else None
        missing = [
            each.name
            for each, goal in zip(inputs, goals, strict=True)
            if not _is_written(session, each, goal, held, players)
        ]
        if missing and len(inputs) > 1:
            of = f"{len(missing)} of {count(len(inputs), 'file')}"
            session.say(f"not written ({of}): {listed(missing)}")


def _inputs(path: str, form: FormName | None) -> list[_Original]:
    """Return the files that a path leads to. Raises UserError."""
    place = Path(path)
    if path == STANDARD_INPUT:
        return [_Original(path, Path("input"), form or FormName(form_of_input()))]
    if not place.exists():
        raise UserError(f"{path}: no such file or folder")
    if not place.is_dir():
        known = FormName.CSV if is_score_sheet(path) else None
        known = form or known or _form_of_suffix(path, path, "--from")
        return [_Original(path, Path(place.name), known)]
    if form is FormName.CSV:
        return [
            _Original(each, Path(each).relative_to(place), form) for each in spreadsheets_in(path)
        ]
    sources, wrong = find_sources([path], forms=(_WHOLE[form],) if form else FORMS)
    if wrong:
        raise UserError(wrong[0])
    return [
        _Original(each.name, Path(each.name).relative_to(place), FormName(each.form))
        for each in sources
    ]


def _goals(
    paths: list[str],
    inputs: list[_Original],
    to: FormName | None,
    out: str | None,
    *,
    anonymous: bool,
) -> list[_Goal]:
    """Return what each file becomes. Raises UserError if that is not clear."""
    if any(each.form is FormName.CSV for each in inputs) and to is FormName.CSV:
        raise UserError("convert: the input is already CSV; choose another format with --to")
    if out and _is_folder(out, paths, inputs):
        if Path(out).exists() and not Path(out).is_dir():
            raise UserError(f"-o {out}: is not a folder")
        forms = [to or _usual_form(each, anonymous=anonymous) for each in inputs]
        goals = [
            _Goal(form, Path(out, each.below).with_suffix(f".{form.value}"))
            for each, form in zip(inputs, forms, strict=True)
        ]
        _check_apart(inputs, goals)
        return goals
    if len(inputs) > 1:
        raise UserError(f"convert: there are {len(inputs)} records; name a folder for them with -o")
    if out is None:
        return [_Goal(to or _usual_form(inputs[0], anonymous=anonymous), None)]
    return [_goal_of_file(inputs[0], out, to, anonymous=anonymous)]


def _goal_of_file(each: _Original, out: str, to: FormName | None, *, anonymous: bool) -> _Goal:
    """Return what a file becomes if it is written to the file OUT. Raises UserError."""
    form = to or _form_of_suffix(out, f"-o {out}", "--to")
    if _SUFFIXES.get(Path(out).suffix.lower(), form) != form:
        raise UserError(f"-o {out}: this suffix does not fit --to {form.value}")
    if out == STANDARD_INPUT:
        return _Goal(form, None)
    if anonymous and os.path.realpath(out) == os.path.realpath(each.name):
        raise UserError(
            f"-o {out}: is the file to convert, whose names would be lost; choose another"
        )
    check_place(Path(out))
    return _Goal(form, Path(out))


def _usual_form(each: _Original, *, anonymous: bool) -> FormName:
    """Return the form that a file becomes if none is named. Raises UserError if it has to be."""
    if each.form is FormName.CSV:
        return FormName.CANASTA
    return each.form if anonymous else _form_of_suffix(None, "", "--to")


def _is_folder(out: str, paths: list[str], inputs: list[_Original]) -> bool:
    """Return whether OUT is a folder: it exists, is written as one, or gets several files."""
    if Path(out).is_dir() or out.endswith(("/", os.sep)):
        return True
    several = len(inputs) > 1 or any(Path(path).is_dir() for path in paths)
    return several and not Path(out).exists() and not Path(out).suffix


def _check_apart(inputs: list[_Original], goals: list[_Goal]) -> None:
    """Raise UserError if two files would become one, or one would replace a file to convert."""
    read = {os.path.realpath(each.name) for each in inputs}
    made: dict[Path | None, str] = {}
    for each, (_, goal) in zip(inputs, goals, strict=True):
        if goal is not None and os.path.realpath(goal) in read:
            raise UserError(f"{goal}: is a file to convert; choose another folder with -o")
        other = made.setdefault(goal, each.name)
        if other != each.name:
            raise UserError(f"{other} and {each.name} would both become {goal}")


def _form_of_suffix(path: str | None, name: str, option: str) -> FormName:
    """Return the form that a suffix names; `-` is text. Raises UserError."""
    if path == STANDARD_INPUT:
        return FormName.CANASTA
    form = _SUFFIXES.get(Path(path or "").suffix.lower())
    if form is not None:
        return form
    why = f"{name}: its suffix names no format" if path else "the format to write is not known"
    known = listed(_SUFFIXES, "or")
    raise UserError(f"{why}; use {option}, or a name that ends in {known}")


def _is_written(
    session: Session,
    each: _Original,
    goal: _Goal,
    held: _Held,
    players: PlayerNumbers | None,
) -> bool:
    """Convert one file; return False if that is not possible, after saying why."""
    from canasta_notation.notation.format import Unwritable

    if held.get(each.name, ()) is None:
        return False
    try:
        _write(session, goal, _pieces(session, each, goal.form, held, players))
    except BadText:
        session.found()
    except Unwritable as trouble:
        session.fail(f"{each.name}: {trouble}")
    except BadFile as trouble:
        session.fail(str(trouble))
    else:
        return True
    return False


def _write(session: Session, goal: _Goal, pieces: Iterator[str]) -> None:
    from canasta_notation.storage import made_folder, spooled, write_whole

    data = map(str.encode, pieces)
    if goal.path is None:
        with spooled(data) as whole:
            session.write_file(whole)
        return
    # Only a folder of results can be missing: the folder of a single file is there.
    with made_folder(goal.path.parent):
        for lost in write_whole(goal.path, data):
            session.say(f"{goal.path}: {lost}")


def _pieces(
    session: Session,
    each: _Original,
    target: FormName,
    held: _Held,
    players: PlayerNumbers | None,
) -> Iterator[str]:
    """Return the text that a file becomes, piece by piece."""
    from canasta_notation.formats import games_as

    if target is FormName.CSV:
        return _score_rows(session, one_source(each.name, form=_WHOLE[each.form]))
    games = _games(session, each, held)
    if players is not None:
        games = map(players.without_names, games)
    return games_as(_WHOLE[target], games)


def _players(
    session: Session,
    inputs: list[_Original],
    goals: list[_Goal],
    held: _Held,
) -> PlayerNumbers:
    """Return the players of all files. If one cannot be read, raises BadText: nothing is written.

    The games from standard input, which cannot be read twice, are added to those that are `held`.
    """
    from canasta_notation.notation.anonymous import PlayerNumbers

    if None in held.values():
        session.say("nothing is written, because --anonymous needs the players of all files")
        raise BadText
    players = PlayerNumbers()
    for each, goal in zip(inputs, goals, strict=True):
        if goal.form is FormName.CSV:
            continue  # it holds no names
        games: Iterable[Game] = _games(session, each, held)
        if each.name == STANDARD_INPUT:
            held[each.name] = games = [*games]
        for game in games:
            players.add(game)
    return players


def _score_rows(session: Session, source: Source) -> Iterator[str]:
    """Yield the rows of the scores, header first."""
    import csv
    import io

    from canasta_notation.render.paint import escape
    from canasta_notation.report.ledger import CSV_COLUMNS, audit_game, csv_rows

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    readings = whole_readings(session, source.name, read_record(source))
    for number, reading in enumerate(readings, 1):
        writer.writerows(csv_rows(escape(source.name), audit_game(reading, number)))
        yield text.getvalue()
        text.seek(0)
        text.truncate()


def _sheets(
    session: Session,
    inputs: list[_Original],
    columns: str | None,
    rules: str | None,
    points: Points | None,
) -> _Held:
    """Return the games of all score sheets by their paths, None for one that cannot be read.

    What is wrong with it has then been shown.
    """
    from canasta_notation.foreign.spreadsheet_file import SpreadsheetError

    sheets = [each.name for each in inputs if each.form is FormName.CSV]
    if not sheets:
        if columns or rules or points:
            raise UserError("--columns, --rules and --points can be used only with score sheets")
        return {}
    reading = _sheet_reading(columns, rules, points)
    held: _Held = {}
    for path in sheets:
        held[path] = None
        try:
            held[path] = read_spreadsheet(path, reading, session.say)
        except SpreadsheetError as error:
            _report_sheet(session, path, error)
        except BadFile as trouble:
            session.fail(str(trouble))
    return held


def _report_sheet(session: Session, path: str, error: SpreadsheetError) -> None:
    """Report what is wrong with a score sheet, and how a map of its columns is written."""
    for problem in error.problems:
        session.fail(f"{path}: {problem}")
    if error.map_helps:
        session.say(f"{path}: {how_to_map(path)}")


def _sheet_reading(
    columns: str | None, rules: str | None, points: Points | None
) -> SpreadsheetReading:
    """Return how to read score sheets. Raises UserError."""
    names = read_column_map(columns)
    if rules is not None:
        names = replace(names, tags={**names.tags, "Rules": rules})
    if points is not None:
        names = replace(names, points=points.value)
    return spreadsheet_reading(rules_of_map(names), names)


def _guess(
    session: Session, inputs: list[_Original], reading: SpreadsheetReading, path: str
) -> None:
    """Write a map of a sheet's columns, as far as it can be guessed. Raises UserError."""
    from canasta_notation.foreign.spreadsheet_file import SpreadsheetError
    from canasta_notation.foreign.spreadsheet_guess import guess_map
    from canasta_notation.storage import write_whole

    if [each.form for each in inputs] != [FormName.CSV]:
        raise UserError("--guess needs one score sheet")
    if os.path.lexists(path):
        raise UserError(f"{path} already exists; choose another name for --guess")
    (sheet,) = inputs
    try:
        text = with_reader(sheet.name, lambda: guess_map(read_bytes(sheet.name), reading))
    except SpreadsheetError as error:
        for problem in error.problems:
            session.fail(f"{sheet.name}: {problem}")
        return
    for lost in write_whole(Path(path), [text.encode()]):
        session.say(f"{path}: {lost}")
    session.say(f"{path}: read it and correct it; then use it with --columns {path}")


def _games(session: Session, each: _Original, held: _Held) -> Iterator[Game]:
    games = held.get(each.name)
    if games is not None:
        return iter(games)
    source = one_source(each.name, form=_WHOLE[each.form])
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
