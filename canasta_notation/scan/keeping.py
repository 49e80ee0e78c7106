"""Keeping what was scanned: a row of every turn, for reports and tables of a corpus."""

from __future__ import annotations

from canasta_notation.cards import RANK_LETTERS
from canasta_notation.counts import i64
from canasta_notation.engine.table import OUT
from canasta_notation.scan.scan_state import Kept, Reader


def keep_turn(reader: Reader, kept: Kept, seat: i64, pile: i64, line: i64, text: str) -> None:
    """Add the row of a turn that has ended; `text` is its line from draw or take on."""
    table = reader.table
    drawn: str | None = None
    discard: str | None = None
    asked: str | None = None
    seconds: float | None = None
    opening: int | None = None
    laid = 0
    canastas: i64 = 0
    ranks = ""
    words = text.partition(" ;")[0].split(" ")
    if len(words) == 2 and text[0] == "+" and words[1][0] == "-":
        drawn, discard = words[0][1:], words[1][1:]
        took = False
    else:
        for word in words:
            first = word[0]
            if first == "+":
                drawn = (drawn or "") + word[1:]
            elif first == "-":
                discard = word[1:]
            elif first == "@":
                seconds = float(word[1:])
            elif word.startswith("ask="):
                asked = word[4:]
            elif ":" in word and not word.startswith("talon:"):
                cards = word.partition(":")[2]
                laid += (len(cards) + cards.count("*")) // 2
        progress = kept.deals[-1].progress
        ranks = "".join([RANK_LETTERS[rank] for rank in progress.note_turn(table)])
        canastas = progress.completed(reader.rules.side_of[seat], table.turns)
        took = table.took
        if table.touches and not table.opened_before:
            opening = table.count_most
    rules = reader.rules
    out = table.ended == OUT and table.ended_by == seat
    kept.rows.append((
        len(kept.deals), table.turns, line, rules.seats[seat],
        rules.sides[rules.side_of[seat]], took, pile if took else None, drawn, laid, ranks,
        opening, canastas, discard, asked, out, table.hand_sizes[seat], table.stock_most,
        seconds,
    ))  # fmt: skip
