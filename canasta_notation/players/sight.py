"""What a seat counts before it decides: its own hand by rank, and what everyone can see.

Players read a table only through this module, and through functions about melds, the pile and the
sizes of hands. So a play does not depend on anything that the seat cannot see.
"""

from __future__ import annotations

from canasta_notation.arrays import zeros
from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CODES,
    JOKER_RANK,
    KIND,
    RANK,
    RANKS,
    SEQUENCE,
    TWO,
    UNKNOWN,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.side import count_canastas
from canasta_notation.engine.table import Table
from canasta_notation.players.figures import Figures


def own_hand(table: Table, seat: i64) -> vec[i64]:
    """Return how many cards of each rank the seat holds."""
    held = zeros(RANKS)
    counts, base = table.counts, seat * CODES
    for at in range(base, base + UNKNOWN):
        count = counts[at]
        if count:
            held[RANK[at - base]] += count
    return held


def wilds_in(held: vec[i64]) -> i64:
    """Return how many wild cards a hand holds."""
    return held[TWO] + held[JOKER_RANK]


def is_late(table: Table, seat: i64, figures: Figures) -> bool:
    """Return whether the deal may end soon, so that cards in the hand are likely to be lost."""
    if table.stock_most <= figures.late_stock:
        return True
    rules = table.rules
    side = rules.side_of[seat]
    for other in range(rules.players):
        at = rules.side_of[other]
        few = figures.late_own if at == side else figures.late_hand
        if other == seat or table.hand_sizes[other] > few:
            continue
        if count_canastas(table, at) + figures.late_canastas >= rules.out_canastas:
            return True
    return False


def lays_all(table: Table, figures: Figures) -> bool:
    """Return whether the sides have enough canastas to lay everything."""
    canastas: i64 = 0
    for side in range(len(table.rules.sides)):
        canastas += count_canastas(table, side)
    return canastas >= figures.lay_canastas


def seen_by_rank(table: Table, held: vec[i64]) -> vec[i64]:
    """Return how many natural cards of each rank a seat with this hand sees."""
    seen = held[:]
    piled, naturals = table.piled, table.naturals
    for at in range(table.pile_size):
        seen[RANK[piled[at]]] += 1
    for side in range(len(table.rules.sides)):
        base = side * table.places
        for rank in range(BLACK_THREE, TWO):
            seen[rank] += naturals[base + rank]
        if table.places > RANKS:
            for place in range(RANKS, table.places):
                if naturals[base + place]:
                    _see_meld(table, seen, base + place, KIND[place])
    return seen


def _see_meld(table: Table, seen: vec[i64], at: i64, kind: i64) -> None:
    """Count the naturals of a meld that is not the side's first of its rank."""
    if kind < SEQUENCE:
        seen[kind] += table.naturals[at]
        return
    for rank in range(BLACK_THREE, ACE + 1):
        if table.sequences[at] >> rank & 1:
            seen[rank] += 1


def let_go(table: Table, rounds: i64) -> i64:
    """Return the ranks (a bit for each) that the next seat lately discarded, or did not take.

    The pile shows them: since it was last taken, each turn has put one card on it. Of four players,
    the fourth card from the top is what the seat that plays discarded in its last turn, and the
    third is what the next seat discarded instead of taking it. The last `rounds` rounds count.
    """
    players = table.rules.players
    ranks: i64 = 0
    at = table.pile_size - players
    while at >= 0 and rounds > 0:
        ranks |= 1 << RANK[table.piled[at]]
        ranks |= 1 << RANK[table.piled[at + 1]]
        at -= players
        rounds -= 1
    return ranks
