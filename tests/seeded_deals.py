"""Deals by a seed on the engine's table, and their scores, to compare players."""

from __future__ import annotations

from random import Random

from canasta_notation.dealing import deal_pack, lay_out, new_pack
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import item_points
from canasta_notation.engine.table import Table


def deal_table(rules: Rules, dealer: int, totals: list[int], seed: str) -> Table:
    """Return a table before the first turn, dealt by a seed; the stock is written."""
    pack = new_pack(rules)
    Random(seed).shuffle(pack)
    return lay_out(rules, deal_pack(rules, dealer, pack), totals, 1, written=True)


def scores_of(table: Table) -> list[int]:
    """Return the score of each side."""
    return [sum(item_points(table, at).values()) for at in range(len(table.rules.sides))]
