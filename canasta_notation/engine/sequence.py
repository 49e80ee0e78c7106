"""Sequences: which cards of a suit follow one another, and where their wild cards stand.

The form of a sequence is data (`Rules`): its lowest rank, and its most wild cards, cards and aces.
The order in which cards were laid has no meaning; the places of wild cards follow from the others.
A wild card fills a gap, or is free to stand at an end. A two of the suit stands in its own place if
the cards can be read so, and is a wild card if not; once natural it stays so. An ace is low or
high.

A table keeps for each sequence its *own* cards as bits: a bit by rank (both colours of three have
that of BLACK_THREE), and those below.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    CODE,
    EXACT,
    FOUR,
    FOUR_PLACE,
    KIND,
    RANK,
    RANK_LETTERS,
    RANKS,
    RED_THREE,
    ROW_PLACES,
    ROW_RANKS,
    SEQUENCE,
    SUIT_LETTERS,
    TEXT,
    TWO,
)
from canasta_notation.counts import i64
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.table import NOT_JUDGED, Table

#: Bits of own cards: a second ace, a second two; a two that stands in its own place, and one that
#: did so at the end of a turn.
SECOND_ACE: Final[i64] = 1 << RANKS
SECOND_TWO: Final[i64] = SECOND_ACE << 1
NATURAL_TWO: Final[i64] = SECOND_TWO << 1
KEPT_TWO: Final[i64] = NATURAL_TWO << 1
_ACE: Final[i64] = 1 << ACE
_TWO: Final[i64] = 1 << TWO
#: In a reading, the places of a low ace, of a two and of a high ace.
_LOW_ACE: Final[i64] = 1
_TWO_PLACE: Final[i64] = 1 << 1
_HIGH_ACE: Final[i64] = 1 << (ROW_PLACES - 1)
#: The ranks from four to king, as bits from the first on.
_MIDDLE: Final[i64] = (1 << (ACE - FOUR)) - 1
#: In place of a reading: the cards do not follow one another.
NO_READING: Final[i64] = -1


def with_card(rules: Rules, own: i64, rank: i64) -> i64:
    """Return own cards with one more of a rank, or -1 if the sequence cannot have it once more."""
    bit: i64 = 1 << (BLACK_THREE if rank == RED_THREE else rank)
    if not own & bit:
        return own | bit
    if rank == ACE and rules.sequence_aces > 1 and not own & SECOND_ACE:
        return own | SECOND_ACE
    if rank == TWO:
        return own | SECOND_TWO
    return -1


def count_bits(mask: i64) -> i64:
    """Return how many bits of a mask are set."""
    count: i64 = 0
    while mask:
        count += 1
        mask &= mask - 1
    return count


def own_twos(own: i64) -> i64:
    """Return how many twos of the suit are among own cards."""
    twos: i64 = 0
    if own & _TWO:
        twos = 2 if own & SECOND_TWO else 1
    return twos


def has_natural_two(own: i64) -> bool:
    """Return whether a two stands in its own place among own cards."""
    return own != NOT_JUDGED and own & NATURAL_TWO != 0


def others_of(table: Table, at: i64) -> i64:
    """Return how many cards of a sequence are wild wherever they stand: no twos of its suit."""
    own = table.sequences[at]
    wild_twos = own_twos(own) - (1 if own & NATURAL_TWO else 0)
    return table.twos[at] + table.jokers[at] - wild_twos


def own_points(rules: Rules, own: i64) -> i64:
    """Return the points of own cards that count as natural; the others are counted as wild."""
    points_of = rules.rank_points
    points = points_of[BLACK_THREE] * (own >> BLACK_THREE & 1)
    for rank in range(FOUR, ACE + 1):
        points += points_of[rank] * (own >> rank & 1)
    if own & SECOND_ACE:
        points += points_of[ACE]
    return points + (points_of[TWO] if own & NATURAL_TWO else 0)


def read(rules: Rules, own: i64, others: i64) -> i64:
    """Return the places of a sequence's natural cards, as bits, or NO_READING.

    `others` are wild cards that are no twos of the suit. Not checked: the limits of wild cards and
    of the size.
    """
    return _read_own(own, others, rules.from_ace)


def _read_own(own: i64, others: i64, from_ace: bool) -> i64:
    row = (own >> FOUR & _MIDDLE) << FOUR_PLACE | (own >> BLACK_THREE & 1) << 2
    twos = own_twos(own)
    if twos:
        found = _read_aces(own, row | _TWO_PLACE, others + twos - 1, from_ace)
        if found != NO_READING or own & KEPT_TWO:
            return found
    return _read_aces(own, row, others + twos, from_ace)


def _read_aces(own: i64, row: i64, wilds: i64, from_ace: bool) -> i64:
    """Return a reading with the aces at the ends where they fit; one alone is low if it can be."""
    if not own & _ACE:
        return row if _fits(row, wilds) else NO_READING
    if own & SECOND_ACE:
        row |= _LOW_ACE | _HIGH_ACE
        return row if _fits(row, wilds) else NO_READING
    if from_ace and _fits(row | _LOW_ACE, wilds):
        return row | _LOW_ACE
    return row | _HIGH_ACE if _fits(row | _HIGH_ACE, wilds) else NO_READING


def _fits(row: i64, wilds: i64) -> bool:
    """Return whether wild cards fill the gaps of a row, and find room."""
    cards = count_bits(row)
    return _span(row) - cards <= wilds and cards + wilds <= ROW_PLACES


def _span(row: i64) -> i64:
    """Return how many places there are from the first card of a row to the last."""
    if not row:
        return 0
    span: i64 = 0
    row //= row & -row
    while row:
        span += 1
        row >>= 1
    return span


def is_row(rules: Rules, own: i64, others: i64) -> bool:
    """Return whether the cards of a sequence follow one another."""
    return own > 0 and read(rules, own, others) != NO_READING


def reading_of(table: Table, side: i64, place: i64) -> i64:
    """Return the reading of a sequence on the table; see `read`."""
    at = side * table.places + place
    own = table.sequences[at]
    return NO_READING if own == NOT_JUDGED else read(table.rules, own, others_of(table, at))


def fits_with(table: Table, side: i64, place: i64, code: i64) -> bool:
    """Return whether a sequence on the table follows the rules with one card more."""
    at = side * table.places + place
    rules, own = table.rules, table.sequences[at]
    others = others_of(table, at)
    if rules.sequence_of[code] == KIND[place]:
        own = with_card(rules, own, RANK[code])
        if own < 0:
            return False
    elif is_other(rules, code):
        others += 1
    else:
        return False
    return may_stand(rules, own, others)


def may_stand(rules: Rules, own: i64, others: i64) -> bool:
    """Return whether a sequence may have these cards, few as they may be."""
    row = read(rules, own, others)
    if row == NO_READING:
        return False
    wilds = wilds_in(row, own, others)
    return wilds <= rules.sequence_wilds and count_bits(row) + wilds <= rules.sequence_cards


def make_row(rules: Rules, kind: i64, codes: Sequence[int]) -> bool:
    """Return whether cards, each with its suit, follow one another in a sequence of a kind.

    Not checked: how many cards a sequence may have.
    """
    own: i64 = 0
    others: i64 = 0
    for code in codes:
        if rules.sequence_of[code] == kind:
            own = with_card(rules, own, RANK[code])
            if own < 0:
                return False
        elif is_other(rules, code):
            others += 1
        else:
            return False
    row = read(rules, own, others) if own else NO_READING
    return row != NO_READING and wilds_in(row, own, others) <= rules.sequence_wilds


def wilds_in(row: i64, own: i64, others: i64) -> i64:
    """Return how many cards of a sequence are wild in a reading."""
    return others + own_twos(own) - (1 if row & _TWO_PLACE else 0)


def is_other(rules: Rules, code: i64) -> bool:
    """Return whether a card may be a wild card of a sequence of another suit than its own."""
    return rules.sequence_wilds > 0 and RANK[code] >= TWO and RANK[code] <= TWO + 1


def settle_two(table: Table, place: i64) -> None:
    """Count a two of the suit as natural or wild, as the cards are now read."""
    at = table.side * table.places + place
    own = table.sequences[at]
    if own == NOT_JUDGED or not own & _TWO:
        return
    row = read(table.rules, own, others_of(table, at))
    natural = row != NO_READING and row & _TWO_PLACE != 0
    if row == NO_READING:
        natural = own & KEPT_TWO != 0
    more: i64 = int(natural) - int(own & NATURAL_TWO != 0)
    if not more:
        return
    table.sequences[at] = own ^ NATURAL_TWO
    table.naturals[at] += more
    table.twos[at] -= more
    table.laid_naturals[place] += more
    table.laid_wilds[place] -= more


def keep_two(table: Table, place: i64) -> None:
    """Let a two that stands in its own place at the end of a turn stay there."""
    at = table.side * table.places + place
    if table.sequences[at] != NOT_JUDGED and table.sequences[at] & NATURAL_TWO:
        table.sequences[at] |= KEPT_TWO


def lowest_place(row: i64) -> i64:
    """Return the lowest place of a reading, 0 for a low ace; not checked: that it has a card."""
    low: i64 = 0
    while not row >> low & 1:
        low += 1
    return low


def longest_row(row: i64) -> i64:
    """Return how many natural cards of a reading follow one another without a gap, at most."""
    longest: i64 = 0
    while row:
        longest += 1
        row &= row << 1
    return longest


def is_semi(rules: Rules, place: i64, size: i64, wilds: i64, own: i64) -> bool:
    """Return whether a canasta with wild cards is semi-clean; `own` are those of a sequence."""
    if not rules.has_semi or wilds != 1 or size <= CANASTA_SIZE:
        return False
    if KIND[place] < SEQUENCE:
        return True
    twos = own_twos(own) - (1 if own & NATURAL_TWO else 0)
    row = read(rules, own, wilds - twos)
    longest = longest_row(row)
    return longest == count_bits(row) if rules.semi_at_end else longest >= CANASTA_SIZE


def as_they_lie(kind: int, codes: Sequence[int]) -> tuple[int, ...]:
    """Return the cards of a group of a sequence from low to high, the wild cards in their places.

    Only the group itself is looked at, not what lies there already. The cards are sorted if they do
    not follow one another, or if one of them is not known exactly.
    """
    suit = SUIT_LETTERS[kind - SEQUENCE]
    own: i64 = 0
    laid = [code for code in codes if RANK[code] >= TWO]
    for code in codes:
        rank = RANK[code]
        if TEXT[code][-1] != suit:
            if rank < TWO or not EXACT[code]:
                return tuple(sorted(codes))
            continue
        bit: i64 = 1 << (BLACK_THREE if rank == RED_THREE else rank)
        if own & bit and rank not in (ACE, TWO):
            return tuple(sorted(codes))
        own |= (SECOND_ACE if rank == ACE else SECOND_TWO) if own & bit else bit
    others = len(laid) - own_twos(own)
    row = _read_own(own, others, from_ace=True) if own else NO_READING
    if row == NO_READING:
        return tuple(sorted(codes))
    found = in_row(kind, row, sorted(laid), wilds_in(row, own, others))
    return found if len(found) == len(codes) else tuple(sorted(codes))


def in_row(kind: int, row: int, laid: list[int], wild: int) -> tuple[int, ...]:
    """Return the cards of a sequence from low to high, the wild cards in their places.

    `row` is its reading, `laid` are its twos and jokers, of which `wild` are wild. A wild card that
    is free stands at the bottom if there is room, else at the top.
    """
    suit = SUIT_LETTERS[kind - SEQUENCE]
    left = list(laid)
    if len(left) > wild:
        left.remove(CODE[f"2{suit}"])
    spelled = [RANK_LETTERS[rank] + suit for rank in ROW_RANKS]
    low = (row & -row).bit_length() - 1
    cards = [
        CODE[spelled[at]] if row >> at & 1 else left.pop(0) for at in range(low, row.bit_length())
    ]
    below = left[:low]
    return (*below, *cards, *left[len(below) :])
