"""Keeping what was scanned: rows of turns, melds and items, for reports and for a corpus."""

from __future__ import annotations

from canasta_notation.cards import RANK_LETTERS, RANKS, TEXT
from canasta_notation.counts import i64
from canasta_notation.engine.deeds import NOT_TOLD
from canasta_notation.engine.knowledge import strangers_of
from canasta_notation.engine.progress import Progress
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import ITEMS
from canasta_notation.engine.side import canasta_kind, meld_ranks
from canasta_notation.engine.table import OUT, Table
from canasta_notation.scan.scan_state import NONE, Kept, KeptDeal, Reader

#: A meld at a deal's end: side, rank, cards, naturals, twos, jokers, unknown, canasta, concealed,
#: points, turn, canasta_turn. `corpus.columns` describes the columns of the same names.
MeldRow = tuple[
    str, str, int, int, int, int, int, str | None, bool, int | None, int | None, int | None
]
#: An item of a side's score: side, item, points, claimed, agrees.
ItemRow = tuple[str, str, int, int | None, bool | None]


def meld_rows(table: Table, progress: Progress) -> list[MeldRow]:
    """Return the rows of the melds on a table, by side and rank."""
    rows: list[MeldRow] = []
    for side, name in enumerate(table.rules.sides):
        for rank in meld_ranks(table, side):
            at = side * RANKS + rank
            size, wilds = table.meld_sizes[at], table.twos[at] + table.jokers[at]
            unknown = strangers_of(table, side, rank)
            rows.append((
                name, RANK_LETTERS[rank], size, table.naturals[at], table.twos[at],
                table.jokers[at], unknown,
                None if unknown else canasta_kind(rank, size, wilds) or None,
                table.concealed[side] >> rank & 1 != 0,
                None if unknown else table.meld_points[at],
                progress.began[at] or None, progress.became[at] or None,
            ))  # fmt: skip
    return rows


def item_rows(deal: KeptDeal, rules: Rules) -> list[ItemRow]:
    """Return the rows of the items that the sides scored or claimed in a deal."""
    rows: list[ItemRow] = []
    for side, sheet, claimed in zip(rules.sides, deal.sheets, deal.claimed, strict=True):
        for item in dict.fromkeys((*sheet.written(), *(claimed or ()))):
            points = sheet.points[item]
            rows.append((
                side, ITEMS[item], points, points if claimed else None, True if claimed else None,
            ))  # fmt: skip
    return rows


def keep_plain(reader: Reader, kept: Kept, seat: i64, drawn: i64, discarded: i64) -> None:
    """Add the row of a turn with one card drawn and one discarded, whose line was read last."""
    table, rules = reader.table, reader.rules
    kept.deals[-1].deeds.note_plain(table, seat)
    kept.turns.append((
        len(kept.deals), table.turns, reader.lines, rules.seats[seat],
        rules.sides[rules.side_of[seat]], False, None, TEXT[drawn], 0, "", None, 0,
        TEXT[discarded], None, False, table.hand_sizes[seat], table.stock_most, None,
    ))  # fmt: skip


def keep_turn(
    reader: Reader, kept: Kept, seat: i64, card: i64, pile: i64, line: i64, text: bytes
) -> None:
    """Add the row of a turn that has ended.

    `card` is the first card drawn or NONE, and `text` is the turn's line from the draw or take on.
    """
    table = reader.table
    drawn: str | None = TEXT[card] if card != NONE else None
    seconds: float | None = None
    if b" +" in text or b" @" in text or not (drawn or table.took):
        drawn = None
        for word in text.decode().partition(" ;")[0].split(" "):
            if word[0] == "+":
                drawn = (drawn or "") + word[1:]
            elif word[0] == "@":
                seconds = float(word[1:])
    rules = reader.rules
    progress = kept.deals[-1].progress
    ranks = progress.note_turn(table)
    kept.deals[-1].deeds.note_turn(table, NOT_TOLD)
    laid = progress.added - table.took + len(table.special_cards)
    opening = table.count_most if table.touches and not table.opened_before else None
    out = table.ended == OUT and table.ended_by == seat
    kept.turns.append((
        len(kept.deals), table.turns, line, rules.seats[seat],
        rules.sides[rules.side_of[seat]], table.took, pile if table.took else None, drawn, laid,
        ranks, opening, progress.canastas,
        TEXT[table.discarded] if table.discarded >= 0 else None, table.answer or None, out,
        table.hand_sizes[seat], table.stock_most, seconds,
    ))  # fmt: skip
