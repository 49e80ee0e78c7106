"""Compare the players of Samba and Bolivia with those before them.

`python -m tests.old_placed_matches PROFILE DEALS [PLAYER]`
"""

from __future__ import annotations

import sys

from canasta_notation.engine.deal import end_deal
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.table import OPEN, STOCK, Table
from canasta_notation.engine.turn import begin_turn
from canasta_notation.players.figures import Figures, figures_of
from canasta_notation.players.matches import check_legal
from canasta_notation.players.seat_turn import draw_due, play_turn
from canasta_notation.players.specials import keeps_three
from canasta_notation.rules import load_profile
from canasta_notation.search.able import stock_over
from tests.bench.matches import interval, margins
from tests.old_placed import play_on_placed, take_pile_placed


def old_turn(table: Table, figures: Figures) -> Table:
    """Play a turn of the old player; see `seat_turn.play_turn`."""
    if table.pile_size or table.stock_most == 0:
        after = take_pile_placed(table, figures, None)
        if after is not None:
            return after
        if table.stock_most == 0:
            end_deal(table, STOCK, -1, stock_over(table))
            return table
    begin_turn(table, table.due)
    draw_due(table, keeps_three(table, figures, table.seat))
    return play_on_placed(table, figures, None)


def main(name: str, deals: int, player: str = "careful") -> None:
    """Print by how much the new player is better."""
    profile = load_profile(name)
    rules, figures = rules_of(profile), figures_of(player, profile)

    def play(table: Table, at: int) -> Table:
        while table.ended == OPEN:
            new = rules.side_of[table.due] == at
            table = play_turn(table, figures) if new else old_turn(table, figures)
            check_legal(table)
        return table

    print(name, player, "new over old:", interval(margins(profile, play, deals)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
