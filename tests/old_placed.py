"""How the players play where a side may have sequences, or several melds of a rank.

The figures count by rank, which does not suffice there. So a player by figures lays as the random
player of `generate.placing` does, but always what it can, sequences first. Its figures say whether
it lays every wild card, which piles are large enough to take, and what it discards. What it does
depends only on the turn and on what its seat can see.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

from canasta_notation.cards import BLACK_THREE, CANASTA_SIZE, CODES, FIRST_OF, RANK, TWO
from canasta_notation.engine.actions import Action
from canasta_notation.engine.side import joins_sequence, opening_met
from canasta_notation.engine.table import OPEN, YES, Table, copy_table, top_of
from canasta_notation.engine.take import frozen_for
from canasta_notation.engine.turn import begin_turn, end_turn
from canasta_notation.generate.choosing import Habits, RandomPlayer
from canasta_notation.generate.placing import could_take_placed, play_placed, take_placed
from canasta_notation.players.discarding import choose_discard
from canasta_notation.players.figures import Figures
from canasta_notation.players.searching import end_somehow, take_somehow
from canasta_notation.players.sight import is_late, own_hand
from canasta_notation.search.able import must_take

_CAREFUL: Final = Habits(
    take=1.0, open=1.0, meld=1.0, wilds=0.3, out=1.0, ask=0.0, lurk=0.0, freeze=0.0, care=1.0
)
_GREEDY: Final = Habits(
    take=1.0, open=1.0, meld=1.0, wilds=1.0, out=1.0, ask=0.0, lurk=0.0, freeze=0.0, care=0.5
)


def take_pile_placed(table: Table, figures: Figures, log: list[Action] | None) -> Table | None:
    """Play a turn that takes the pile if the player can; see `seat_turn.take_pile`."""
    seat = table.due
    must = table.stock_most == 0 and must_take(table, seat) == YES
    large = table.pile_size >= max(1, figures.least_pile_pair)
    open_top = large and not table.rules.blockers[RANK[top_of(table)]]
    if not must and not (open_top and could_take_placed(table, seat)):
        return None
    begun = copy_table(table)
    begin_turn(begun, seat)
    done = take_placed(_player(table, seat, figures), begun)
    if done is None:
        return take_somehow(table, seat, log) if must else None
    if log is not None:
        log.extend(done[1])
    return done[0]


def play_on_placed(table: Table, figures: Figures, log: list[Action] | None) -> Table:
    """Play the rest of a turn that began with a draw; see `seat_turn.play_on`."""
    if table.ended != OPEN:
        end_turn(table, "")
        return table
    if table.laid and not opening_met(table):
        # The turn has laid a part of an opening.
        return end_somehow(table, log)
    after, actions = play_placed(_player(table, table.seat, figures), table)
    if log is not None:
        log.extend(actions)
    return after


def _player(table: Table, seat: int, figures: Figures) -> RandomPlayer:
    rng = Random(f"{table.turn} {seat}")
    if figures.open_wilds >= CANASTA_SIZE:
        return RandomPlayer(rng, _GREEDY, False, True)
    return RandomPlayer(rng, _CAREFUL, False, True, partial(_discard, figures))


def _discard(figures: Figures, table: Table) -> int:
    """Return the card to discard: the best by the figures that the next seat's sequences leave."""
    seat, rules = table.seat, table.rules
    held, late = own_hand(table, seat), is_late(table, seat, figures)
    best = card = choose_discard(table, figures, held, late)
    side = rules.side_of[rules.next_seat[seat]]
    if not rules.onto_sequence or frozen_for(table, side) == YES:
        return best
    counts = table.counts
    while True:
        rank = RANK[card]
        for code in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
            if counts[seat * CODES + code] and not joins_sequence(table, side, code):
                return code
        held[rank] = 0
        if not any(held[other] for other in range(BLACK_THREE, TWO)):
            return best
        card = choose_discard(table, figures, held, late)
