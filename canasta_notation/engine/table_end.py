"""The table at the end of a deal: what is shown there, compared with what the play has left.

A line shows the melds or the threes of a side, or a hand. Each function puts the cards that it
shows in the place of cards that the play did not name. If the line cannot be true, the function
violates `end-melds`, `end-threes`, `end-hand` or `deck-count`. The table can then no longer be
used, so callers try each line on a copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from canasta_notation.cards import (
    BARE,
    BLACK_THREE,
    CODES,
    EXACT,
    KIND,
    MELD_SIZE,
    OF_RANK,
    RANK,
    RANKS,
    RED_THREE,
    TWO,
    UNKNOWN,
    kinds,
)
from canasta_notation.engine.hands import (
    add_card,
    can_hold,
    empty_hand,
    is_vague,
    is_written,
    known_cards,
    loose_cards,
    nameless_of,
    remove_card,
    unnamed_in,
)
from canasta_notation.engine.knowledge import (
    deck_lacks,
    know,
    know_hand,
    threes_less,
    threes_more,
    unknown_melded,
)
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.side import (
    has_label,
    meld_size,
    naturals_of,
    set_threes,
    tabled_threes,
    wilds_of,
)
from canasta_notation.engine.stock import account, agree, judge_deck, overdraw, pair
from canasta_notation.engine.table import STOCK, Table, pile_of, violate
from canasta_notation.engine.turn import too_many_wilds

#: The cards of a side's melds by rank, if they are named.
MeldsByPlace = Mapping[int, Sequence[int]]

#: A seat, a three (or unknown card) that it holds, and the tabled three that it may hold instead.
Exchange = tuple[int, int, int]

_THREES = (*OF_RANK[RED_THREE], *OF_RANK[BLACK_THREE])


def show_melds(
    table: Table, at: int, shown: MeldsByPlace, played: MeldsByPlace
) -> dict[int, list[int]]:
    """Show the melds of a side; `played` are the cards that were laid there in the play.

    Returns the cards of each meld, as the play and the line together name them. Violates
    `end-melds`.
    """
    melds = {}
    for place in sorted({*shown, *played}):
        cards = shown.get(place, ())
        # A label that the rules do not have names no meld.
        held = meld_size(table, at, place) if has_label(table.rules, place) else 0
        if len(cards) != held:
            violate(table, "end-melds", "number", side=at, meld=place, cards=len(cards), held=held)
            continue
        pairs, missing, unmatched = pair(played.get(place, ()), cards)
        if unmatched:
            violate(
                table,
                "end-melds",
                "card",
                side=at,
                meld=place,
                card=unmatched[0],
                card_due=missing[0],
            )
            continue
        melds[place] = pairs
        if unknown_melded(table, at, place):
            _name_melded(table, at, place, pairs)
            _judge_shape(table, at, place)
    return melds


def _name_melded(table: Table, side: int, place: int, cards: list[int]) -> None:
    """Count the cards of a meld again after some of its unwritten cards were named."""
    at = side * table.places + place
    made = kinds(cards)
    table.naturals[at], table.twos[at], table.jokers[at], know(table).unknown_melded[at] = made
    table.meld_points[at] = sum(table.rules.card_points[code] for code in cards)


def _judge_shape(table: Table, at: int, place: int) -> None:
    """Judge a meld of which the play did not name every card."""
    message, count = "naturals", naturals_of(table, at, place) + unknown_melded(table, at, place)
    if KIND[place] >= TWO or meld_size(table, at, place) < MELD_SIZE:
        return
    key = "meld.min_naturals"
    if count >= table.rules.min_naturals:
        message, count = "wilds", wilds_of(table, at, place)
        key = too_many_wilds(table, at, place)
    if key:
        violate(table, "end-melds", message, key, side=at, meld=place, count=count)


def show_threes(table: Table, at: int, cards: Sequence[int]) -> None:
    """Show all the threes that a side has tabled; violates `end-threes`."""
    wrong = [code for code in cards if not is_tabled(table.rules, code)]
    if wrong:
        violate(table, "end-threes", "card", side=at, card=wrong[0])
        return
    # An unknown card is never a red three.
    cards = [BARE[BLACK_THREE] if code == UNKNOWN else code for code in cards]
    tabled = tabled_threes(table, at)
    pairs, missing, more = pair(tabled, cards)
    if missing or len(more) > threes_more(table, at):
        message = "number" if len(tabled) != len(cards) else "other"
        violate(table, "end-threes", message, side=at, cards=len(cards), tabled=len(tabled))
        return
    for code in more:
        account(table, code)
    set_threes(table, at, [*pairs, *more])


def open_exchanges(table: Table, seat: int) -> list[Exchange]:
    """Return the exchanges that turn a tabled three into the one that a seat kept.

    No source says which of its threes a hand keeps. For a hand that is fully written, the colour is
    known; for any other, only that it may have kept one.
    """
    side = table.rules.side_of[seat]
    if table.kept_threes[seat]:
        held = [code for code in _THREES if table.counts[seat * CODES + code] > 0]
    elif threes_less(table, side) and is_vague(table, seat) and unnamed_in(table, seat):
        held = [UNKNOWN]
    else:
        return []
    tabled = [code for code in _THREES if table.threes[side * CODES + code] > 0]
    chosen = table.kept_with[seat]
    return [
        (seat, code, other)
        for code in held
        for other in tabled
        if code == UNKNOWN or (RANK[code] == RANK[other] and code != other and chosen >> other & 1)
    ]


def exchange(table: Table, cards: Exchange) -> None:
    """Put a tabled three into a hand, in the place of the three that it held or an unknown card."""
    seat, held, tabled = cards
    side, place = table.rules.side_of[seat] * CODES, seat * RANKS + RANK[tabled]
    for code, more in ((held, -1), (tabled, 1)):
        if code == UNKNOWN:
            know_hand(table, seat).unknown[seat] += more
            continue
        table.counts[seat * CODES + code] += more
        table.threes[side + code] -= more
        if not EXACT[code]:
            know_hand(table, seat).bare[place] += more


def judge_dealt_threes(table: Table, before: int) -> None:
    """Judge that the stock had a card to replace each three that was dealt unseen.

    `before` is how many threes the play had tabled; every side has shown its threes since. Not
    checked: that every card drawn from the stock was written, if only as unknown. Violates
    `end-threes`.
    """
    sides = range(len(table.rules.sides))
    dealt = sum(len(tabled_threes(table, at)) for at in sides) - before
    dealt = max(0, dealt - know(table).replaced)
    left = table.stock_most - dealt
    if left < 0:
        violate(table, "end-threes", "stock", dealt=dealt, stock=table.stock_most)
    elif left and table.ended == STOCK:
        violate(table, "end-threes", "stock-left", dealt=dealt, stock=left)


def is_tabled(rules: Rules, code: int) -> bool:
    """Return whether a card is tabled under the rules, or may be such a card."""
    return bool(rules.tabled[RANK[code]]) or (code == UNKNOWN and rules.black_tabled)


def show_hand(table: Table, seat: int, cards: Sequence[int], *, rest_unknown: bool) -> None:
    """Show what is left in a hand: cards that arrived there and never left.

    With `rest_unknown`, there may be more cards. Violates `end-hand`, `deck-count`.
    """
    size = table.hand_sizes[seat]
    most = size + loose_cards(table, seat)
    if len(cards) > most or (not rest_unknown and len(cards) < size):
        message = "more" if rest_unknown else "number"
        violate(table, "end-hand", message, seat=seat, cards=len(cards), held=size)
        return
    named = [code for code in cards if code != UNKNOWN]
    # Cards with suits first: a card without one must not use up their copies.
    for code in sorted(named):
        if not can_hold(table, seat, code) or not remove_card(table, seat, code):
            violate(table, "end-hand", "card", seat=seat, card=code)
            return
        if not is_written(table, seat) and deck_lacks(table, code):
            overdraw(table, table, code)
            return
    if not rest_unknown and len(named) == len(cards):
        empty_hand(table, seat)
    for code in named:
        add_card(table, seat, code)


def judge_copies(table: Table, melds: Iterable[MeldsByPlace]) -> None:
    """Compare the known cards on the table, in hands and in the pile with the deck's copies.

    `melds` are those of each side. Violates `deck-count`.
    """
    cards = [code for side in melds for meld in side.values() for code in meld]
    held: list[list[int]] = [[] for _ in table.rules.sides]
    for seat in range(table.rules.players):
        held[table.rules.side_of[seat]] += _surely_held(table, seat)
    for at, of_side in enumerate(held):
        cards += [*of_side, *_surely_tabled(table, at, of_side)]
    cards += [*pile_of(table), *table.special_cards, *table.stock[table.stock_at :]]
    judge_deck(table, sorted(cards))


def _surely_tabled(table: Table, at: int, held: list[int]) -> list[int]:
    """Return the threes that a side has surely tabled, not kept in a hand."""
    threes, less = tabled_threes(table, at), threes_less(table, at)
    for code in set(held):
        # Any of these threes may be the one that was kept.
        alike = sorted((three for three in threes if agree(three, code)), key=code.__ne__)
        for three in alike[: min(less, held.count(code))]:
            threes.remove(three)
    return threes


def _surely_held(table: Table, seat: int) -> list[int]:
    """Return cards that a hand surely holds."""
    if nameless_of(table, seat) or is_vague(table, seat):
        return []
    return known_cards(table, seat)[0]
