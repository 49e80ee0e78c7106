"""Threes tabled late: kept in the hand, and tabled and replaced at the start of a later turn."""

from __future__ import annotations

from canasta_notation.cards import CODES, EXACT, OF_RANK, RANK
from canasta_notation.counts import i64
from canasta_notation.engine.hands import can_hold, free_cards
from canasta_notation.engine.lay import take_from_hand
from canasta_notation.engine.side import table_three
from canasta_notation.engine.stock import judge_late, replace_threes
from canasta_notation.engine.table import Table, doubt, mark_unknowable, violate


def table_threes(table: Table, threes: tuple[int, ...], cards: tuple[int, ...], bare: bool) -> None:
    """Table threes of the hand, and draw the cards that replace them.

    Violates `not-in-hand` for a three that the hand cannot hold, `replacement` for one that the
    rules do not table, and the codes of the replacements.
    """
    seat, rules = table.seat, table.rules
    table.tabled_late = True
    for code in threes:
        if not rules.tabled[RANK[code]]:
            if rules.threes_held:
                violate(table, "meld-threes", "held", "threes", card=code)
            else:
                violate(table, "replacement", "never", "threes", card=code)
            mark_unknowable(table)
            return
    for code in _known_first(table, threes):
        _choose_kept(table, seat, code)
        if not table.knowable:
            return
        if not can_hold(table, seat, code):
            violate(table, "not-in-hand", "card", card=code, seat=seat)
            mark_unknowable(table)
            return
        if not take_from_hand(table, code):
            return
    for code in threes:
        table_three(table, seat, code)
    key = "packet.threes" if table.packet_kept >> seat & 1 else "deal.three_kept"
    replace_threes(table, seat, len(threes), cards, bare, key)
    if table.knowable:
        judge_late(table)


def _known_first(table: Table, threes: tuple[int, ...]) -> list[int]:
    """Return the threes in the order in which they leave the hand, those surely held first.

    An exchange for one of the others then does not affect a three that is tabled with it.
    """
    base = table.seat * CODES
    known: list[int] = []
    others: list[int] = []
    for code in threes:
        left = table.counts[base + code] - known.count(code)
        (known if left > 0 else others).append(code)
    return known + others


def _choose_kept(table: Table, seat: i64, code: i64) -> None:
    """Treat this three as the one that a hand kept, if another of its colour was assumed.

    No source says which of its threes a hand keeps; see `table_end.open_exchanges`. If an unwritten
    card of the hand may be this three, the state of the deal cannot be known.
    """
    base, side = seat * CODES, table.rules.side_of[seat] * CODES
    chosen = EXACT[code] and table.counts[base + code] <= 0 and table.kept_threes[seat]
    if not chosen or not table.kept_with[seat] >> code & 1 or not table.threes[side + code]:
        return
    for other in OF_RANK[RANK[code]]:
        if EXACT[other] and table.counts[base + other] > 0:
            if free_cards(table, seat):
                doubt(table, "not-in-hand")
                mark_unknowable(table)
                return
            table.counts[base + other] -= 1
            table.counts[base + code] += 1
            table.threes[side + code] -= 1
            table.threes[side + other] += 1
            return
