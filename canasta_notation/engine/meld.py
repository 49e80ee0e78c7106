"""What a turn puts on its side's melds, and whether that opens them."""

from __future__ import annotations

from canasta_notation.cards import CANASTA_SIZE, JOKER_RANK, MELD_SIZE, RANK
from canasta_notation.counts import i64
from canasta_notation.engine.knowledge import strangers_of
from canasta_notation.engine.side import meld_size, naturals_of
from canasta_notation.engine.table import NOT_KNOWN, UNTOUCHED, Table


def was_laid(table: Table, rank: i64) -> bool:
    return table.touched_at[rank] != UNTOUCHED


def touched(table: Table) -> list[int]:
    """The ranks laid in this turn that its end judges, in their order."""
    return list(table.touch_order[: table.touches])


def note_meld(table: Table, rank: i64, naturals: i64, wilds: i64, from_hand: i64) -> None:
    """Count cards that this turn puts on a meld."""
    if table.touched_at[rank] == UNTOUCHED:
        table.touch_order[table.touches] = rank
        table.touches += 1
        table.laid_naturals[rank] = naturals
        table.laid_wilds[rank] = wilds
        table.laid_from_hand[rank] = from_hand
        table.laid_points[rank] = 0
    else:
        table.laid_naturals[rank] += naturals
        table.laid_wilds[rank] += wilds
        table.laid_from_hand[rank] += from_hand
    table.touched_at[rank] = table.at


def opening_met(table: Table) -> bool:
    """Return whether the side has opened, or the whole melds laid so far open it."""
    side = table.side
    minimum = table.minimums[side]
    if table.opened_before or minimum == NOT_KNOWN:
        return True
    if table.count_most < minimum:
        return splashed(table)
    counted: i64 = 0
    for place in range(table.touches):
        rank = table.touch_order[place]
        naturals = naturals_of(table, side, rank) + strangers_of(table, side, rank)
        whole = rank == JOKER_RANK or naturals >= table.rules.min_naturals
        if whole and meld_size(table, side, rank) >= MELD_SIZE:
            counted += table.laid_points[rank]
    return counted >= minimum or splashed(table)


def splashed(table: Table) -> bool:
    """Return whether a natural canasta or one of wild cards was laid this turn.

    The pile's top card is left out; not checked: whether cards of its rest are among them.

    Source: MeggieSoft Games, The First Meld(s).
    """
    if table.rules.waived != "splash":
        return False
    for rank in touched(table):
        naturals, wilds = table.laid_naturals[rank], table.laid_wilds[rank]
        if table.took and rank == RANK[table.top] and table.top_melded:
            naturals -= 1
        if rank == JOKER_RANK and wilds >= CANASTA_SIZE:
            return True
        if rank != JOKER_RANK and not wilds and naturals >= CANASTA_SIZE:
            return True
    return False
