"""The cells in the file of a spreadsheet: CSV in any usual spelling, `.xlsx` and `.ods`."""

from __future__ import annotations

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import unescape
from itertools import islice
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, ParseError, fromstring

from canasta_notation.notation.blocks import HEAD, wide_codec, wide_name

#: The separators of cells in CSV.
DELIMITERS: Final = ",;\t|"
#: A first line that names the separator of the cells.
_SEP_LINE: Final = re.compile(r"sep=([^\s\"]|\t)[\r\n]", re.IGNORECASE)
_ENCODINGS: Final = ["utf_8", "utf_16", "utf_16_le", "utf_16_be", "cp1252"]
#: How many of the first rows that are not blank show the separator.
_HEAD: Final = 20
_WORKBOOK: Final = b"PK\x03\x04"
#: The most bytes of a workbook when unpacked, and the most cells of one of its sheets.
_UNPACKED: Final = 1 << 28
_CELLS: Final = 1 << 22
#: If a sheet of CSV spans more cells, it spans at most so many times the cells that it has.
_SPREAD: Final = 4
#: In `.xlsx`, the place of a cell, or the number of a row; and the beginning of a cell.
_PLACE: Final = re.compile(rb"\sr\s*=\s*[\"']([A-Z]{0,3})([0-9]{1,9})")
_CELL: Final = re.compile(rb"<(?:\w+:)?c[\s/>]")
#: In `.ods`, the beginning of a table, of a row and of a cell; the attributes of repeated ones.
_TAG: Final = re.compile(rb"<table:(table|table-row|(?:covered-)?table-cell)((?=[\s/>])[^>]*)>")
_REPEATED: Final = re.compile(rb"number-(?:rows|columns)-repeated\s*=\s*[\"']([0-9]{1,9})")
#: In `.xlsx`, a cell with a formula and no value; an empty text (`t="str"`) is a value.
_NO_VALUE: Final = re.compile(
    rb"<(?:\w+:)?c\s((?:(?!\bt\s*=\s*[\"']str)[^<>])*)>\s*"
    rb"<(?:\w+:)?f(?:\s[^<>]*)?(?:/>|>[^<]*</(?:\w+:)?f>)\s*"
    rb"(?:<(?:\w+:)?v\s*(?:/>|>\s*</(?:\w+:)?v>)\s*)?</(?:\w+:)?c>"
)
#: In `.ods`, the name of a sheet.
_NAME: Final = re.compile(rb"table:name=\"([^\"]*)\"")
#: The attribute of a sheet of `.xlsx` that names its part.
_RELATION: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
#: Fractions of this many digits cannot be taken for thousands.
_DIGITS: Final = 6

#: A row's number, from 1, and its cells.
SheetRow = tuple[int, list[str]]


class SpreadsheetError(ValueError):
    """A sheet that cannot be read; `problems` says why, a line for each cell.

    `map_helps` says whether a map of its columns can help.
    """

    def __init__(self, problems: Sequence[str], *, map_helps: bool = False) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)
        self.map_helps = map_helps


class NoReader(Exception):
    """The library that reads workbooks is not installed."""


class Grid(NamedTuple):
    """The cells of a sheet: its name ("" in CSV), and its rows without the blank ones."""

    name: str
    rows: list[SheetRow]


def read_grids(data: bytes, means: Callable[[str], bool]) -> list[Grid]:
    """Return the sheets of a file, at least one. Raises SpreadsheetError, NoReader.

    `means` says whether a cell means something in a score sheet: the separator of CSV is the one
    that shows the most such cells. Empty sheets are left out.
    """
    if data.startswith(_WORKBOOK):
        grids = [Grid(name, rows) for name, rows in _workbook(data) if rows]
    else:
        text = _decoded(data)
        sep = _SEP_LINE.match(text)
        delimiter = max(
            sep[1] if sep else DELIMITERS,
            key=lambda each: sum(
                means(cell) for row in _head(_csv_rows(text, each)) for cell in row
            ),
        )
        rows = [*_csv_rows(text, delimiter)][1 if sep else 0 :]
        _check_width(rows)
        grids = [Grid("", rows)] if rows else []
    if not grids:
        raise SpreadsheetError(["the sheet is empty"])
    return grids


def _head(rows: Iterator[SheetRow]) -> Iterator[list[str]]:
    """Yield the cells of the first rows, up to one that cannot be read."""
    try:
        for _, cells in islice(rows, _HEAD):
            yield cells
    except SpreadsheetError:
        return


# --- CSV ------------------------------------------------------------------------------------------


def _decoded(data: bytes) -> str:
    """Return the text of CSV in UTF-8, UTF-16 or Windows-1252. Raises SpreadsheetError."""
    codec = wide_codec(data[:HEAD])
    if codec:
        try:
            return data.decode(codec).removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            why = f"this text is in {wide_name(codec)}, but byte {error.start + 1} cannot be read"
            raise SpreadsheetError([f"{why}; save it as .xlsx, or as CSV in UTF-8"]) from error
    if b"\x00" not in data:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            pass
    from charset_normalizer import from_bytes

    best = from_bytes(data, cp_isolation=_ENCODINGS).best()
    if best is None:
        raise SpreadsheetError(
            ["not a workbook, nor text in a known encoding; save it as .xlsx, or as CSV in UTF-8"]
        )
    return str(best)


def _csv_rows(text: str, delimiter: str) -> Iterator[SheetRow]:
    """Yield the rows that are not blank. Raises SpreadsheetError."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, 1):
            if _is_filled(cells):
                yield number, cells
    except csv.Error as error:
        why = "a quotation mark is not closed or, within a cell, not doubled"
        if "field limit" in str(error):
            why = f"a cell has more than {csv.field_size_limit():,} characters"
        raise SpreadsheetError([f"row {number + 1}: {why}"]) from error


def _check_width(rows: Sequence[SheetRow]) -> None:
    """Raise SpreadsheetError if one row is so wide that all rows together would be too large."""
    number, widest = max(rows, key=lambda row: len(row[1]), default=(0, []))
    if len(widest) * len(rows) > max(_CELLS, _SPREAD * sum(len(cells) for _, cells in rows)):
        why = f"row {number} has {len(widest):,} cells, and the others far fewer"
        raise SpreadsheetError([f"{why}; remove the cells that are not part of the score sheet"])


def _is_filled(cells: list[str]) -> bool:
    return any(cell.strip() for cell in cells)


# --- workbooks ------------------------------------------------------------------------------------


def _workbook(data: bytes) -> Iterator[tuple[str, list[SheetRow]]]:
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
            contents = {each.filename: packed.read(each) for each in parts}
        if any(_cells_in(content) > _CELLS for content in contents.values()):
            raise SpreadsheetError(["a sheet of this workbook has cells too far apart"])
        empty = [*_formulas_without_values(contents)]
        if empty:
            raise SpreadsheetError(empty)
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


def _formulas_without_values(parts: Mapping[str, bytes]) -> Iterator[str]:
    """Yield a problem for each cell with a formula and without its value.

    Programs that only write workbooks leave the values to the program that opens them.
    """
    names = _sheet_names(parts)
    for part, content in parts.items():
        places = [_PLACE.search(b" " + attributes) for attributes in _NO_VALUE.findall(content)]
        cells = [(names.get(part, part), (each[1] + each[2]).decode()) for each in places if each]
        for sheet, cell in (*cells, *_ods_formulas_without_values(content)):
            yield (
                f"sheet {sheet!r}, cell {cell}: this formula has no value; open the workbook in a "
                "spreadsheet program, and save it there"
            )


def _ods_formulas_without_values(part: bytes) -> Iterator[tuple[str, str]]:
    """Yield the name of the sheet and the place of each cell of `.ods` with such a formula."""
    sheet, row, column = "", 0, 0
    for kind, attributes in _TAG.findall(part):
        repeated = _REPEATED.search(attributes)
        times = int(repeated[1]) if repeated else 1
        if kind == b"table":
            name = _NAME.search(attributes)
            sheet, row = unescape(name[1].decode("utf-8", "replace")) if name else "", 0
        elif kind == b"table-row":
            row, column = row + times, 0
        else:
            if b"formula=" in attributes and b"value-type=" not in attributes:
                yield sheet, f"{column_letters(column + 1)}{row}"
            column += times


def _sheet_names(parts: Mapping[str, bytes]) -> dict[str, str]:
    """Return the names of the sheets of `.xlsx` by their parts."""
    targets = {
        each.get("Id"): each.get("Target", "").removeprefix("/xl/")
        for each in _elements(parts.get("xl/_rels/workbook.xml.rels", b""))
    }
    return {
        f"xl/{targets.get(each.get(_RELATION), '')}": each.get("name", "")
        for each in _elements(parts.get("xl/workbook.xml", b""))
        if each.tag.endswith("}sheet")
    }


def _elements(part: bytes) -> list[Element]:
    """Return the elements of XML, none if it cannot be read."""
    try:
        return [*fromstring(part).iter()]
    except (ParseError, LookupError, ValueError):  # or in an encoding that Python does not have
        return []


def _column(letters: bytes) -> int:
    """Return the number of a column from its letters: 1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number


def column_letters(column: int) -> str:
    """Return the letters of a column from its number: A for 1, AA for 27."""
    letters = ""
    while column:
        column, last = divmod(column - 1, 26)
        letters = chr(ord("A") + last) + letters
    return letters


def _text(cell: object) -> str:
    """Return the text of a cell; a number that is not whole has digits after its point."""
    if isinstance(cell, float):
        number = round(cell, _DIGITS)
        return f"{number:.0f}" if number.is_integer() else f"{number:.{_DIGITS}f}"
    return str(cell)
