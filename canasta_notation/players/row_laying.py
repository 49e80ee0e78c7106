"""What a player lays in sequences that begin with an ace and may have wild cards.

Each card is planned by how the engine reads the whole sequence: a two of the suit is natural or
wild by its place, and so is no wild card in the plan unless it must be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from canasta_notation.cards import (
    BLACK_THREE,
    CANASTA_SIZE,
    FROM_ACE_TO_KING,
    MELD_SIZE,
    ROW_PLACES,
    ROW_RANKS,
    TWO,
)
from canasta_notation.counts import i64
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.sequence import (
    NO_READING,
    SECOND_ACE,
    may_stand,
    others_of,
    read,
    with_card,
)
from canasta_notation.engine.table import NOT_JUDGED, Table

if TYPE_CHECKING:
    from canasta_notation.players.placed_laying import PlacedPlan


def own_after(table: Table, plan: PlacedPlan, place: i64) -> i64:
    """Return the own cards of a sequence with those that the plan adds."""
    own: i64 = table.sequences[table.side * table.places + place]
    for rank in range(BLACK_THREE, TWO + 1):
        if plan.runs[place] >> rank & 1:
            own = max(with_card(table.rules, own, rank), own)
    if plan.runs[place] & SECOND_ACE:
        own |= SECOND_ACE
    return own


def others_after(table: Table, plan: PlacedPlan, place: i64) -> i64:
    """Return the other wild cards of a sequence with those that the plan adds."""
    return others_of(table, table.side * table.places + place) + plan.wilds[place]


def lengthen_row(table: Table, plan: PlacedPlan, place: i64) -> None:
    """Add the cards of the hand that are natural in a sequence, one by one."""
    if table.sequences[table.side * table.places + place] == NOT_JUDGED:
        return
    others = others_after(table, plan, place)
    while plan.spare > 0:
        own = own_after(table, plan, place)
        added = False
        for rank in range(BLACK_THREE, TWO + 1):
            if plan.of_suit(place, rank) and _is_natural(table.rules, own, others, rank):
                plan.add_own(place, rank, second=own >> rank & 1 != 0)
                added = True
                break
        if not added:
            return


def _is_natural(rules: Rules, own: i64, others: i64, rank: i64) -> bool:
    """Return whether a sequence may have one more card of its suit, in the card's own place."""
    more = with_card(rules, own, rank)
    if more < 0 or not may_stand(rules, more, others):
        return False
    return rank != TWO or (not own >> TWO & 1 and read(rules, more, others) & 2 != 0)


def begin_rows(table: Table, plan: PlacedPlan, place: i64) -> bool:
    """Begin the longest row of natural cards of a suit at a free place; return whether one is."""
    best: i64 = 0
    longest: i64 = MELD_SIZE - 1
    length: i64 = 0
    for at in range(ROW_PLACES):
        length = length + 1 if plan.of_suit(place, ROW_RANKS[at]) else 0
        # The one ace of a hand is not counted at both ends.
        whole = min(length, FROM_ACE_TO_KING)
        if whole > longest:
            best, longest = at, whole
    if longest < MELD_SIZE or plan.spare < MELD_SIZE:
        return False
    for at in range(best - min(longest, plan.spare) + 1, best + 1):
        plan.add_own(place, ROW_RANKS[at], second=False)
    return True


def add_row_wild(table: Table, plan: PlacedPlan, place: i64) -> bool:
    """Add a wild card to a sequence; return whether it may have one more."""
    if not plan.wilds_left or plan.spare < 1:
        return False
    own, others = own_after(table, plan, place), others_after(table, plan, place) + 1
    if own <= 0 or not may_stand(table.rules, own, others):
        return False
    plan.add(place, 0, 1)
    return True


def row_after(table: Table, plan: PlacedPlan, place: i64) -> i64:
    """Return how many cards a sequence has with the plan."""
    size: i64 = table.meld_sizes[table.side * table.places + place] + plan.wilds[place]
    ranks = plan.runs[place]
    while ranks:
        size += 1
        ranks &= ranks - 1
    return size


def pair_with_wild(table: Table, plan: PlacedPlan, place: i64) -> bool:
    """Begin a sequence with two cards of a suit and a wild card; return whether one is begun."""
    if not plan.wilds_left or plan.spare < MELD_SIZE or table.rules.sequence_wilds < 1:
        return False
    for apart in (1, 2):
        for at in range(ROW_PLACES - apart):
            low, high = ROW_RANKS[at], ROW_RANKS[at + apart]
            if TWO in (low, high) or not (plan.of_suit(place, low) and plan.of_suit(place, high)):
                continue
            plan.add_own(place, low, second=False)
            plan.add_own(place, high, second=False)
            plan.add(place, 0, 1)
            return True
    return False


def is_whole(table: Table, plan: PlacedPlan, place: i64) -> bool:
    """Return whether a sequence is a canasta with the plan."""
    return row_after(table, plan, place) >= CANASTA_SIZE


def is_natural_row(table: Table, plan: PlacedPlan, place: i64) -> bool:
    """Return whether a sequence has no wild card with the plan."""
    own, others = own_after(table, plan, place), others_after(table, plan, place)
    row = read(table.rules, own, others)
    if row == NO_READING or others:
        return False
    twos = own >> TWO & 1
    return not twos or row & 2 != 0
