"""The table as numbers, as one seat sees it, for environments for learning."""

from __future__ import annotations

from typing import Final

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CODES,
    FOUR,
    JOKER_RANK,
    KIND,
    RANK,
    RANKS,
    SEQUENCE,
    SUITS,
    UNKNOWN,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.sequence import lowest_place, reading_of
from canasta_notation.engine.shown import known_in
from canasta_notation.engine.side import has_opened, tabled_threes
from canasta_notation.engine.table import YES, Table

#: The ranks of melds: black threes, four to ace, wild cards.
MELDS: Final[list[int]] = [BLACK_THREE, *range(FOUR, ACE + 1), JOKER_RANK]
#: How many ranks a card can have.
_LETTERS: Final[i64] = JOKER_RANK + 1


def table_numbers(table: Table, seat: i64, due: i64, begun: bool) -> list[int]:
    """Return the numbers that a seat sees: its hand, every side, the pile, what is known of hands.

    Seats and sides are in order, beginning with the seat's. `due` is the seat that plays next,
    `begun` says whether its turn has begun. Points are not scaled. Not checked: that every card is
    known.
    """
    rules = table.rules
    players: i64 = rules.players
    sides: i64 = len(rules.sides)
    own: i64 = rules.side_of[seat]
    numbers = hand_numbers(table, seat)
    numbers += [table.hand_sizes[(seat + step) % players] for step in range(players)]
    numbers += [1 if (seat + step) % players == due else 0 for step in range(players)]
    for step in range(sides):
        _add_side(table, (own + step) % sides, numbers)
    _add_pile(table, numbers)
    numbers.append(table.stock_most)
    numbers.append(1 if begun else 0)
    for step in range(1, players):
        numbers += _by_rank(known_in(table, (seat + step) % players), 0)
    return numbers


def hand_numbers(table: Table, seat: i64) -> list[int]:
    """Return how many cards of each rank a hand holds."""
    return _by_rank(table.counts, seat * CODES)


def _by_rank(counts: vec[i64], base: i64) -> list[int]:
    """Return how many cards of each rank there are among counts by code, from `base` on."""
    found: list[int] = [0] * _LETTERS
    for code in range(UNKNOWN):
        count = counts[base + code]
        if count:
            found[RANK[code]] += count
    return found


def _add_side(table: Table, side: i64, numbers: list[int]) -> None:
    base = side * table.places
    for rank in MELDS:
        at = base + rank
        numbers += [table.naturals[at], table.twos[at], table.jokers[at]]
    numbers.append(len(tabled_threes(table, side)))
    numbers.append(1 if has_opened(table, side) else 0)
    numbers += [table.minimums[side], table.totals[side]]


def _add_pile(table: Table, numbers: list[int]) -> None:
    size = table.pile_size
    found: list[int] = [0] * _LETTERS
    top: list[int] = [0] * _LETTERS
    for at in range(size):
        found[RANK[table.piled[at]]] += 1
    if size:
        top[RANK[table.piled[size - 1]]] = 1
    numbers += found
    numbers.append(size)
    numbers.append(1 if table.frozen_by_card == YES else 0)
    numbers += top


def placed_numbers(
    table: Table, seat: i64, codes: vec[i64], suits: vec[i64], places: vec[i64]
) -> list[int]:
    """Return the further numbers under rules with sequences or several melds of a rank.

    They are how many cards of `codes` are in the hand and in the pile, which suit the top has (by
    `suits` of every code), and what each side has at `places`: the lowest rank of a sequence, from
    1 for fours, and how many cards; or the naturals, twos and jokers of a set.
    """
    piled: list[int] = [0] * CODES
    for at in range(table.pile_size):
        piled[table.piled[at]] += 1
    top: i64 = table.piled[table.pile_size - 1] if table.pile_size else UNKNOWN
    numbers = [table.counts[seat * CODES + code] for code in codes]
    numbers += [piled[code] for code in codes]
    numbers += [1 if top != UNKNOWN and suits[top] == suit else 0 for suit in range(SUITS)]
    sides: i64 = len(table.rules.sides)
    own: i64 = table.rules.side_of[seat]
    for step in range(sides):
        base = (own + step) % sides * table.places
        for place in places:
            at = base + place
            if KIND[place] >= SEQUENCE:
                ranks: i64 = table.sequences[at] if table.rules.sequences else 0
                low = _lowest(ranks)
                if table.rules.from_ace:
                    row = reading_of(table, at // table.places, place)
                    low = lowest_place(row) + 1 if row > 0 else 0
                numbers += [low, table.meld_sizes[at]]
            else:
                numbers += [table.naturals[at], table.twos[at], table.jokers[at]]
    return numbers


def _lowest(ranks: i64) -> i64:
    """Return the lowest of some ranks, given as bits, from 1 for fours; 0 for none."""
    for rank in range(FOUR, RANKS):
        if ranks >> rank & 1:
            return rank - FOUR + 1
    return 0
