"""Deals between players on the engine's table alone: dealt by a seed, played, scored.

Nothing is written down, so this is the fast way to compare players.
"""

from __future__ import annotations

from random import Random
from typing import Final

from canasta_notation.dealing import deal_pack, lay_out, new_pack
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import ItemSums, write_score
from canasta_notation.engine.table import OPEN, Table
from canasta_notation.players.figures import Figures
from canasta_notation.players.seat_turn import play_turn

#: More turns than any deal has: a player that goes on forever is a bug.
_MOST_TURNS: Final = 2_000


def deal_table(rules: Rules, dealer: int, totals: list[int], seed: str) -> Table:
    """Return a table before the first turn, dealt by a seed; the stock is written."""
    pack = new_pack(rules)
    Random(seed).shuffle(pack)
    return lay_out(rules, deal_pack(rules, dealer, pack), totals, written=True)


def play_deal(table: Table, players: list[Figures]) -> Table:
    """Play a deal to its end, each seat by its figures; return the table at the end.

    Raises RuntimeError if a play is illegal, which would be a bug.
    """
    while table.ended == OPEN:
        table = play_turn(table, players[table.due])
        check_legal(table)
        if table.turn > _MOST_TURNS:
            raise RuntimeError("the deal does not end")
    return table


def check_legal(table: Table) -> None:
    """Raise RuntimeError if a play was illegal."""
    if table.violations:
        first = table.violations[0]
        raise RuntimeError(f"a play was illegal: {first.code} ({first.message})")


def scores_of(table: Table) -> list[int]:
    """Return the score of each side."""
    scores: list[int] = []
    for side in range(len(table.rules.sides)):
        sums = ItemSums()
        write_score(table, side, sums)
        scores.append(sums.total())
    return scores
