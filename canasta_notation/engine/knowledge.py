"""What counting says about cards that are unwritten, or written without their suit.

For each hand and card, `need` is the greatest excess, at any moment, of the copies that had left
over those known to have arrived: that many of the hand's unknown cards must have been that card.
For cards written without suits, the same is counted for each rank as a whole. A record can be true
only while the needs of a hand fit its unknown cards, and the cards named and needed fit the deck.

Not decided here: what an unwritten discard was that later came into a hand with the pile; see
`replay.unwritten`. If it was written without its suit, only the number of cards of its rank is
checked from then on.
"""

from __future__ import annotations

from canasta_notation.cards import (
    BARE,
    BLACK_THREE,
    CODES,
    EXACT,
    FIRST_OF,
    OF_RANK,
    RANK,
    RANKS,
    RED_THREE,
    UNKNOWN,
    UNKNOWN_RANK,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.table import Knowledge, Table

# --- the deck -----------------------------------------------------------------------------------


def leave_deck(table: Table, code: i64) -> bool:
    """Account for a card leaving the deck; return False if the deck cannot have it."""
    if table.knowledge is None and EXACT[code]:
        table.accounted[code] += 1
        return table.accounted[code] <= table.rules.copies[code]
    know(table)
    if code != UNKNOWN:
        table.accounted[code] += 1
    return not deck_lacks(table, code)


def leave_deck_exact(table: Table, codes: vec[i64]) -> bool:
    """Account for cards with suits leaving the deck, if all cards that left it have suits.

    Returns False and changes nothing if this is not so, or if the deck lacks one of the cards.
    """
    if table.knowledge is not None:
        return False
    accounted, most = table.accounted, table.rules.exact_copies
    within = True
    for code in codes:
        copies = accounted[code] + 1
        accounted[code] = copies
        if copies > most[code]:
            within = False
    if within:
        return True
    for code in codes:
        accounted[code] -= 1
    return False


def know(table: Table) -> Knowledge:
    """Return what is known of unwritten cards; created when the first such card appears."""
    if table.knowledge is None:
        table.knowledge = Knowledge(table.rules.players, len(table.rules.sides), table.places)
    return table.knowledge


def unaccount(table: Table, code: i64) -> None:
    """Undo the accounting for a card that is about to be spelled more exactly."""
    if code != UNKNOWN:
        table.accounted[code] -= 1


def count_accounted(table: Table, rank: i64) -> i64:
    """Return how many cards of the rank are accounted for."""
    known = table.knowledge
    total: i64 = 0 if known is None else known.needed_rank[rank]
    for code in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
        total += table.accounted[code]
    return total


def copies_left(table: Table, code: i64) -> i64:
    """Return how many copies of a card are not accounted for; negative if the deck has too few."""
    known = table.knowledge
    needed: i64 = 0 if known is None else known.needed[code]
    return table.rules.copies[code] - table.accounted[code] - needed


def refine(table: Table, bare: i64, code: i64) -> bool:
    """Account for a card known by its rank as the card `code`; return whether the deck has one."""
    known = know(table)
    table.accounted[bare] -= 1
    table.accounted[code] += 1
    return copies_left(table, code) >= 0 or known.blurred[RANK[code]] != 0


def unnamed_cards(table: Table) -> i64:
    """Return how many unknown cards in all hands are still unnamed."""
    known = table.knowledge
    return 0 if known is None else known.unnamed


def has_room(table: Table) -> bool:
    """Return whether enough cards are left for the unknown places in hands."""
    unnamed = unnamed_cards(table)
    if unnamed == 0:
        return True
    left: i64 = table.rules.deck_size
    for rank in range(RANKS):
        left -= count_accounted(table, rank)
    return unnamed <= (left if holds_red(table) else left - count_unseen(table, RED_THREE))


def holds_red(table: Table) -> bool:
    """Return whether an unknown card of a hand may be a red three, which the hand keeps."""
    rules = table.rules
    if rules.threes_held or rules.three_kept:
        return True
    return rules.threes_wait and table.late_open != 0


def count_unseen(table: Table, rank: i64) -> i64:
    """Return how many cards of the rank are not accounted for."""
    return table.rules.rank_copies[rank] - count_accounted(table, rank)


def bound_stock(table: Table, drawn: i64) -> None:
    """Raise the fewest cards that the stock can hold by what its threes show.

    A three that was drawn, or that is among `drawn` more, was not dealt unseen: no card of the
    stock has replaced it before play.
    """
    known = table.knowledge
    if known is None or not known.threes_dealt:
        return
    unseen = count_unseen(table, RED_THREE) - known.replaced - drawn
    if table.rules.black_tabled:
        unseen += count_unseen(table, BLACK_THREE)
    table.stock_fewest = max(table.stock_fewest, known.least - max(0, unseen))


# --- the hands ----------------------------------------------------------------------------------


def know_hand(table: Table, seat: i64) -> Knowledge:
    """Begin to count the needs of a hand: a card without its suit came or went."""
    known = know(table)
    known.partly |= 1 << seat
    return known


def add_unwritten(table: Table, seat: i64, code: i64) -> None:
    """Put a card without a suit, or an unknown one, into a hand."""
    known = know_hand(table, seat)
    table.hand_sizes[seat] += 1
    if code == UNKNOWN:
        known.unknown[seat] += 1
        known.unnamed += 1
        return
    table.counts[seat * CODES + code] += 1
    known.bare[seat * RANKS + RANK[code]] += 1


def add_unknown_again(table: Table, seat: i64) -> None:
    """Put into a hand an unknown card that had already left the deck, as in a taken pile."""
    known = know_hand(table, seat)
    table.hand_sizes[seat] += 1
    known.unknown[seat] += 1
    known.vague |= 1 << seat


def take_unwritten(table: Table, seat: i64, code: i64, place: i64) -> None:
    """Put a card at a place of a taken pile, written without its suit or unknown, into a hand.

    An unknown up card may be a three, which is then tabled. The up card of a deal without an `up`
    line has not been in any hand.
    """
    known = know_hand(table, seat)
    if code == UNKNOWN and known.up_open == place:
        known.unknown[seat] += 1
        known.loose[seat] += 1
        known.threes_more[table.rules.side_of[seat]] += 1
        return
    if code == UNKNOWN and place == 0 and table.pile_loose:
        add_unwritten(table, seat, code)
        return
    if code == UNKNOWN:
        add_unknown_again(table, seat)
    else:
        add_unwritten(table, seat, code)
    known.blurred[RANK[code]] = 1


def remove_unwritten(table: Table, seat: i64, code: i64) -> bool:
    """Take a card out of a hand that may not be known to hold it; see `hands.remove_card`."""
    known = table.knowledge
    loose: i64 = 0 if known is None else known.loose[seat]
    if table.hand_sizes[seat] + loose == 0:
        return False
    if known is not None:
        known.doubtful = False
    if code == UNKNOWN:
        known = know_hand(table, seat)
        known.nameless[seat] += 1
        known.doubtful = True
    elif not _name(table, seat, code):
        return False
    if table.hand_sizes[seat] > 0:
        table.hand_sizes[seat] -= 1
    else:
        know(table).loose[seat] -= 1
    return True


def _name(table: Table, seat: i64, code: i64) -> bool:
    """Count a departure of the card; return False if no unknown card can have been it."""
    if not EXACT[code]:
        know_hand(table, seat)
    known = table.knowledge
    if known is None:
        return False
    rank = RANK[code]
    base, place = seat * CODES, seat * RANKS + rank
    counts = table.counts
    counts[base + code] -= 1
    excess: i64 = 0
    spent: i64 = 0
    for kind in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
        spent -= counts[base + kind]
        if EXACT[kind]:
            excess += max(known.need[base + kind], -counts[base + kind])
    need = max(known.need_rank[place], excess - known.bare[place], spent)
    more = need - known.need_rank[place]
    bare = known.named_bare[seat] + (0 if table.rules.up_covered[rank] else more)
    if bare > known.unknown[seat] or (
        known.named[seat] + more > known.unknown[seat] + known.loose_taken[seat]
    ):
        counts[base + code] += 1
        return False
    known.doubtful = more > 0
    known.named[seat] += more
    known.named_bare[seat] = bare
    known.need_rank[place] = need
    named = EXACT[code] != 0 and -counts[base + code] > known.need[base + code]
    if named:
        known.need[base + code] += 1
        known.doubtful = True
    if not known.vague >> seat & 1:
        known.needed_rank[rank] += more
        known.unnamed -= min(more, known.unnamed)
        if named:
            known.needed[code] += 1
    _name_bare(table, known, seat, rank)
    return True


def _name_bare(table: Table, known: Knowledge, seat: i64, rank: i64) -> None:
    """Name the cards that left a hand without a suit, if only one choice is possible.

    That is so if every card that came to the hand is named, and it has only one kind of the rank
    left, or none. Later arrivals then cannot be taken for the cards that left.
    """
    base, bare, place = seat * CODES, seat * CODES + BARE[rank], seat * RANKS + rank
    counts = table.counts
    gone = -counts[bare]
    if gone <= 0 or known.bare[place] or known.unknown[seat] or known.loose_taken[seat]:
        return
    kinds = [code for code in OF_RANK[rank] if EXACT[code] and counts[base + code] > 0]
    if sum(counts[base + code] for code in kinds) == gone:
        for code in OF_RANK[rank]:
            counts[base + code] = 0
    elif len(kinds) == 1:
        counts[base + kinds[0]] -= gone
        counts[bare] = 0


def deck_lacks(table: Table, code: i64) -> bool:
    """Return whether the deck lacks a card that was accounted for, or that a hand must have held.

    Not checked: a deck of which every card was written with its suit.
    """
    known = table.knowledge
    if known is None or code == UNKNOWN:
        return False
    rank = RANK[code]
    if count_unseen(table, rank) < 0 or not has_room(table):
        return True
    return copies_left(table, code) < 0 and not known.blurred[rank]


def bare_departures(table: Table, seat: i64, rank: i64) -> i64:
    """Return how many cards of a rank left a hand without their suits being written."""
    bare = BARE[rank]
    known = table.knowledge
    if known is None or EXACT[bare]:
        return 0
    return known.bare[seat * RANKS + rank] - table.counts[seat * CODES + bare]


def came_unsuited(table: Table, seat: i64, rank: i64) -> bool:
    """Return whether a card of the rank came to a hand without its suit being written."""
    known, place = table.knowledge, seat * RANKS + rank
    return known is not None and known.bare[place] + known.need_rank[place] > 0


def open_cards(table: Table, vague: bool) -> list[int]:
    """Return the cards, each with its suit, that an unknown card of a hand can be.

    In a `vague` hand, it can also be one that the deck has accounted for.
    """
    known = table.knowledge
    cards: list[int] = []
    if known is None:
        return cards
    for rank in range(UNKNOWN_RANK):
        held = table.rules.holds_threes or not table.rules.tabled[rank]
        if held and (vague or count_unseen(table, rank) > 0):
            every = vague or known.blurred[rank] != 0
            codes = [code for code in OF_RANK[rank] if EXACT[code]]
            cards += [code for code in codes if every or copies_left(table, code) > 0]
    return cards


# --- the sides ----------------------------------------------------------------------------------


def unknown_melded(table: Table, side: i64, place: i64) -> i64:
    """Return how many cards of a meld the record does not name."""
    known = table.knowledge
    return 0 if known is None else known.unknown_melded[side * table.places + place]


def any_unknown_melded(table: Table, side: i64) -> bool:
    """Return whether a side's melds hold a card that the record does not name."""
    known = table.knowledge
    return known is not None and any(
        known.unknown_melded[side * table.places : (side + 1) * table.places]
    )


def threes_more(table: Table, side: i64) -> i64:
    """Return how many unwritten threes a side may have tabled."""
    known = table.knowledge
    return 0 if known is None or table.rules.threes_held else known.threes_more[side]


def is_open_hand(table: Table, seat: i64) -> bool:
    """Return whether the table at the end does not show the whole hand."""
    known = table.knowledge
    return known is not None and known.open_hands >> seat & 1 != 0


def melds_open(table: Table, side: i64) -> bool:
    """Return whether the table at the end does not show all of a side's melds."""
    known = table.knowledge
    return known is not None and known.open_melds >> side & 1 != 0


def threes_less(table: Table, side: i64) -> i64:
    """Return how many of a side's tabled threes may have been kept in a hand instead."""
    known = table.knowledge
    return 0 if known is None else known.threes_less[side]
