"""The tables of a sheet: where each begins and ends, whatever surrounds them.

A table has a header, and rows of figures below it. Several tables may be below one another or side
by side, and a table may be turned: then its deals are columns. Texts above a table are its titles;
other texts around it are left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from canasta_notation.foreign.spreadsheet_file import Grid, SheetRow, column_letters
from canasta_notation.foreign.spreadsheet_words import (
    FIGURES,
    date_of,
    deal_number,
    is_no_deal,
    is_points,
    is_sum,
    plain,
    unquoted,
    words,
)
from canasta_notation.quoting import QUOTED, shortened

#: What a name of a column means: its side ("": none) and its figure or place ("": not known).
HeaderMeaning = Callable[[str], tuple[str, str]]
#: If no row is clearly the header, it is the row with the most names among these.
_TITLES: Final = 20
#: The figures of a turned table begin before this row from its header on.
_TURNED: Final = 4
#: A table needs a column of deals or of a side, and one of figures beside it.
_LEAST: Final = 2


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A table: its sheet's name ("" in CSV), the texts above it, its header, and its rows.

    `line` is the number of the header's row, and `columns` the number of each column. In a table
    that was `turned`, rows have the numbers of columns and columns those of rows. `stray` are cells
    beside the table that do not belong to a column, with their places.
    """

    name: str
    titles: tuple[str, ...]
    line: int
    header: tuple[str, ...]
    columns: tuple[int, ...]
    rows: list[SheetRow]
    #: The rows with a figure that do not begin with a word such as one for sums.
    deals: list[SheetRow]
    stray: tuple[str, ...] = ()
    turned: bool = False

    def place(self, number: int, at: int) -> str:
        """Return where a cell is in the sheet, in words."""
        row, column = number, self.columns[at] if at < len(self.columns) else at + 1
        if self.turned:
            row, column = column, row
        name = self.header[at] if at < len(self.header) else ""
        return f"row {row}, column {column}" + (f" ({name[:QUOTED]})" if name else "")


def sheet_tables(grid: Grid, meaning: HeaderMeaning, line: int | None = None) -> list[SheetTable]:
    """Return the tables of a sheet, at least one; `line` is the row of its only header, if known.

    With `line` 0, there is no header: the columns are called `column A` and so on.
    """
    rows = [(number, [*map(unquoted, cells)]) for number, cells in grid.rows]
    width = max(len(cells) for _, cells in rows)
    rows = [(number, [*cells, *[""] * (width - len(cells))]) for number, cells in rows]
    if line == 0:
        rows.insert(0, (0, [f"column {column_letters(at + 1)}" for at in range(width)]))
    heads = [*_headers(rows, meaning, line)]
    # Where the titles of each table begin; those of the first are all rows above its header.
    begins = [0, *(_first_title(rows, after, head + 1) for head, after in pairwise(heads))]
    ends = [*begins[1:], len(rows)]
    return [
        table
        for begin, head, end in zip(begins, heads, ends, strict=True)
        for table in _side_by_side(
            grid.name, rows[begin:head], rows[head], rows[head + 1 : end], meaning
        )
    ]


# --- rows: headers and titles ---------------------------------------------------------------------


def _headers(rows: Sequence[SheetRow], meaning: HeaderMeaning, line: int | None) -> Iterator[int]:
    """Yield the places of the headers in the rows, at least one."""
    if line is not None:
        yield next((at for at, (number, _) in enumerate(rows) if number >= line), 0)
        return
    found = [at for at, _ in enumerate(rows) if _is_header(rows, at)]
    if found:
        yield from found
        return
    yield max(range(min(len(rows), _TITLES)), key=lambda at: _names(rows[at][1], meaning))


def _names(cells: Sequence[str], meaning: HeaderMeaning) -> int:
    return sum(meaning(cell) != ("", "") for cell in cells)


def _is_header(rows: Sequence[SheetRow], at: int) -> bool:
    """Return whether a row names columns: it has texts, with figures right below them."""
    if _is_header_of_deals(rows, at):
        return True
    if at and _is_header_of_deals(rows, at - 1):
        return False  # such as the dealers of a turned table
    cells = rows[at][1]
    below = rows[at + 1][1] if at + 1 < len(rows) else []
    named = [column for column, cell in enumerate(cells) if cell]
    if len(named) < _LEAST or any(is_points(cells[column]) for column in named):
        return False
    if {plain(cells[column]) for column in named[1:]} <= words().yes | words().no:
        return False  # such as who went out
    deal, next_deal = (deal_number(each[named[0]]) for each in (cells, below or cells))
    if deal is not None and next_deal == deal + 1:
        return False  # a deal without figures
    return bool(below) and any(is_points(below[column]) for column in named)


def _is_header_of_deals(rows: Sequence[SheetRow], at: int) -> bool:
    """Return whether a row counts the deals of a turned table: the figures below have names."""
    if not _counts_deals(rows[at][1]) or _names_below(rows, at):
        return False
    below = (cells for _, cells in rows[at + 1 : at + _TURNED] if any(map(is_points, cells[1:])))
    first = next(below, [""])[0]
    return bool(first) and not is_points(first) and deal_number(first) is None


def _names_below(rows: Sequence[SheetRow], at: int) -> bool:
    """Return whether the next row names columns to the right of a name, such as sides of a deal."""
    both = (
        zip(*(cells[1:] for _, cells in rows[at : at + 2]), strict=True) if rows[at + 1 :] else ()
    )
    return any(name and not over and not is_points(name) for over, name in both)


def _counts_deals(cells: Sequence[str]) -> bool:
    """Return whether the cells after the first have the numbers from 1, in any order."""
    filled = [cell for cell in cells[1:] if cell]
    numbers = [deal_number(cell) or 0 for cell in filled if not is_sum(cell)]
    return (
        len(numbers) >= _LEAST
        and not is_points(cells[0])
        and not is_no_deal(cells[0])
        and sorted(numbers) == [*range(1, len(numbers) + 1)]
    )


def _first_title(rows: Sequence[SheetRow], head: int, least: int) -> int:
    """Return the place of the first of the titles right above a header."""
    at = head
    while at > least and _is_title(rows[at - 1][1]):
        at -= 1
    return at


def _is_title(cells: Sequence[str]) -> bool:
    """Return whether a row has no figures, or only the number of a game."""
    filled = [cell for cell in cells if cell]
    if words().columns.get(plain(filled[0])) == "game" and len(filled) == _LEAST:
        return True
    return not any(map(is_points, filled))


# --- columns: tables side by side, headers of two rows, cells beside a table ----------------------


def _side_by_side(
    name: str,
    titles: Sequence[SheetRow],
    head: SheetRow,
    body: Sequence[SheetRow],
    meaning: HeaderMeaning,
) -> Iterator[SheetTable]:
    """Yield the tables that share a header's row."""
    line, header = head
    body = [*(row for row in titles if _has_sums(row[1])), *body]
    titles = [row for row in titles if not _has_sums(row[1])]
    over = titles[-1][1] if titles else [""] * len(header)
    # Words such as `Points` and `Total` above sides distinguish columns of one game.
    if any(_is_figure(meaning(name)) for name in over):
        header = _two_rows(header, over)
    used = [at for at in range(len(header)) if header[at] or any(cells[at] for _, cells in body)]
    starts = _starts(header, body, meaning) or [used[0]]
    first, *others = starts
    together = len(used) == used[-1] + 1 - used[0] and all(header[at] for at in others)
    if others and first == used[0] and not header[first] and together:
        starts = [first + 1, *others]  # all share the column without a name
    shared = used[0] if starts[0] > used[0] else None
    for start, end in pairwise([*starts, len(header)]):
        columns = [*([] if shared is None else [shared]), *range(start, end)]
        seen = range(len(header)) if len(starts) == 1 else columns
        above = [cells[at] for _, cells in titles for at in seen]
        upper = [over[at] for at in columns]
        part = _part(_two_rows([header[at] for at in columns], upper), columns, body)
        names, columns, rows, stray = part
        table = SheetTable(
            name,
            tuple(cell for cell in above if cell),
            line,
            tuple(names),
            tuple(at + 1 for at in columns),
            rows,
            _deals(rows),
            tuple(stray),
        )
        yield _turned(table) or _items_down(table, meaning) or table


def _has_sums(cells: Sequence[str]) -> bool:
    return is_sum(first_cell(cells)) and any(map(is_points, cells))


def _starts(header: Sequence[str], body: Sequence[SheetRow], meaning: HeaderMeaning) -> list[int]:
    """Return the first column of each table, if the names of columns repeat; else none.

    The tables are separated by blank columns, or each begins with the same name, or all share the
    first column, such as that of the deals.
    """
    apart = _apart(header, body)
    if apart:
        return apart
    named = [at for at, cell in enumerate(header) if cell]
    names = [plain(header[at]) for at in named]
    for skipped in range(min(len(named), _LEAST)):
        again = [at for at in named if plain(header[at]) == names[skipped]]
        ends = pairwise([*again, len(header)])
        sizes = [bisect_left(named, end) - bisect_left(named, start) for start, end in ends]
        first = names[skipped : skipped + sizes[0]] if sizes else []
        if len(again) < _LEAST or min(sizes) < _LEAST:
            continue
        if all(_is_figure(meaning(name)) for name in first):
            continue  # figures of several sides
        if skipped and first * len(again) != names[1:]:
            continue
        return [_from_unnamed(header, body, at) for at in again]
    return []


def _apart(header: Sequence[str], body: Sequence[SheetRow]) -> list[int]:
    """Return the first column of each table, if blank columns separate tables that share a name."""
    used = [bool(name) or any(cells[at] for _, cells in body) for at, name in enumerate(header)]
    begins = [at for at in range(len(used)) if used[at] and not (at and used[at - 1])]
    parts = {
        start: {plain(name) for name in header[start:end] if name}
        for start, end in pairwise([*begins, len(header)])
    }
    starts = [start for start, named in parts.items() if named]
    names = [parts[start] for start in starts]
    if len(names) < _LEAST or any(len(each) < _LEAST or not each & names[0] for each in names):
        return []
    return starts


def _is_figure(meant: tuple[str, str]) -> bool:
    return not meant[0] and meant[1] in FIGURES


def _from_unnamed(header: Sequence[str], body: Sequence[SheetRow], at: int) -> int:
    """Return the column before `at` if it has cells and no name, else `at`."""
    unnamed = at > 0 and not header[at - 1] and any(cells[at - 1] for _, cells in body)
    return at - 1 if unnamed else at


def _two_rows(header: list[str], upper: Sequence[str]) -> list[str]:
    """Return the names of columns with the names above them, if these distinguish equal names."""
    known = Counter(plain(name) for name in header if name)
    if len(known) == known.total():
        return header
    names, above = [], ""
    for name, over in zip(header, upper, strict=True):
        above = over or above
        repeated = known[plain(name)] > 1 if name else False
        names.append(f"{above} {name}".strip() if repeated else name or over)
    return names


def _part(
    header: list[str], columns: list[int], body: Sequence[SheetRow]
) -> tuple[list[str], list[int], list[SheetRow], list[str]]:
    """Return the names, columns and rows of a table without the cells that are separate from it."""
    rows = [(number, [cells[at] for at in columns]) for number, cells in body]
    last = max((at for at, name in enumerate(header) if name), default=0)
    end = last + 1
    while end < len(columns) and any(cells[end] for _, cells in rows):
        end += 1
    stray = [
        f"{column_letters(columns[at] + 1)}{number} {shortened(cells[at], QUOTED)}"
        for number, cells in rows
        for at in range(end, len(columns))
        if cells[at]
    ]
    kept = [(number, cells[:end]) for number, cells in rows if any(cells[:end])]
    return header[:end], columns[:end], kept, stray


def first_cell(cells: Sequence[str]) -> str:
    """Return the first cell of a row that is not empty."""
    return next((cell for cell in cells if cell), "")


def _deals(rows: Sequence[SheetRow]) -> list[SheetRow]:
    return [
        row for row in rows if any(map(is_points, row[1])) and not is_no_deal(first_cell(row[1]))
    ]


# --- turned tables --------------------------------------------------------------------------------


def _turned(table: SheetTable) -> SheetTable | None:
    """Return a table whose deals are columns with its deals as rows, None for any other."""
    labels = [(at, name) for at, name in enumerate(table.header) if at and name]
    body = [(number, cells) for number, cells in table.rows if any(cells[1:])]
    named = [cells[0] for _, cells in body if cells[0] and any(map(is_points, cells[1:]))]
    if len(labels) < _LEAST or len(named) < _LEAST or not body[0][1][0]:
        return None
    if any(is_points(name) or deal_number(name) for name in named):
        return None
    if not _counts_deals(table.header) and not all(date_of(name) for _, name in labels):
        return None
    corner = table.header[0] if words().columns.get(plain(table.header[0])) == "deal" else ""
    left = [cells for _, cells in table.rows if not any(cells[1:])]
    rows = [(table.columns[at], [name, *(cells[at] for _, cells in body)]) for at, name in labels]
    return SheetTable(
        table.name,
        (*table.titles, *(cell for cells in left for cell in cells if cell)),
        table.columns[0],
        (corner, *(cells[0] for _, cells in body)),
        (table.line, *(number for number, _ in body)),
        rows,
        _deals(rows),
        table.stray,
        turned=True,
    )


def _items_down(table: SheetTable, meaning: HeaderMeaning) -> SheetTable | None:
    """Return the table of one deal with a row for each side, None for any other.

    On a score pad of one deal, the items stand below each other and the sides are columns. The
    number of the deal is in the corner or above it.
    """
    sides = [(at, name) for at, name in enumerate(table.header) if at and name]
    body = [(number, cells) for number, cells in table.rows if any(cells[1:])]
    labels = ["total" if is_sum(cells[0]) else cells[0] for _, cells in body]
    figures = [what for label in labels for what in [meaning(label)[1]] if what in FIGURES]
    items = {*figures} - {"score", "total"}
    # Beside two items, what a row without a known name has is asked.
    asked = len(figures) < len(labels) or len({*figures}) < len(figures)
    if len(sides) < _LEAST or len(items) < (_LEAST if asked else 1):
        return None
    if any(is_points(label) or deal_number(label) for label in labels):
        return None
    named = [label or f"row {number}" for label, (number, _) in zip(labels, body, strict=True)]
    numbers = (deal_number(name) for name in (table.header[0], *reversed(table.titles)))
    deal = str(next(filter(None, numbers), 1))
    rows = [
        (table.columns[at], [deal, name, *(cells[at] for _, cells in body)]) for at, name in sides
    ]
    return SheetTable(
        table.name,
        table.titles,
        table.columns[0],
        ("deal", "side", *named),
        (table.line, table.line, *(number for number, _ in body)),
        rows,
        rows,
        table.stray,
        turned=True,
    )
