"""The end of a deal, and the points that rulings take."""

from __future__ import annotations

from canasta_notation.counts import i64
from canasta_notation.engine.hands import slack_of
from canasta_notation.engine.table import (
    LINE,
    MAYBE,
    NO,
    OPEN,
    OUT,
    SPECIAL,
    STOCK,
    YES,
    Table,
    doubt,
    top_of,
    violate,
)


def penalize(table: Table, side: i64, points: i64, word: str) -> None:
    """Take points from a side for a ruling; violates `penalty` (a warning)."""
    table.at = LINE
    table.penalties[side] += points
    if word not in table.rules.penalties:
        return
    due = table.rules.penalties[word]
    if due is None:
        violate(table, "penalty", "none", f"penalty.{word}", word=word, points=points)
    elif due != points:
        violate(table, "penalty", "amount", f"penalty.{word}", word=word, points=points, due=due)


def end_deal(table: Table, reason: str, seat: i64, over: i64) -> bool:
    """Judge an end line; return whether the deal counts as ended and can be scored.

    `over` says whether the empty stock has ended the deal: YES, NO or MAYBE. The caller passes it
    in (`search.able.stock_over`), because only a search for a legal take can decide it. Violates
    `end-claim`, `end-stock-left`, `pile-must-take`.
    """
    table.at = LINE
    if table.ended != OPEN:
        if reason != table.ended or (reason in (OUT, SPECIAL) and seat != table.ended_by):
            _deny_end(table, reason, seat)
        return True
    if reason == STOCK:
        _end_by_stock(table, over)
        return True
    if reason in (OUT, SPECIAL):
        return _end_by_seat(table, reason, seat, over)
    return _end_unfinished(table, over)


def claim_concealed(table: Table) -> None:
    """Judge the claim that the seat that went out did so concealed; violates `end-claim`.

    If the play leaves open how it went out, the claim is believed.
    """
    table.at = LINE
    if table.ended != OUT:
        return
    if table.out_unseen:
        table.out_unseen = False
        table.out_concealed = True
    elif not table.out_concealed:
        violate(table, "end-claim", "concealed", "score.concealed_needs", seat_out=table.ended_by)


def _end_by_stock(table: Table, over: i64) -> None:
    if over == NO and table.stock_most > 0:
        violate(table, "end-stock-left", "left", stock=table.stock_fewest)
    elif over == NO:
        violate(table, "pile-must-take", "able", "pile.must_take", card=top_of(table))
    elif over == MAYBE:
        doubt(table, "end-stock-left" if table.stock_most else "pile-must-take")
    table.ended = STOCK


def _end_by_seat(table: Table, reason: str, seat: i64, over: i64) -> bool:
    if reason == OUT and seat == table.seat and _may_be_empty(table, seat):
        doubt(table, "end-claim")
        _may_be_out(table, seat)
        return True
    if over == YES:
        table.ended = STOCK
        _deny_end(table, reason, seat)
        return True
    violate(table, "end-claim", "open", claimed=_end_text(table, reason, seat))
    return False


def _may_be_empty(table: Table, seat: i64) -> bool:
    """Return whether a hand without a known card may be empty, or may have cards from a pile."""
    return table.hand_sizes[seat] == 0 and slack_of(table, seat) > 0


def _may_be_out(table: Table, seat: i64) -> None:
    """End the deal by a seat whose hand may be empty; how it went out is not known."""
    table.ended, table.ended_by = OUT, seat
    table.out_unseen = True


def _deny_end(table: Table, reason: str, seat: i64) -> None:
    """Report an end line that contradicts the play."""
    how = _end_text(table, table.ended, table.ended_by)
    violate(table, "end-claim", "other", claimed=_end_text(table, reason, seat), how=how)


def _end_text(table: Table, reason: str, seat: i64) -> str:
    return f"{reason} {table.rules.seats[seat]}" if seat >= 0 else reason


def _end_unfinished(table: Table, over: i64) -> bool:
    if over == YES:
        table.ended = STOCK
        _deny_end(table, "unfinished", -1)
    elif over == MAYBE:
        doubt(table, "end-claim")
    return table.ended != OPEN


def reopen(table: Table) -> None:
    """Reopen a deal that the empty stock ended: the seat that is due may still take the pile."""
    table.ended = OPEN


def end_unclaimed(table: Table, over: i64, followed: bool) -> i64:
    """Close a deal without an end line; return whether the play ended it: YES, NO or MAYBE.

    `followed` says that a score or another deal follows, so that the deal must have ended; if there
    is only one way, it has. `over` is that of `end_deal`.
    """
    table.at = LINE
    if table.ended != OPEN:
        return YES
    if over == YES:
        table.ended = STOCK
        return YES
    seat = table.seat
    out = seat >= 0 and _may_be_empty(table, seat)
    if over == NO and not out:
        return NO
    doubt(table, "end-missing")
    if not followed or (out and over == MAYBE):
        return MAYBE
    if out:
        _may_be_out(table, seat)
    else:
        table.ended = STOCK
    return YES
