"""What a side has on the table in a deal, and what this turn adds: melds, threes, the opening."""

from __future__ import annotations

from canasta_notation.cards import (
    ACE,
    CANASTA_SIZE,
    CODES,
    JOKER_RANK,
    MELD_SIZE,
    RANK,
    RANKS,
    SEVEN,
    UNKNOWN_RANK,
)
from canasta_notation.counts import i64
from canasta_notation.engine.knowledge import know, unknown_melded
from canasta_notation.engine.table import MAYBE, NO, NOT_KNOWN, UNTOUCHED, YES, Table


def put_cards(
    table: Table,
    side: i64,
    rank: i64,
    naturals: i64,
    twos: i64,
    jokers: i64,
    unknown: i64,
    points: i64,
) -> None:
    """Add cards, a number of each kind, to a side's meld of a rank, whether or not they belong."""
    at = side * RANKS + rank
    table.naturals[at] += naturals
    table.meld_sizes[at] += naturals + twos + jokers + unknown
    table.meld_points[at] += points
    if twos or jokers:
        table.twos[at] += twos
        table.jokers[at] += jokers
    if unknown:
        known = know(table)
        known.unknown_melded[at] += unknown
        if rank == ACE and not table.opened_before:
            known.mixed_aces |= 1 << side


def table_three(table: Table, seat: i64, code: i64) -> None:
    """Put a three on the table before the seat's side."""
    table.threes[table.rules.side_of[seat] * CODES + code] += 1


def has_opened(table: Table, side: i64) -> bool:
    """Return whether the side has opened."""
    return table.opened >> side & 1 != 0


def meld_size(table: Table, side: i64, rank: i64) -> i64:
    """Return how many cards the side's meld of a rank holds."""
    return table.meld_sizes[side * RANKS + rank]


def naturals_of(table: Table, side: i64, rank: i64) -> i64:
    """Return how many naturals the side's meld of a rank is known to hold."""
    return table.naturals[side * RANKS + rank]


def wilds_of(table: Table, side: i64, rank: i64) -> i64:
    """Return how many wild cards the side's meld of a rank holds."""
    at = side * RANKS + rank
    return table.twos[at] + table.jokers[at]


def count_canastas(table: Table, side: i64) -> i64:
    """Return how many of the side's melds are canastas."""
    canastas: i64 = 0
    sizes = table.meld_sizes
    for at in range(side * RANKS, side * RANKS + RANKS):
        if sizes[at] >= CANASTA_SIZE:
            canastas += 1
    return canastas


def canasta_kind(rank: i64, size: i64, wilds: i64) -> str:
    """Return "natural", "mixed" or "wild" for a meld that is a canasta, else ""."""
    if size < CANASTA_SIZE:
        return ""
    if rank == JOKER_RANK:
        return "wild"
    return "mixed" if wilds else "natural"


def meld_ranks(table: Table, side: i64) -> list[int]:
    """Return the ranks in which the side has a meld."""
    return [rank for rank in range(UNKNOWN_RANK) if meld_size(table, side, rank)]


def unfinished_melds(table: Table, side: i64) -> list[int]:
    """Return which of sevens, aces without wild cards, and wild cards are less than a canasta."""
    return [
        rank
        for rank in (SEVEN, ACE, JOKER_RANK)
        if 0 < meld_size(table, side, rank) < CANASTA_SIZE
        and (rank != ACE or not wilds_of(table, side, rank))
    ]


def may_mix_aces(table: Table, side: i64) -> bool:
    """Return whether an unwritten card of the side's aces may be a wild card."""
    known = table.knowledge
    if known is None or not known.unknown_melded[side * RANKS + ACE]:
        return False
    if table.rules.no_wilds[ACE] and not known.mixed_aces >> side & 1:
        return False
    cards = naturals_of(table, side, ACE) + known.unknown_melded[side * RANKS + ACE]
    return cards > table.rules.min_naturals


def set_threes(table: Table, side: i64, codes: list[int]) -> None:
    """Replace the threes that a side has tabled with these."""
    base = side * CODES
    for code in range(CODES):
        table.threes[base + code] = 0
    for three in codes:
        table.threes[base + three] += 1
    known = table.knowledge
    if known is not None:
        known.threes_more[side] = known.threes_less[side] = 0


def tabled_threes(table: Table, side: i64) -> list[int]:
    """Return the threes that the side has tabled, as card codes in their order."""
    base = side * CODES
    return [code for code in range(CODES) for _ in range(table.threes[base + code])]


# --- in this turn -------------------------------------------------------------------------------


def was_laid(table: Table, rank: i64) -> bool:
    """Return whether the rank is one that was laid in this turn and that its end judges."""
    return table.touched_at[rank] != UNTOUCHED


def touched(table: Table) -> list[int]:
    """Return the ranks laid in this turn that its end judges, in the order they were laid."""
    return list(table.touch_order[: table.touches])


def note_meld(table: Table, rank: i64, naturals: i64, wilds: i64, from_hand: i64) -> None:
    """Count cards that this turn puts on a meld."""
    if table.touched_at[rank] == UNTOUCHED:
        table.touch_order[table.touches] = rank
        table.touches += 1
        table.laid_naturals[rank] = naturals
        table.laid_wilds[rank] = wilds
        table.laid_from_hand[rank] = from_hand
        table.laid_points[rank] = table.laid_perhaps[rank] = 0
    else:
        table.laid_naturals[rank] += naturals
        table.laid_wilds[rank] += wilds
        table.laid_from_hand[rank] += from_hand
    table.touched_at[rank] = table.at


def opening_met(table: Table) -> bool:
    """Return whether the side has opened, or the complete melds laid so far reach its minimum."""
    side = table.side
    minimum = table.minimums[side]
    if table.opened_before or minimum == NOT_KNOWN:
        return True
    counted: i64 = 0
    for place in range(table.touches):
        rank = table.touch_order[place]
        naturals = naturals_of(table, side, rank) + unknown_melded(table, side, rank)
        whole = rank == JOKER_RANK or naturals >= table.rules.min_naturals
        if whole and meld_size(table, side, rank) >= MELD_SIZE:
            counted += table.laid_points[rank]
    return counted >= minimum or splashed(table) != NO


def splashed(table: Table) -> i64:
    """Return whether a natural canasta or one of wild cards was laid: YES, NO or MAYBE.

    Only for the side's first turn with melds. The pile's top card does not count. Not checked:
    whether cards of the pile's rest are in it.

    Source: MeggieSoft Games, The First Meld(s).
    """
    splash: i64 = NO
    if table.rules.waived != "splash":
        return splash
    for rank in touched(table):
        naturals, wilds = table.laid_naturals[rank], table.laid_wilds[rank]
        if table.took and rank == RANK[table.top] and table.top_melded:
            naturals -= 1
        # In a meld of wild cards, an unknown card, which is counted as a natural, is wild too.
        if rank == JOKER_RANK and naturals + wilds >= CANASTA_SIZE:
            return YES
        if rank != JOKER_RANK and not wilds and naturals >= CANASTA_SIZE:
            if not unknown_melded(table, table.side, rank):
                return YES
            splash = MAYBE
    return splash
