"""What a stock line says about a deal's up cards and hands that are not written.

A stock line without unwritten cards names the up cards, and shows which threes were dealt. If it is
clear who was dealt them, it is clear which cards replaced them, and so the stock can be followed
card by card. Which other cards an unwritten hand can have is left to counting.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from canasta_notation.cards import BARE, BLACK_THREE, RANK, RED_THREE, UNKNOWN
from canasta_notation.engine.ruleset import Rules
from canasta_notation.notation.document import Deal, HandLine, UpLine


def complete_deal(rules: Rules, dealer: int, deal: Deal) -> Deal:
    """Return the deal with what its stock line says of lines that are missing or not whole.

    A hand gets the threes that are clear, and unknown cards for the rest. A new line has the place
    of the deal line. `dealer` is a seat or -1. Not checked: whether the written lines agree.
    """
    if deal.stock is None or len(deal.stock.cards) != rules.undealt:
        return deal
    stock = deal.stock.cards
    up = _up_line(rules, deal, stock)
    if up is not deal.up:
        deal = replace(deal, up=up)
    missing = open_seats(rules, deal)
    if UNKNOWN in stock or not missing or (rules.up_turned and deal.up is None):
        return deal
    hands = _whole_hands(rules, dealer, deal, missing)
    at = len(deal.up.cards) if deal.up else 0
    for place in range(dealer + 1, dealer + 1 + rules.players) if hands else ():
        seat = rules.seats[place % rules.players]
        if seat in missing:
            written = hands[seat].replacements
            pulled = tuple(_replacements(rules, hands[seat].cards, stock[at:]))
            hands[seat] = replace(hands[seat], replacements=written + pulled[len(written) :])
        at += len(hands[seat].replacements)
    return replace(deal, hands=tuple(hands.values()) or deal.hands)


def open_seats(rules: Rules, deal: Deal) -> list[str]:
    """Return the seats without a hand line that is written whole."""
    whole = {line.seat for line in deal.hands if not line.rest_unknown}
    return [seat for seat in rules.seats if seat not in whole]


def _whole_hands(rules: Rules, dealer: int, deal: Deal, missing: list[str]) -> dict[str, HandLine]:
    """Return the hands by seat, the missing ones filled up with threes and unknown cards.

    Returns {} if it is not clear which threes a hand was dealt, or when they were replaced.
    """
    threes = _threes_left(rules, deal)
    elsewhere = len(missing) > 1 or len(deal.talons) < len(rules.talons)
    unclear = dealer < 0 or rules.three_kept or (threes and elsewhere)
    hands = {line.seat: line for line in deal.hands}
    for seat in missing:
        line = hands.get(seat, HandLine(seat, (), span=deal.span))
        cards = line.cards + threes
        if len(cards) > rules.hand or (unclear and any(rules.tabled[RANK[code]] for code in cards)):
            return {}
        cards += (UNKNOWN,) * (rules.hand - len(cards))
        hands[seat] = replace(line, cards=cards, rest_unknown=False)
    return hands


def _up_line(rules: Rules, deal: Deal, stock: Sequence[int]) -> UpLine | None:
    """Return the up cards, those of the stock line where none is written."""
    if deal.up is not None:
        if UNKNOWN not in deal.up.cards:
            return deal.up
        codes = zip_longest(deal.up.cards, stock[: len(deal.up.cards)], fillvalue=UNKNOWN)
        cards = tuple(other if code == UNKNOWN else code for code, other in codes)
        return replace(deal.up, cards=cards)
    # The first card that need not be covered is the last one turned up.
    for at, code in enumerate(stock if rules.up_turned else ()):
        if code == UNKNOWN:
            break
        if not rules.up_covered[RANK[code]]:
            return UpLine(tuple(stock[: at + 1]), span=deal.span)
    return None


def _threes_left(rules: Rules, deal: Deal) -> tuple[int, ...]:
    """Return, without suits, the threes to be tabled that no line of a deal shows."""
    lines = (*deal.hands, *deal.talons, deal.stock)
    shown = [RANK[code] for line in lines if line for code in line.cards]
    return tuple(
        BARE[rank]
        for rank in (RED_THREE, BLACK_THREE)
        if rules.tabled[rank]
        for _ in range(rules.rank_copies[rank] - shown.count(rank))
    )


def _replacements(rules: Rules, dealt: Sequence[int], stock: Sequence[int]) -> Iterator[int]:
    """Yield the cards that replace the threes of a hand, and the threes among these cards."""
    due = sum(rules.tabled[RANK[code]] for code in dealt)
    for code in stock:
        if due == 0:
            return
        due += rules.tabled[RANK[code]] - 1
        yield code
