"""Deals between players on the engine's table alone: dealt by a seed, played, scored.

Nothing is written down, so this is the fast way to compare players.
"""

from __future__ import annotations

from random import Random

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
from canasta_notation.engine.scoring import Sheet, write_score
from canasta_notation.engine.table import OPEN, Table
from canasta_notation.players.figures import Figures
from canasta_notation.players.seat_turn import play_turn

#: More turns than any deal has: a player that goes on forever is a bug.
_MOST_TURNS = 2_000


def deal_table(rules: Rules, dealer: int, totals: list[int], seed: str) -> Table:
    """Return a table before the first turn, dealt by a seed; the stock is written."""
    pack = [code for code, copies in enumerate(rules.exact_copies) for _ in range(copies)]
    Random(seed).shuffle(pack)
    table = Table(rules, dealer, totals, has_stock=True)
    start = rules.players * rules.hand
    talons = []
    for size in rules.talons:
        talons.append(pack[start : start + size])
        start += size
    stock = pack[start:]
    left: list[int] = []
    while rules.up_turned and (not left or rules.up_covered[RANK[left[-1]]]):
        left.append(stock[len(left)])
    ups = len(left)
    for turn in range(rules.players):
        seat = (dealer + 1 + turn) % rules.players
        hand = pack[seat * rules.hand : (seat + 1) * rules.hand]
        threes = sum(rules.tabled[RANK[code]] for code in hand)
        given: list[int] = []
        while len(given) < threes:
            given.append(stock[len(left) + len(given)])
            threes += rules.tabled[RANK[given[-1]]]
        left += given
        deal_hand(table, seat, array(hand), False, array(given))
    if rules.up_turned:
        turn_up(table, array(left[:ups]))
    set_stock(table, array(stock))
    match_stock(table, array(left))
    for talon in talons:
        set_talon(table, talon)
    begin_play(table)
    return table


def play_deal(table: Table, players: list[Figures]) -> Table:
    """Play a deal to its end, each seat by its figures; return the table at the end.

    Raises RuntimeError if a play is illegal, which would be a bug.
    """
    while table.ended == OPEN:
        table = play_turn(table, players[table.due])
        if table.violations:
            first = table.violations[0]
            raise RuntimeError(f"a play was illegal: {first.code} ({first.message})")
        if table.turns > _MOST_TURNS:
            raise RuntimeError("the deal does not end")
    return table


def scores_of(table: Table) -> list[int]:
    """Return the score of each side."""
    scores: list[int] = []
    for side in range(len(table.rules.sides)):
        sheet = Sheet()
        write_score(table, side, sheet)
        scores.append(sheet.total())
    return scores
