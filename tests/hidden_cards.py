"""Whether a player looks at hidden cards: it must play the same after they are dealt again.

`python -m tests.hidden_cards [TURNS]` compares at least this many turns over all profiles (15,000
by default, a tenth of them of `rollout`) and prints how many differed.
"""

from __future__ import annotations

import sys
from itertools import takewhile
from random import Random

from canasta_notation.arrays import array
from canasta_notation.cards import CODES, RANK
from canasta_notation.dealing import draw_due
from canasta_notation.engine.actions import Action, TakePacket
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.table import OPEN, Table, copy_table
from canasta_notation.engine.turn import begin_turn
from canasta_notation.players.figures import Figures, figures_of
from canasta_notation.players.player import Player
from canasta_notation.players.seat_turn import play_turn
from canasta_notation.players.seated import player_of
from canasta_notation.rules import load_profile, profile_names
from tests.seeded_deals import deal_table


def with_other_cards(table: Table, seat: int, rng: Random) -> Table:
    """Return the table with the cards of other hands, of feet and of the stock dealt again.

    Threes that are tabled stay in the stock, or in the hand that keeps them. The talons stay.
    """
    other = copy_table(table)
    tabled = table.rules.tabled
    stock = list(other.stock[other.stock_at :])
    hidden: list[int] = []
    taken: list[tuple[int, int]] = []
    for hand in range(table.rules.players):
        if hand == seat:
            continue
        own: list[int] = []
        for code in range(CODES):
            at = hand * CODES + code
            if not tabled[RANK[code]]:
                own += [code] * other.counts[at]
                other.counts[at] = 0
        hidden += own
        taken.append((hand, len(own)))
    feet = _feet(table)
    for at in feet:
        hidden += table.packets[at]
    free = [code for code in stock if not tabled[RANK[code]]] + hidden
    rng.shuffle(free)
    for hand, size in taken:
        for code in free[:size]:
            other.counts[hand * CODES + code] += 1
        free = free[size:]
    packets = list(table.packets)
    for at in feet:
        size = len(packets[at])
        packets[at], free = free[:size], free[size:]
    other.packets = tuple(packets)
    rest = free + [code for code in stock if tabled[RANK[code]]]
    rng.shuffle(rest)
    other.stock = array([*other.stock[: other.stock_at], *rest])
    return other


def _feet(table: Table) -> list[int]:
    """Return the packets on the table that nobody has picked up, and whose cards nobody knows."""
    rules = table.rules
    every = range(len(rules.packets) if rules.packet_early else 0)
    return [at for at in every if not table.packets_gone >> at & 1]


def differing_turns(
    table: Table, player: Player, careful: Figures, rng: Random, most: int
) -> tuple[int, int]:
    """Play a deal of `careful`; return how many turns of a player were compared, and differed.

    After `most` turns, the rest of the deal is skipped.
    """
    turns = differed = 0
    while table.ended == OPEN and turns < most:
        seat = table.due
        logs: list[list[Action]] = []
        for each in (table, with_other_cards(table, seat, rng)):
            turn = player.take(each)
            if turn is None and table.stock_most:
                begun = copy_table(table)
                begin_turn(begun, seat)
                draw_due(begun, player.keeps(begun))
                if each is not table:
                    begun = with_other_cards(begun, seat, rng)
                turn = player.rest(begun)
            logs.append(_without_packet(table, turn[1]) if turn else [])
        turns += 1
        differed += logs[0] != logs[1]
        table = play_turn(table, careful)
    return turns, differed


def _without_packet(table: Table, actions: list[Action]) -> list[Action]:
    """Return the actions before a foot, and those besides a talon drawn from the stock.

    These have other cards.
    """
    if table.rules.packet_early:
        return [*takewhile(lambda each: not isinstance(each, TakePacket), actions)]
    hidden = TakePacket if table.rules.packet_drawn else ()
    return [each for each in actions if not isinstance(each, hidden)]


def compare(name: str, profile: str, turns: int, seed: int = 1) -> tuple[int, int]:
    """Play deals of a profile until enough turns are compared; return both counts."""
    rules = rules_of(load_profile(profile))
    player = player_of(name, load_profile(profile), "hidden")
    careful = figures_of("careful", load_profile(profile))
    rng = Random(seed)
    compared = differed = deals = 0
    while compared < turns:
        table = deal_table(rules, deals % rules.players, [0] * len(rules.sides), f"{seed} {deals}")
        more, wrong = differing_turns(table, player, careful, rng, turns - compared)
        compared, differed, deals = compared + more, differed + wrong, deals + 1
    return compared, differed


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 15_000
    for each in ("greedy", "careful", "rollout"):
        for name in profile_names():
            less = 10 if each == "rollout" else 1
            found = compare(each, name, wanted // len(profile_names()) // less + 1)
            print(f"{each} {name}: {found[0]} turns, {found[1]} differed")
