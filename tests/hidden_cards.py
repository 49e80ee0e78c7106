"""Whether a player looks at hidden cards: it must play the same after they are dealt again.

`python -m tests.hidden_cards [TURNS]` compares at least so many turns over all profiles (15,000 by
default) and prints how many differed.
"""

from __future__ import annotations

import sys
from random import Random

from canasta_notation.arrays import array
from canasta_notation.cards import CODES, RANK
from canasta_notation.engine.actions import Action
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.table import OPEN, Table, copy_table
from canasta_notation.engine.turn import begin_turn
from canasta_notation.players.figures import Figures, figures_of
from canasta_notation.players.matches import deal_table
from canasta_notation.players.seat_turn import draw_due, play_on, play_turn, take_pile
from canasta_notation.players.specials import keeps_three
from canasta_notation.rules import load_profile, profile_names


def with_other_cards(table: Table, seat: int, rng: Random) -> Table:
    """Return the table with the cards of other hands and of the stock dealt again.

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
    free = [code for code in stock if not tabled[RANK[code]]] + hidden
    rng.shuffle(free)
    for hand, size in taken:
        for code in free[:size]:
            other.counts[hand * CODES + code] += 1
        free = free[size:]
    rest = free + [code for code in stock if tabled[RANK[code]]]
    rng.shuffle(rest)
    other.stock = array([*other.stock[: other.stock_at], *rest])
    return other


def differing_turns(table: Table, players: list[Figures], rng: Random) -> tuple[int, int]:
    """Play a deal; return how many turns were compared, and how many differed."""
    turns = differed = 0
    while table.ended == OPEN:
        seat = table.due
        figures = players[seat]
        logs: list[list[Action]] = [[], []]
        for log, each in zip(logs, (table, with_other_cards(table, seat, rng)), strict=True):
            after = take_pile(copy_table(each), figures, log)
            if after is None and table.stock_most:
                begun = copy_table(table)
                begin_turn(begun, seat)
                draw_due(begun, keeps_three(begun, figures, seat))
                if each is not table:
                    begun = with_other_cards(begun, seat, rng)
                play_on(begun, figures, log)
        turns += 1
        differed += logs[0] != logs[1]
        table = play_turn(table, figures)
    return turns, differed


def compare(name: str, profile: str, turns: int, seed: int = 1) -> tuple[int, int]:
    """Play deals of a profile until so many turns are compared; return both counts."""
    rules = rules_of(load_profile(profile))
    players = [figures_of(name, load_profile(profile))] * rules.players
    rng = Random(seed)
    compared = differed = deals = 0
    while compared < turns:
        table = deal_table(rules, deals % rules.players, [0] * len(rules.sides), f"{seed} {deals}")
        more, wrong = differing_turns(table, players, rng)
        compared, differed, deals = compared + more, differed + wrong, deals + 1
    return compared, differed


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 15_000
    for each in ("greedy", "careful"):
        for name in profile_names():
            found = compare(each, name, wanted // len(profile_names()) + 1)
            print(f"{each} {name}: {found[0]} turns, {found[1]} differed")
