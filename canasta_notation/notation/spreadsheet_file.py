"""The tables in the file of a spreadsheet: CSV in any usual spelling, `.xlsx` and `.ods`."""

from __future__ import annotations

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

#: The separators of cells in CSV.
DELIMITERS: Final = ",;\t"
#: A first line that names the separator of the cells.
_SEP_LINE: Final = re.compile(r"sep=([^\s\"]|\t)[\r\n]", re.IGNORECASE)
_ENCODINGS: Final = ["utf_8", "utf_16", "utf_16_le", "utf_16_be", "cp1252"]
#: The header is one of the first rows that are not blank.
_TITLES: Final = 20
_WORKBOOK: Final = b"PK\x03\x04"
#: The most bytes of a workbook when unpacked, and the most cells of one of its sheets.
_UNPACKED: Final = 1 << 28
_CELLS: Final = 1 << 22
#: In `.xlsx`, the place of a cell, or the number of a row; and the beginning of a cell.
_PLACE: Final = re.compile(rb"\sr\s*=\s*[\"']([A-Z]{0,3})([0-9]{1,9})")
_CELL: Final = re.compile(rb"<(?:\w+:)?c[\s/>]")
#: In `.ods`, the beginning of a table, of a row and of a cell; the attributes of repeated ones.
_TAG: Final = re.compile(rb"<table:(table|table-row|(?:covered-)?table-cell)((?=[\s/>])[^>]*)>")
_REPEATED: Final = re.compile(rb"number-(?:rows|columns)-repeated\s*=\s*[\"']([0-9]{1,9})")
#: Fractions of this many digits cannot be taken for thousands.
_DIGITS: Final = 6

#: A row's number, from 1, and its cells.
Row = tuple[int, list[str]]


class SpreadsheetError(ValueError):
    """A sheet that cannot be read; `problems` says why, a line for each cell."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class NoReader(Exception):
    """The library that reads workbooks is not installed."""


class Table(NamedTuple):
    """A table of a file: the name of its sheet ("" in CSV), and its rows, the header first.

    `names` is how many known names of columns the header has.
    """

    name: str
    rows: list[Row]
    names: int


def read_tables(data: bytes, known: Callable[[str], bool]) -> list[Table]:
    """Return the tables of a file, at least one. Raises SpreadsheetError, NoReader.

    `known` says whether a text is the name of a column: the header is the row with the most names,
    and the delimiter of CSV the one that shows the most. The rows above the header are titles.
    Blank rows and empty sheets are left out.
    """

    def names(row: Row) -> int:
        return sum(map(known, row[1]))

    if data.startswith(_WORKBOOK):
        sheets = list(_workbook(data))
        return [_table(name, rows, names) for name, rows in sheets if rows] or _empty()
    text = _decoded(data)
    sep = _SEP_LINE.match(text)
    delimiter = max(
        sep[1] if sep else DELIMITERS,
        key=lambda each: max(map(names, _head(_csv_rows(text, each))), default=0),
    )
    rows = list(_csv_rows(text, delimiter))
    return [_table("", rows[1:] if sep else rows, names)] if rows else _empty()


def _empty() -> list[Table]:
    raise SpreadsheetError(["the sheet is empty"])


def _table(name: str, rows: list[Row], names: Callable[[Row], int]) -> Table:
    header = max(range(min(len(rows), _TITLES)), key=lambda at: names(rows[at]))
    return Table(name, rows[header:], names(rows[header]))


def _head(rows: Iterator[Row]) -> Iterator[Row]:
    """Yield the first rows, up to one that cannot be read."""
    try:
        yield from islice(rows, _TITLES)
    except SpreadsheetError:
        return


# --- CSV ------------------------------------------------------------------------------------------


def _decoded(data: bytes) -> str:
    """Return the text of CSV in UTF-8, UTF-16 or Windows-1252. Raises SpreadsheetError."""
    if b"\x00" not in data:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            pass
    from charset_normalizer import from_bytes

    best = from_bytes(data, cp_isolation=_ENCODINGS).best()
    if best is None:
        raise SpreadsheetError(
            ["the encoding of this file is not known; save it as .xlsx, or as CSV in UTF-8"]
        )
    return str(best)


def _csv_rows(text: str, delimiter: str) -> Iterator[Row]:
    """Yield the rows that are not blank. Raises SpreadsheetError."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, 1):
            if _is_filled(cells):
                yield number, cells
    except csv.Error as error:
        raise SpreadsheetError([f"row {number + 1}: {error}"]) from error


def _is_filled(cells: list[str]) -> bool:
    return any(cell.strip() for cell in cells)


# --- workbooks ------------------------------------------------------------------------------------


def _workbook(data: bytes) -> Iterator[tuple[str, list[Row]]]:
    """Yield the name and rows of every sheet of a workbook. Raises SpreadsheetError, NoReader."""
    try:
        from python_calamine import CalamineError, SheetTypeEnum, load_workbook
    except ImportError as error:
        raise NoReader from error
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            parts = packed.infolist()
            if sum(each.file_size for each in parts) > _UNPACKED:
                raise SpreadsheetError(["this workbook is too large"])
            if any(_cells_in(packed.read(each)) > _CELLS for each in parts):
                raise SpreadsheetError(["a sheet of this workbook has cells too far apart"])
        workbook = load_workbook(io.BytesIO(data))
        for name, kind in ((each.name, each.typ) for each in workbook.sheets_metadata):
            if kind != SheetTypeEnum.WorkSheet:
                continue  # a chart
            rows = workbook.get_sheet_by_name(name).to_python(skip_empty_area=False)
            texts = [(number, [*map(_text, row)]) for number, row in enumerate(rows, 1)]
            yield name, [row for row in texts if _is_filled(row[1])]
    except SpreadsheetError:
        raise
    except (CalamineError, zipfile.BadZipFile, zlib.error, ValueError, RuntimeError) as error:
        raise SpreadsheetError([f"this workbook cannot be read: {error}"]) from error


def _cells_in(part: bytes) -> int:
    """Return how many cells a part of a workbook spans at most.

    The library reserves memory for all of them, and ends the process if there is not enough.
    """
    places = _PLACE.findall(part)
    placed = [letters for letters, _ in places if letters]
    width = max(map(_column, placed), default=0) + len(_CELL.findall(part)) - len(placed)
    most = width * max((int(row) for _, row in places), default=1)
    rows = columns = width = 0
    for kind, attributes in _TAG.findall(part):
        repeated = _REPEATED.search(attributes)
        times = int(repeated[1]) if repeated else 1
        if kind == b"table":
            rows = width = 0
        elif kind == b"table-row":
            rows, columns = rows + times, 0
        else:
            columns += times
            if b"value" in attributes:
                width = max(width, columns)
                most = max(most, width * rows)
    return most


def _column(letters: bytes) -> int:
    """Return the number of a column from its letters: 1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number


def _text(cell: object) -> str:
    """Return the text of a cell; a number that is not whole has digits after its point."""
    if isinstance(cell, float):
        number = round(cell, _DIGITS)
        return f"{number:.0f}" if number.is_integer() else f"{number:.{_DIGITS}f}"
    return str(cell)
