"""Text and tables as small HTML without a script, for values in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def text_html(text: str) -> str:
    """Return lines of text as HTML that keeps their columns."""
    return f"<pre>{escape(text)}</pre>"


def table_html(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as HTML; None is an empty cell."""
    body = "".join(_row("td", row) for row in rows)
    return f"<table><thead>{_row('th', heads)}</thead><tbody>{body}</tbody></table>"


def _row(kind: str, cells: Sequence[object]) -> str:
    shown = ("" if cell is None else escape(str(cell)) for cell in cells)
    return f"<tr>{''.join(f'<{kind}>{cell}</{kind}>' for cell in shown)}</tr>"
