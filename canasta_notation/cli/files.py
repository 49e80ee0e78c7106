"""Records by their paths: files, folders, standard input; as text or in a JSON form."""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, TypeVar, cast

from canasta_notation.cli.session import BadRules, UserError, file_error
from canasta_notation.english import count, listed
from canasta_notation.formats import (
    FORMS,
    HEAD,
    SUFFIXES,
    Form,
    decode,
    form_of_text,
    game_as,
    read_json,
)
from canasta_notation.names import deal_of_tag, player_name

if TYPE_CHECKING:
    from canasta_notation.foreign.spreadsheet_columns import SpreadsheetReading
    from canasta_notation.foreign.spreadsheet_map import ColumnMap
    from canasta_notation.foreign.spreadsheet_players import SheetRules
    from canasta_notation.notation.document import Game
    from canasta_notation.notation.reader import Reading
    from canasta_notation.rules import Profile

#: A search reads this much of both ends of a JSON file; it ignores files that are not records.
_END: Final = 4096
_PIECE: Final = 1 << 16
#: A word such as `target=3000`.
_OVERRIDE: Final = re.compile(r"[a-z][a-z0-9_.]*=[^/\\]+")
STANDARD_INPUT: Final = "-"
#: The most bytes to read from a stream that must be held in memory as a whole.
STREAM_LIMIT: Final = 1 << 28
#: The suffixes of files that hold score sheets.
SPREADSHEET_SUFFIXES: Final = (".csv", ".tsv", ".xlsx", ".ods")
#: The profiles that the sides of a sheet can call for, the usual one first.
_SHEET_RULES: Final = (
    "classic",
    "classic-2p",
    "classic-3p",
    "classic-6p",
    "classic-6p sides=3 target=7500",
)
#: The profiles that only the export of a score app can call for.
_EXPORT_RULES: Final = ("american-2p", "american-4p")
#: What may precede the first character of a text.
_BLANK: Final = b"\xef\xbb\xbf \t\r\n"
#: A side never has more canastas of a kind than this.
_MOST_CANASTAS: Final = 20


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Source:
    """A record to read; `path` is None for standard input, `name` is its name in messages."""

    name: str
    path: Path | None
    form: Form


def find_sources(
    paths: Iterable[str], *, form: Form | None = None, forms: tuple[Form, ...] = FORMS
) -> tuple[list[Source], list[str]]:
    """Return the records that paths name, and what is wrong with the other paths.

    Folders are searched, in order of name, for files with the suffixes of `forms`. The search skips
    JSON files that are not records, and everything that is not a regular file, such as a named
    pipe. A folder that cannot be searched is reported. `form` is the form of standard input and of
    files that are named directly; without it, the suffix of a file and the first character of
    standard input decide.
    """
    sources: list[Source] = []
    wrong: list[str] = []
    for given in paths:
        if not given:
            wrong.append("a path is empty; `.` means this folder")
            continue
        path = Path(given)
        try:
            if given == STANDARD_INPUT:
                sources.append(Source(STANDARD_INPUT, None, form or form_of_input()))
            elif stat.S_ISDIR(os.stat(path).st_mode):
                found, closed = _search(path, forms)
                sources += found
                wrong += closed
                if not found and not closed:
                    kinds = " or ".join(end for end, kind in SUFFIXES.items() if kind in forms)
                    wrong.append(f"{given}: no records ({kinds}) in this folder{_if_sheets(path)}")
            else:
                sources.append(Source(given, path, form or form_of(path)))
        except (FileNotFoundError, ValueError):  # a NUL byte is in no name
            wrong.append(f"{given}: no such file or folder{_if_rules(given)}")
        except OSError as error:
            wrong.append(str(file_error(given, error)))
    return sources, wrong


def _if_sheets(folder: Path) -> str:
    """Return what to do about a folder without records that has score sheets."""
    sheets = sorted(path for path in folder.iterdir() if path.suffix in SPREADSHEET_SUFFIXES)
    return f"; name its score sheets one by one, such as {sheets[0]}" if sheets else ""


def _if_rules(given: str) -> str:
    """Return what to do about a path that looks like a word of the rules."""
    if not _OVERRIDE.fullmatch(given):
        return ""
    return f'; if it belongs to the rules, put them in quotes: --rules "classic {given}"'


def one_source(given: str, *, form: Form | None = None) -> Source:
    """Return the one record that a path leads to. Raises UserError."""
    sources, wrong = find_sources([given], form=form)
    if wrong:
        raise UserError(wrong[0])
    if len(sources) > 1:
        raise UserError(f"{given}: contains {len(sources)} records; name one of them")
    return sources[0]


def form_of(path: Path) -> Form:
    """Return the form that a file's suffix names; any other suffix means text."""
    return SUFFIXES.get(path.suffix.lower(), "canasta")


def form_of_input() -> Form:
    """Return the form of standard input by how it begins, without reading it."""
    stream = sys.stdin.buffer
    head = stream.peek(HEAD)[:HEAD] if isinstance(stream, BufferedReader) else b""
    return form_of_text(head)


def _search(folder: Path, forms: tuple[Form, ...]) -> tuple[list[Source], list[str]]:
    """Return the records in and below a folder, and the folders that cannot be searched."""
    found: list[Source] = []
    closed: list[str] = []

    def refused(error: OSError) -> None:
        closed.append(str(file_error(str(error.filename), error)))

    for place, folders, names in os.walk(folder, onerror=refused):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place, name)
            form = SUFFIXES.get(path.suffix.lower())
            if form in forms and form is not None and _is_record(path, form):
                found.append(Source(str(path), path, form))
    return found, closed


def _is_record(path: Path, form: Form) -> bool:
    """Return whether to read a file that a search found; one that cannot be opened is reported."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False
        if form == "canasta":
            return True
        with path.open("rb") as stream:
            ends = stream.read(_END)
            stream.seek(-min(_END, os.fstat(stream.fileno()).st_size), os.SEEK_END)
            ends += stream.read(_END)
        return b'"cgn"' in ends or (b'"tags"' in ends and b'"deals"' in ends)
    except OSError:
        return True


# --- reading ------------------------------------------------------------------------------------


@contextmanager
def opened(source: Source) -> Iterator[BinaryIO]:
    """Open a record's bytes; standard input is left open. Raises UserError.

    At most `STREAM_LIMIT` bytes are read from a file of unknown size, such as a pipe.
    """
    try:
        if source.path is None:
            yield cast(BinaryIO, _Limited(source.name, sys.stdin.buffer))
            return
        with source.path.open("rb") as stream:
            if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                yield stream
            else:
                yield cast(BinaryIO, _Limited(source.name, stream))
    except OSError as error:
        raise file_error(source.name, error) from error


class _Limited:
    """A stream that raises UserError when more than a limit is read."""

    def __init__(self, name: str, stream: BinaryIO) -> None:
        self._name = name
        self._stream = stream
        self._left = STREAM_LIMIT

    def read(self, size: int = -1) -> bytes:
        """Return the next `size` bytes, or all of them."""
        return self._counted(self._stream.read(self._left + 1 if size < 0 else size))

    def readline(self, size: int = -1) -> bytes:
        """Return the next line, or its first `size` bytes."""
        return self._counted(self._stream.readline(self._left + 1 if size < 0 else size))

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def _counted(self, piece: bytes) -> bytes:
        self._left -= len(piece)
        if self._left < 0:
            limit = f"{STREAM_LIMIT >> 20} MiB"
            raise UserError(f"{self._name}: more than {limit}; save it to a file and name the file")
        return piece


def read_record(source: Source, game: int | None = None) -> Iterator[Reading]:
    """Yield each game of a record, or one. Raises UserError if it has none or is unreadable.

    In a record in JSON, lines and columns are those of its canonical text.
    """
    with opened(source) as stream:
        text = source.form == "canasta"
        lines = stream if text else canonical_lines(source, stream)
        yield from read_lines(source.name, lines, game)


def check_deal(deal: int | None, name: str, number: int, deals: int) -> None:
    """Raise UserError if game `number` of a file does not have the deal."""
    if deal is not None and deal > deals:
        raise UserError(f"{name}: game {number} has no deal {deal}; it has {count(deals, 'deal')}")


def the_deal(deal: int | None, name: str, number: int, deals: int) -> int:
    """Return the deal of game `number` that is meant: the only one if none is named.

    Raises UserError if the game has no such deal, or several and none is named.
    """
    check_deal(deal, name, number, deals)
    if deal is None and deals != 1:
        has = f"it has {count(deals, 'deal')}" if deals else "it has none"
        raise UserError(f"{name}: name a deal of game {number} with --deal; {has}")
    return deal or 1


def check_seat(seat: str | None, game: Game, number: int, seats: str) -> None:
    """Raise UserError if a game has no such seat; explain a player's name or a small letter."""
    if seat is None or (len(seat) == 1 and seat in seats):
        return
    known = f"its seats are {' '.join(seats)}"
    found = _seats_of(seat, game, seats)
    if found:
        sits = listed([f"{name} sits at {each}" for each, name in found.items()])
        known = f"{sits}: write {' or '.join(f'--seat {each}' for each in found)}"
    elif seat and seat.upper() in [*seats]:
        known = f"write --seat {seat.upper()}"
    raise UserError(f"--seat: game {number} has no seat {seat}; {known}")


def _seats_of(said: str, game: Game, seats: str) -> dict[str, str]:
    """Return the seats of the players who are called so, with their names.

    Small letters are as good as capitals. If nobody has the whole name, a part of it will do.
    """
    wanted = player_name(said).casefold()
    deals = sorted({1, *(deal_of_tag(tag.name) for tag in game.tags)})
    sitting = [each for deal in deals for each in game.names(seats, deal).items()]
    whole = {each: name for each, name in sitting if name.casefold() == wanted}
    return whole or {each: name for each, name in sitting if wanted in name.casefold().split()}


def judging_rules(name: str, reading: Reading, number: int, override: Profile | None) -> Profile:
    """Return the rules that a game is judged by. Raises BadRules."""
    from canasta_notation.replay.header import read_header

    header = read_header(reading.game, number, override)
    problem = header.rules_problem
    if problem is not None:
        place = f"{name}:{problem.span.line}:{problem.span.column}"
        raise BadRules(f"{place}: {problem.message} ({problem.help})")
    assert header.profile is not None
    return header.profile


def read_lines(name: str, lines: Iterable[bytes], game: int | None = None) -> Iterator[Reading]:
    """Yield each game of a text, or one. Raises UserError if it has none or is not text."""
    from canasta_notation.notation.reader import NotText, read_games

    empty = True
    try:
        for reading in read_games(lines, only=game):
            empty = False
            yield reading
    except LookupError as error:
        raise UserError(f"{name}: {error.args[0]}") from error
    except NotText as error:
        raise UserError(f"{name}: {error}") from error
    if empty:
        raise UserError(f"{name}: there is no game in this file")


def state_of(source: Source) -> os.stat_result | None:
    """Return the status of a record's file, None for standard input. Raises UserError."""
    try:
        return None if source.path is None else os.stat(source.path)
    except OSError as error:
        raise file_error(source.name, error) from error


def bytes_of(source: Source) -> Iterator[bytes]:
    """Yield the bytes of a record, a piece at a time. Raises UserError."""
    with opened(source) as stream:
        yield from iter(partial(stream.read, _PIECE), b"")


def read_games_of(source: Source) -> Iterator[Game]:
    """Yield each game of a record in a JSON form. Raises UserError."""
    with opened(source) as stream:
        yield from _json_games(source, stream)


def canonical_lines(source: Source, stream: BinaryIO) -> Iterator[bytes]:
    """Yield the canonical text of games in a JSON form, line by line."""
    for place, game in enumerate(_json_games(source, stream)):
        if place:
            yield b"\n"
        yield from game_as("canasta", game).encode("utf-8", "replace").splitlines(keepends=True)


def _json_games(source: Source, stream: BinaryIO) -> Iterator[Game]:
    def trouble(number: int, error: ValueError) -> UserError:
        return UserError(f"{source.name}{f':{number}' if number else ''}: {error}")

    return read_json(stream, source.form, trouble, apart=True)


def read_bytes(given: str) -> bytes:
    """Return the content of a file, or of standard input for `-`. Raises UserError."""
    path = None if given == STANDARD_INPUT else Path(given)
    with opened(Source(given, path, "canasta")) as stream:
        return stream.read()


def decoded(name: str, data: bytes) -> str:
    """Return the text of a file's bytes in UTF-8, without a byte-order mark. Raises UserError."""
    try:
        return decode(data)
    except ValueError as error:
        raise UserError(f"{name}: {error}") from error


def is_spreadsheet(path: str) -> bool:
    """Return whether a path has the suffix of a score sheet."""
    return path.lower().endswith(SPREADSHEET_SUFFIXES)


def is_score_sheet(path: str) -> bool:
    """Return whether a path names a score sheet: a spreadsheet, or JSON that is not a record."""
    if is_spreadsheet(path):
        return True
    place = Path(path)
    return place.suffix.lower() == ".json" and place.is_file() and _is_export(place)


def _is_export(path: Path) -> bool:
    """Return whether a file whose name ends in .json holds JSON of something else than records."""
    from canasta_notation.notation.blocks import is_json

    if _is_record(path, "json"):
        return False
    with path.open("rb") as stream:
        return is_json(stream.read(HEAD))


def spreadsheets_in(folder: str) -> list[str]:
    """Return the paths of the sheets in and below a folder. Raises UserError if there are none.

    Hidden files, and those that a spreadsheet program keeps while a sheet is open, are left out.
    """
    found: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        shown = (name for name in sorted(names) if not name.startswith((".", "~$")))
        found += [os.path.join(place, name) for name in shown if is_spreadsheet(name)]
    if not found:
        kinds = " or ".join(SPREADSHEET_SUFFIXES)
        raise UserError(f"{folder}: no score sheets ({kinds}) in this folder")
    return found


def spreadsheet_reading(
    profile: Profile | None, names: ColumnMap | None = None
) -> SpreadsheetReading:
    """Return how to read sheets of games by some rules; without rules, their sides decide."""
    from canasta_notation.foreign.spreadsheet_columns import SpreadsheetReading
    from canasta_notation.foreign.spreadsheet_map import ColumnMap
    from canasta_notation.notation.tag_values import read_target
    from canasta_notation.rules import parse_rules

    names = names or ColumnMap()
    target = read_target(names.tags.get("Target", ""))
    usual = [parse_rules(name).profile for name in _SHEET_RULES]
    choices = (
        zip(usual, ("", *_SHEET_RULES[1:]), strict=True) if profile is None else [(profile, "")]
    )
    rules = [_sheet_rules(each, text) for each, text in choices if each]
    if target is not None:
        rules = [replace(each, target=target) for each in rules]
    return SpreadsheetReading(rules, names)


def _sheet_rules(profile: Profile, text: str) -> SheetRules:
    """Return what reading a sheet needs of some rules, whose tag is `text`."""
    from canasta_notation.engine.ruleset import rules_of
    from canasta_notation.foreign.spreadsheet_players import SheetRules
    from canasta_notation.recorder.pad_row import canasta_bonuses
    from canasta_notation.replay.sheets import deal_worth

    rules = rules_of(profile)
    yes = {"out": rules.score_out, "concealed": rules.score_concealed}
    counted: dict[str, Sequence[int]] = {item: (points,) for item, points in yes.items() if points}
    canastas = canasta_bonuses(rules) | {"sevens": rules.score_sevens, "aces": rules.score_aces}
    for item, points in canastas.items():
        if points:
            counted[item] = range(points, points * _MOST_CANASTAS + 1, points)
    counted["red3"] = rules.score_red3
    target = rules.target
    return SheetRules(text, rules.sides, yes, counted, deal_worth(rules), target)


def read_column_map(path: str | None) -> ColumnMap:
    """Return the map of columns in a TOML file, an empty one without a file. Raises UserError."""
    from canasta_notation.foreign.spreadsheet_map import ColumnMap, column_map
    from canasta_notation.toml import read_toml

    if path is None:
        return ColumnMap()
    try:
        named = read_toml(path, decoded(path, read_bytes(path)).encode())
    except ValueError as error:
        raise UserError(str(error)) from error
    try:
        return column_map(named)
    except ValueError as error:
        raise UserError(f"{path}: {error}") from error


def _read_export(
    path: str, data: bytes, reading: SpreadsheetReading, say: Callable[[str], object]
) -> Game:
    """Return the game of a score app's export, and say what was understood."""
    from canasta_notation.foreign.score_export import read_export
    from canasta_notation.notation.document import Tag, Tags
    from canasta_notation.rules import parse_rules

    rules = [*reading.rules]
    if len(rules) > 1:
        more = [(parse_rules(name).profile, name) for name in _EXPORT_RULES]
        rules += [_sheet_rules(profile, name) for profile, name in more if profile]
    game, understood = read_export(decoded(path, data), rules)
    say(f"{path}: {understood}")
    tags = reading.columns.tags
    kept = tuple(tag for tag in game.tags if tag.name not in tags)
    return replace(game, tags=Tags([*kept, *(Tag(name, text) for name, text in tags.items())]))


def rules_of_map(names: ColumnMap | None) -> Profile | None:
    """Return the rules that a map of columns names, None for none. Raises UserError."""
    text = names.tags.get("Rules") if names else None
    if text is None:
        return None
    from canasta_notation.cli.options import read_rules

    return read_rules(text, "rules of the sheet")


def how_to_map(path: str) -> str:
    """Return how to make a map for a sheet that was refused."""
    return f"`canasta convert {shlex.quote(path)} --guess MAP.toml` writes a map to complete"


def with_reader(path: str, read: Callable[[], T]) -> T:
    """Return what `read` returns. Raises UserError if it needs the library for workbooks."""
    from canasta_notation.foreign.spreadsheet_file import NoReader

    try:
        return read()
    except NoReader as error:
        from canasta_notation.cli.installing import how_to_install

        raise UserError(
            f"{path}: this needs python-calamine; {how_to_install('sheets')}"
        ) from error


def read_spreadsheet(
    path: str, reading: SpreadsheetReading, say: Callable[[str], object]
) -> list[Game]:
    """Return the games of a score sheet, and say what was understood.

    Raises SpreadsheetError if cells are wrong, and UserError if the file cannot be read.
    """
    from canasta_notation.foreign.spreadsheet_form import read_sheets

    data = read_bytes(path)
    if data.lstrip(_BLANK).startswith((b"{", b"[")):
        return [_read_export(path, data, reading, say)]
    sheets = with_reader(path, lambda: read_sheets(data, reading))
    for line in sheets.understood:
        say(f"{path}: {line}")
    return sheets.games
