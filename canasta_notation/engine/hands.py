"""The hands: cards that come and go, and what each is known to hold.

A hand whose cards are all written is counted here; `knowledge` handles any other.
"""

from __future__ import annotations

from canasta_notation.arrays import zeros
from canasta_notation.cards import (
    BLACK_THREE,
    CODES,
    EXACT,
    FIRST_OF,
    NO_CODES,
    OF_RANK,
    RANK,
    RANKS,
    RED_THREE,
    UNKNOWN_RANK,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.knowledge import (
    add_unwritten,
    bare_departures,
    came_unsuited,
    remove_unwritten,
)
from canasta_notation.engine.table import NO_CARDS, Table


def add_card(table: Table, seat: i64, code: i64) -> None:
    """Put a card into a hand; the caller accounts for it in the deck."""
    if EXACT[code]:
        table.hand_sizes[seat] += 1
        table.counts[seat * CODES + code] += 1
    else:
        add_unwritten(table, seat, code)


def remove_card(table: Table, seat: i64, code: i64) -> bool:
    """Take a card out of a hand; return False and change nothing if the hand cannot hold it."""
    at = seat * CODES + code
    if table.counts[at] > 0 and is_written(table, seat):
        table.counts[at] -= 1
        table.hand_sizes[seat] -= 1
        return True
    return remove_unwritten(table, seat, code)


def release_three(table: Table, seat: i64, code: i64) -> None:
    """Note that a card has left a hand, if it is a three that the hand had kept.

    A three that was unwritten in the hand is another one, as long as it still holds those it kept.
    """
    kept = table.kept_threes[seat]
    if kept and table.rules.tabled[RANK[code]] and _known_threes(table, seat) < kept:
        table.kept_threes[seat] -= 1
        table.excused_threes[seat] = min(table.excused_threes[seat], table.kept_threes[seat])


def _known_threes(table: Table, seat: i64) -> i64:
    """Return how many threes of the kind that is tabled a hand is known to hold."""
    held: i64 = 0
    for rank in (RED_THREE, BLACK_THREE):
        if table.rules.tabled[rank]:
            held += max(0, count_of_rank(table, seat, rank))
    return held


def is_written(table: Table, seat: i64) -> bool:
    """Return whether every card that came to the hand or left it was written with its suit."""
    known = table.knowledge
    return known is None or not known.partly >> seat & 1


def hand_counts(table: Table, seat: i64) -> vec[i64]:
    """Return a copy of a hand's counts by code."""
    return table.counts[seat * CODES : seat * CODES + CODES]


def unnamed_in(table: Table, seat: i64) -> i64:
    """Return how many of the unknown cards that came to a hand are still unnamed."""
    known = table.knowledge
    return 0 if known is None else max(0, known.unknown[seat] - known.named[seat])


def free_cards(table: Table, seat: i64) -> i64:
    """Return how many cards make a hand uncertain; 0 means that the hand is known."""
    known = table.knowledge
    if known is None:
        return 0
    return unnamed_in(table, seat) + known.loose[seat] + known.nameless[seat]


def loose_cards(table: Table, seat: i64) -> i64:
    """Return how many cards a hand may have beyond its size."""
    known = table.knowledge
    return 0 if known is None else known.loose[seat]


def nameless_of(table: Table, seat: i64) -> i64:
    """Return how many unknown cards have left a hand."""
    known = table.knowledge
    return 0 if known is None else known.nameless[seat]


def is_vague(table: Table, seat: i64) -> bool:
    """Return whether an unknown card in a hand may be one that the deck has accounted for."""
    known = table.knowledge
    return known is not None and known.vague >> seat & 1 != 0


def hand_needs(table: Table, seat: i64) -> vec[i64]:
    """Return a copy of what a hand's unknown cards must have been, by code."""
    known = table.knowledge
    return NO_CODES[:] if known is None else known.need[seat * CODES : seat * CODES + CODES]


def empty_hand(table: Table, seat: i64) -> None:
    """Empty a hand and forget what was known of it; what the deck has accounted for stays."""
    for at in range(seat * CODES, seat * CODES + CODES):
        table.counts[at] = 0
    table.hand_sizes[seat] = table.kept_threes[seat] = table.excused_threes[seat] = 0
    table.kept_with[seat] = 0
    known = table.knowledge
    if known is None:
        return
    for at in range(seat * CODES, seat * CODES + CODES):
        known.need[at] = 0
    for at in range(seat * RANKS, seat * RANKS + RANKS):
        known.need_rank[at] = known.bare[at] = 0
    known.unknown[seat] = known.named[seat] = known.named_bare[seat] = 0
    known.loose[seat] = known.loose_taken[seat] = known.nameless[seat] = 0
    known.partly &= ~(1 << seat)
    known.vague &= ~(1 << seat)


def count_of_rank(table: Table, seat: i64, rank: i64) -> i64:
    """Return how many cards of the rank the hand is known to hold."""
    known = table.knowledge
    held: i64 = 0 if known is None else known.need_rank[seat * RANKS + rank]
    base = seat * CODES
    for code in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
        held += table.counts[base + code]
    return held


def known_cards(table: Table, seat: int) -> tuple[list[int], set[int]]:
    """Return the cards that a hand must hold, and those that it may hold because they came to it.

    An unknown card that left the hand may have been any known card, and a card that left without
    its suit may have been any card of its rank that came.
    """
    cards: list[int] = []
    perhaps: set[int] = set()
    counts = hand_counts(table, seat)
    if table.knowledge is None:
        for code in range(FIRST_OF[UNKNOWN_RANK]):
            count = counts[code]
            if count > 0:
                cards += [code] * count
        if len(cards) == table.hand_sizes[seat]:
            return cards, perhaps
        cards = []
    needs = hand_needs(table, seat)
    gone = nameless_of(table, seat)
    for rank in range(UNKNOWN_RANK):
        known = count_of_rank(table, seat, rank)
        bare = bare_departures(table, seat, rank)
        open_suit = gone + bare
        if not (known or open_suit):
            continue
        if bare and came_unsuited(table, seat, rank):
            perhaps.update(OF_RANK[rank])
        left = max(0, known - gone)
        for code in OF_RANK[rank]:
            came = counts[code] + needs[code]
            held = min(max(0, came - open_suit) if EXACT[code] else left, left)
            cards += [code] * held
            left -= held
            if came > held:
                perhaps.update(OF_RANK[rank] if not EXACT[code] else (code,))
    size = table.hand_sizes[seat]
    perhaps.update(cards[size:])
    return cards[:size], perhaps


def can_hold(table: Table, seat: i64, code: i64) -> bool:
    """Return whether a hand can hold a card; an unnamed card is not a red three."""
    rules = table.rules
    if RANK[code] != RED_THREE or rules.holds_threes or rules.threes_held:
        return True
    return count_of_rank(table, seat, RED_THREE) > 0


def pull_codes(table: Table, seat: i64, codes: vec[i64]) -> vec[i64]:
    """Take every card with one of these codes, all with suits, out of a hand; return them."""
    counts, base = table.counts, seat * CODES
    held: i64 = 0
    for code in codes:
        held += counts[base + code]
    if held == 0:
        return NO_CARDS
    table.hand_sizes[seat] -= held
    pulled = zeros(held)
    at: i64 = 0
    for code in codes:
        while counts[base + code]:
            counts[base + code] -= 1
            pulled[at] = code
            at += 1
    return pulled
