"""The account of the cards: what leaves the stock and the deck, and threes on the table."""

from __future__ import annotations

from itertools import zip_longest

from canasta_notation.cards import BARE, BLACK_THREE, CODES, JOKER_RANK, RANK, RED_THREE, UNKNOWN
from canasta_notation.counts import i64, vec
from canasta_notation.engine.knowledge import (
    count_accounted,
    count_unseen,
    is_overdrawn,
    leave_deck,
    refine,
    unnamed_cards,
)
from canasta_notation.engine.table import Table, doubt, lose, violate


def pull(table: Table, code: i64) -> i64:
    """Move a card off the stock and return it, as the stock line names it if that says more.

    Violates `stock-order` and `deck-count`; the stock's own count is checked by the caller.
    """
    table.stock_most -= 1
    table.stock_fewest = max(0, table.stock_fewest - 1)
    if not table.has_stock:
        account(table, code)
        if code == UNKNOWN:
            doubt(table, "deck-count")
        return code
    expected = table.stock[table.stock_at] if table.stock_at < len(table.stock) else UNKNOWN
    table.stock_at += 1
    if expected == UNKNOWN:
        account(table, code)
        return code
    finer = code != expected and expected == BARE[RANK[code]]
    if finer and not refine(table, expected, code):
        miscount(table, code)
    if not agree(code, expected):
        violate(table, "stock-order", "other", card=code, card_due=expected)
        lose(table)
        return code
    return expected if code in (UNKNOWN, BARE[RANK[expected]]) else code


def account(table: Table, code: i64) -> None:
    """Account for a card that left the deck; violates `deck-count`."""
    if not leave_deck(table, code):
        miscount(table, code)


def miscount(table: Table, code: i64) -> None:
    """Report a card that the deck cannot have, unless the deal is unknowable already."""
    if table.knowable:
        overcount(table, code)


def overcount(table: Table, code: i64) -> None:
    """Report a card that the deck has no further copy of; the deal is unknowable from here."""
    overdraw(table, table, code)


def overdraw(table: Table, counted: Table, code: i64) -> None:
    """Report a card that the deck, as `counted`, has no further copy of; see `overcount`."""
    rank = RANK[code]
    copies, of_rank = table.rules.copies[code], table.rules.rank_copies[rank]
    key = "deck.jokers" if rank == JOKER_RANK else "deck.packs"
    if code != UNKNOWN and count_accounted(counted, rank) > of_rank:
        violate(table, "deck-count", "rank", key, rank=rank, copies=of_rank)
    elif code != UNKNOWN and is_overdrawn(counted, code):
        violate(table, "deck-count", "card", key, card=code, copies=copies)
    else:
        places = unnamed_cards(counted)
        violate(table, "deck-count", "places", key, places=places)
    lose(table)


def table_three(table: Table, seat: i64, code: i64) -> None:
    """Put a three on the table before the seat's side."""
    table.threes[table.rules.side_of[seat] * CODES + code] += 1


def not_due(table: Table, cards: vec[i64], count: i64, due: i64) -> i64:
    """Return the place of the first of `count` cards from the stock that is not due, or -1.

    `due` cards are due; a three that is tabled makes one more due, which can only come after it.
    """
    tabled = table.rules.tabled
    for at in range(count):
        if due == 0:
            return at
        due += tabled[RANK[cards[at]]] - 1
    return -1


def unseen_threes(table: Table) -> i64:
    """Return how many threes that must be tabled are not accounted for."""
    ranks = (RED_THREE, BLACK_THREE) if table.rules.black_tabled else (RED_THREE,)
    return sum(count_unseen(table, rank) for rank in ranks)


def agree(code: i64, other: i64) -> bool:
    """Return whether two spellings can be of one card; an unknown card is never a red three."""
    if code == other:
        return True
    if code == UNKNOWN or other == UNKNOWN:
        return RED_THREE not in (RANK[code], RANK[other])
    return RANK[code] == RANK[other] and BARE[RANK[code]] in (code, other)


def specify(codes: tuple[int, ...], expected: list[int]) -> list[int]:
    """Return cards as a second list of them names them if that says more."""
    return [
        other
        if code in (UNKNOWN, BARE[RANK[other]]) and agree(code, other) and other != UNKNOWN
        else code
        for code, other in zip_longest(codes, expected[: len(codes)], fillvalue=UNKNOWN)
    ]
