"""The cards of a deal: dealt from a shuffled pack, then put on the engine's table.

A pack is a list of card codes in the order in which they are dealt: each seat's hand, the talons,
then the stock in the order in which its cards leave it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from canasta_notation.arrays import array
from canasta_notation.cards import RANK
from canasta_notation.engine.deal import (
    begin_play,
    deal_hand,
    match_stock,
    set_stock,
    set_talon,
    turn_up,
)
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.table import Table

Codes = tuple[int, ...]
#: Takes the next card off the stock.
Pull = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal before its first turn, with every card known.

    `stock` is the stock line: the up cards, the replacements starting at the dealer's left, the
    draws; `start` of its cards have left it. Hands are as dealt; hands and talons are sorted.
    """

    dealer: int
    hands: tuple[Codes, ...]
    replacements: tuple[Codes, ...]
    up: Codes
    stock: Codes
    talons: tuple[Codes, ...]
    start: int


def new_pack(rules: Rules) -> list[int]:
    """Return every card of the game, in canonical order."""
    return [code for code, copies in enumerate(rules.exact_copies) for _ in range(copies)]


def stock_start(rules: Rules) -> int:
    """Return the place in a pack where the stock begins."""
    return rules.players * rules.hand + sum(rules.talons)


def seats_from(rules: Rules, dealer: int) -> list[int]:
    """Return the seats in the order in which they replace their threes, the dealer last."""
    return [(dealer + 1 + turn) % rules.players for turn in range(rules.players)]


def deal_pack(rules: Rules, dealer: int, pack: Sequence[int], keep: Collection[int] = ()) -> Dealt:
    """Return the deal of a pack; the seats in `keep` keep one dealt three if the rules allow it.

    Not checked: that the pack has the cards of the deck.
    """
    sizes = [rules.hand] * rules.players + [*rules.talons]
    parts: list[Codes] = []
    start = 0
    for size in sizes:
        parts.append(tuple(sorted(pack[start : start + size])))
        start += size
    hands = tuple(parts[: rules.players])
    stock = tuple(pack[start:])
    pull = iter(stock).__next__
    up = pull_up_cards(rules, pull)
    pulled = {
        seat: pull_replacements(rules, hands[seat], seat in keep, pull)
        for seat in seats_from(rules, dealer)
    }
    replacements = tuple([pulled[seat] for seat in range(rules.players)])
    gone = len(up) + sum(map(len, replacements))
    return Dealt(dealer, hands, replacements, up, stock, tuple(parts[rules.players :]), gone)


def pull_up_cards(rules: Rules, pull: Pull) -> Codes:
    """Return the cards turned up, if one is: each is covered until one may stay on top."""
    up: list[int] = []
    while rules.up_turned and (not up or rules.up_covered[RANK[up[-1]]]):
        up.append(pull())
    return tuple(up)


def pull_replacements(rules: Rules, hand: Codes, keeps: bool, pull: Pull) -> Codes:
    """Return the replacements of a hand's threes, and of the threes among them.

    If the seat keeps a three and the rules allow it, one is not replaced.
    """
    due = sum(rules.tabled[RANK[code]] for code in hand)
    due -= 1 if due and rules.three_kept and keeps else 0
    cards: list[int] = []
    while len(cards) < due:
        cards.append(pull())
        due += rules.tabled[RANK[cards[-1]]]
    return tuple(cards)


def lay_out(rules: Rules, dealt: Dealt, totals: list[int], *, written: bool = False) -> Table:
    """Return the table before the first turn; its violations are those of the deal.

    `totals` are the sides' points before the deal. If `written`, the table knows the stock.
    """
    table = Table(rules, dealt.dealer, totals, has_stock=written)
    for seat in seats_from(rules, dealt.dealer):
        deal_hand(table, seat, array(dealt.hands[seat]), False, array(dealt.replacements[seat]))
    if rules.up_turned:
        turn_up(table, array(dealt.up))
    if written:
        set_stock(table, array(dealt.stock))
        match_stock(table, array(dealt.stock[: dealt.start]))
    for talon in dealt.talons:
        set_talon(table, list(talon))
    begin_play(table)
    return table
