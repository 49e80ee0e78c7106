"""Styled text: rows of runs, painted plain or with ANSI colours, and laid out in columns.

All text of a record passes through `escape` before it is shown, so a run has no control characters.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple
from unicodedata import category, east_asian_width

from canasta_notation.cards import SUIT_SIGNS, TEXT

#: The ANSI codes of each style; styles say what a run is, not how it looks.
_ANSI: Final = {
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "gutter": "1;34",
    "strong": "1",
    "dim": "2",
    "red": "31",
    "good": "32",
    "bad": "1;31",
}


@dataclass(frozen=True, slots=True)
class Look:
    """How to show text: the width in cells, whether in colour, whether with more than ASCII."""

    width: int = 80
    colour: bool = False
    unicode: bool = True

    @property
    def symbols(self) -> bool:
        """Whether suits are shown as symbols."""
        return self.colour and self.unicode

    @property
    def ellipsis(self) -> str:
        """The mark for text that is left out."""
        return "…" if self.unicode else "..."

    @property
    def rule(self) -> str:
        """The character of a line across the page."""
        return "─" if self.unicode else "-"


PLAIN: Final = Look()
#: The categories of characters without a width of their own: marks and format characters.
_JOINED: Final = ("Mn", "Mc", "Me", "Cf")
#: The least width, in cells, of an explanation beside its word.
_BESIDE: Final = 30


class Run(NamedTuple):
    """A piece of text in one style; the style "" is plain."""

    text: str
    style: str = ""


Row = list[Run]
Rows = list[Row]


def escape(text: str) -> str:
    """Return the text with all characters escaped that a terminal could obey or hide, as `\\x1b`.

    These are control characters (C0, C1, line ends, tabs), format and bidi characters, surrogates,
    private and unassigned characters. Escaping twice changes nothing.
    """
    if text.isprintable():
        return text
    return "".join(char if _shows(char) else _spelled(char) for char in text)


def _shows(char: str) -> bool:
    """Return whether a character is shown as it is; spaces of any width are."""
    return char.isprintable() or (
        char.isspace() and ord(char) >= 0xA0 and char not in "\u2028\u2029"
    )


def _spelled(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def row(*parts: str | Run) -> Row:
    """Return a row of runs, everything in them escaped."""
    return [
        Run(escape(part), "") if isinstance(part, str) else Run(escape(part.text), part.style)
        for part in parts
    ]


def paint(rows: Iterable[Row], *, colour: bool = False) -> str:
    """Return rows as text, each ending in a newline; without colour, no row ends with spaces."""
    if not colour:
        return "".join("".join(run.text for run in each).rstrip() + "\n" for each in rows)
    return "".join("".join(map(_ansi, each)) + "\n" for each in rows)


def _ansi(run: Run) -> str:
    code = _ANSI.get(run.style)
    return f"\x1b[{code}m{run.text}\x1b[0m" if code and run.text else run.text


def width(text: str) -> int:
    """Return how many cells of a terminal the text takes; wide characters take two."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(char: str) -> int:
    """Return how many cells a character takes; marks join the character before them."""
    if category(char) in _JOINED:
        return 0
    return 2 if east_asian_width(char) in ("W", "F") else 1


def row_width(cells: Row) -> int:
    """Return how many cells a row takes."""
    return sum(width(run.text) for run in cells)


def padded(cells: Row, to: int, *, right: bool = False) -> Row:
    """Return the row padded with spaces to a width; `right` aligns it to the right."""
    padding = Run(" " * max(0, to - row_width(cells)))
    if not padding.text:
        return cells
    return [padding, *cells] if right else [*cells, padding]


def clip(text: str, to: int, look: Look = PLAIN) -> str:
    """Return the text, escaped, cut to at most `to` cells."""
    text = escape(text)
    if width(text) <= to:
        return text
    kept = ""
    for char in text:
        if width(kept + char) > to - len(look.ellipsis):
            break
        kept += char
    return kept + look.ellipsis


def columns(table: Sequence[Sequence[Row]], *, right: Sequence[int] = (), indent: int = 0) -> Rows:
    """Return a table as rows; columns are two spaces apart, those in `right` right-aligned."""
    count = max((len(cells) for cells in table), default=0)
    widths = [
        max((row_width(cells[at]) for cells in table if at < len(cells)), default=0)
        for at in range(count)
    ]
    rows: Rows = []
    for cells in table:
        line: Row = [Run(" " * indent)] if indent else []
        for at, cell in enumerate(cells):
            line += [Run("  ")] if at else []
            line += padded(cell, widths[at], right=at in right)
        rows.append(line)
    return rows


def legend(pairs: Iterable[tuple[str, str]], look: Look, *, indent: int = 2) -> Rows:
    """Return words, each with its explanation beside it, or below it if there is little room."""
    lines = list(pairs)
    room = max((width(word) for word, _ in lines), default=0) + 2
    below = look.width - indent - room < _BESIDE
    rows: Rows = []
    for word, about in lines:
        head = [Run(" " * indent), *row(Run(word, "strong"))]
        if below:
            rows.append(head)
            head, start = [Run(" " * (indent + 2))], indent + 2
        else:
            head, start = padded(head, indent + room), indent + room
        rows += indented(wrap_row(row(about), look.width - start), head)
    return rows


def wrap(text: str, to: int) -> list[str]:
    """Return the text, escaped, in lines of at most `to` cells, broken at spaces if possible."""
    text = escape(text)
    return [text[start:end].rstrip() for start, end in _lines(text, to)]


def wrap_row(cells: Row, to: int) -> Rows:
    """Return a row in rows of at most `to` cells, broken at spaces if there are any."""
    lines = _lines("".join(run.text for run in cells), to)
    rows: Rows = [[] for _ in lines]
    line = begin = 0
    for run in cells:
        run_end = begin + len(run.text)
        while line < len(lines):
            start, end = lines[line]
            if text := run.text[max(0, start - begin) : max(0, end - begin)]:
                rows[line].append(Run(text, run.style))
            if end > run_end:
                break
            line += 1
        begin = run_end
    return rows


def _lines(text: str, to: int) -> list[tuple[int, int]]:
    """Return where each line of `wrap` begins and ends; no spaces stand at its breaks."""
    # How many cells are before each character; in ASCII, that is its position.
    before = None if text.isascii() else [0, *accumulate(map(_cells, text))]
    if (before[-1] if before else len(text)) <= to:
        return [(0, len(text))]
    lines: list[tuple[int, int]] = []
    start, stop = 0, len(text.rstrip(" "))
    while True:
        full = bisect(before, before[start] + to) - 1 if before else start + to
        full = max(full, start + 1)
        if full >= stop:
            return [*lines, (start, stop)]
        space = text.rfind(" ", start, full + 1)
        end = next_start = full if space < 0 else space
        while end > start and text[end - 1] == " ":
            end -= 1
        lines.append((start, end))
        while text[next_start] == " ":
            next_start += 1
        start = next_start


def wrap_parts(parts: Iterable[Row], link: str, to: int) -> Rows:
    """Return parts in rows of at most `to` cells, with `link` between the parts of one row.

    A row is broken between two parts if possible.
    """
    rows: Rows = []
    for part in parts:
        if rows and row_width(rows[-1]) + width(link) + row_width(part) <= to:
            rows[-1] += [Run(link), *part]
        else:
            rows += wrap_row(part, to)
    return rows


def indented(rows: Iterable[Row], first: Row) -> Rows:
    """Return rows with `first` before the first one, and the others indented to match."""
    indent = [Run(" " * row_width(first))]
    return [[*(first if at == 0 else indent), *each] for at, each in enumerate(rows)]


_RED: Final = "hdr"


def card(code: int, look: Look) -> Run:
    """Return a card: `K♥` in colour, else as the notation spells it."""
    text = TEXT[code]
    style = "red" if len(text) == 2 and text[1] in _RED and look.colour else ""
    if look.symbols and len(text) == 2 and text[1] in SUIT_SIGNS:
        text = text[0] + SUIT_SIGNS[text[1]]
    return Run(text, style)


def card_row(codes: Iterable[int], look: Look) -> Row:
    """Return cards with a space between them."""
    cells: Row = []
    for code in codes:
        cells += [Run(" ")] if cells else []
        cells.append(card(code, look))
    return cells
