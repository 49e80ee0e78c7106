"""What the play of a deal has shown to everyone: cards in the hands, and the cards of the melds.

Code that plays turns calls `show_deal` once the cards are dealt, and `show_turn` after each turn.
Copies of the table share the value, because a turn makes a new one.
"""

from __future__ import annotations

from collections.abc import Sequence

from canasta_notation.arrays import array, zeros
from canasta_notation.cards import CODES, RANK
from canasta_notation.counts import i64, vec
from canasta_notation.engine.actions import Action, Discard, Lay, TakeBack
from canasta_notation.engine.table import Shown, Table, pile_of
from canasta_notation.engine.take import staying


def show_deal(table: Table) -> None:
    """Begin with a table as dealt."""
    table.shown = Shown(zeros(table.rules.players * CODES), zeros(CODES), array(pile_of(table)))


def show_turn(table: Table, actions: Sequence[Action]) -> None:
    """Note what a turn that has ended showed, if the table keeps this.

    A card that may be one of those shown counts as played from them.
    """
    before = table.shown
    if before is None:
        return
    hands, melds, base = before.hands, before.melds, table.seat * CODES
    if table.took:
        hands, melds = hands[:], melds[:]
        size = len(before.pile)
        under = size if table.taken.freely else max(0, size - 1)
        stays = under if table.taken.alone else staying(table.rules, size - 1)
        for at in range(stays, under):
            code = before.pile[at]
            if not table.rules.tabled[RANK[code]]:
                hands[base + code] += 1
        if under < size:
            melds[before.pile[under]] += 1
    for action in actions:
        if isinstance(action, Lay):
            melds = melds[:]
            for code in action.cards:
                melds[code] += 1
                hands = _less(hands, base + code)
        elif isinstance(action, TakeBack):
            hands = hands[:]
            for code in action.cards:
                hands[base + code] = max(hands[base + code], action.cards.count(code))
        elif isinstance(action, Discard):
            hands = _less(hands, base + action.card)
    table.shown = Shown(hands, melds, table.piled[: table.pile_size])


def _less(hands: vec[i64], at: i64) -> vec[i64]:
    """Return the cards shown without one that was played from them, if one was."""
    if not hands[at]:
        return hands
    hands = hands[:]
    hands[at] -= 1
    return hands


def known_in(table: Table, seat: int) -> vec[i64]:
    """Return how many cards of each code everyone knows to be in a hand."""
    shown = table.shown
    return zeros(CODES) if shown is None else shown.hands[seat * CODES : seat * CODES + CODES]
