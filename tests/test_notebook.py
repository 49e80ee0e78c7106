"""Values as HTML in a notebook: every text is escaped."""

from __future__ import annotations

from canasta_notation.notebook import table_html, text_html


def test_text_keeps_its_lines_and_is_escaped() -> None:
    assert text_html("a <b>\n  c & d") == "<pre>a &lt;b&gt;\n  c &amp; d</pre>"


def test_a_table_has_its_heads_rows_and_empty_cells() -> None:
    assert table_html(["<h>", "n"], [["a&b", 3], [None, 0]]) == (
        "<table><thead><tr><th>&lt;h&gt;</th><th>n</th></tr></thead>"
        "<tbody><tr><td>a&amp;b</td><td>3</td></tr><tr><td></td><td>0</td></tr></tbody></table>"
    )
