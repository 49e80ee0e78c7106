"""Players that choose at random: a seat of a random game, and the player `random`."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from canasta_notation.cards import RANK, RANKS
from canasta_notation.dealing import may_keep_three
from canasta_notation.engine.actions import Action
from canasta_notation.engine.back import take_back
from canasta_notation.engine.hands import hand_counts
from canasta_notation.engine.table import OPEN, YES, Table, copy_table, top_of
from canasta_notation.engine.turn import begin_turn, end_turn
from canasta_notation.players import random_turn
from canasta_notation.players.player import AfterTurn, Player
from canasta_notation.players.random_placed import could_take_placed, play_placed, take_placed
from canasta_notation.players.random_turn import Habits, RandomPlayer, could_take
from canasta_notation.players.searching import end_somehow, take_somehow
from canasta_notation.search.able import able_to_take, must_take

RANDOM: Final = "random"


class RandomSeat:
    """A seat of a random game, in one deal: it has habits, may lurk, and may be prudent.

    A seat that `lurks` lays nothing except to go out concealed, as long as it has laid nothing. A
    `prudent` one begins no meld that it may not finish. `rule` is called for a seat that is about
    to take or draw, because it may first have touched the pile without taking it.
    """

    def __init__(
        self,
        rng: Random,
        habits: Habits,
        lurks: bool,
        prudent: bool,
        rule: Callable[[Table], None],
    ) -> None:
        self.rng = rng
        self.habits = habits
        self.lurks = lurks
        self.prudent = prudent
        self.rule = rule

    def player(self) -> Player:
        """Return the seat as a player."""
        return Player(RANDOM, self._take, self._keeps, self._rest, self._answers)

    def _take(self, table: Table) -> AfterTurn | None:
        seat, empty = table.due, table.stock_most == 0
        wants = self._wants_pile(table, empty)
        if wants or not empty:
            self.rule(table)
        if not wants:
            return None
        begun = copy_table(table)
        begin_turn(begun, seat)
        chooser = self._chooser(table, seat)
        if table.places > RANKS:
            done = take_placed(chooser, begun)
        else:
            done = random_turn.take_pile(chooser, begun)
        if done is None and empty and must_take(table, seat) == YES:
            return _forced(table, seat)
        return done

    def _wants_pile(self, table: Table, empty: bool) -> bool:
        """Return whether the seat takes the pile, because it wants to or because it must."""
        seat = table.due
        if table.pile_size == 0 or table.rules.blockers[RANK[top_of(table)]]:
            return False
        could = could_take_placed if table.places > RANKS else could_take
        if not could(table, seat):
            return False
        keen = 0.1 if self._is_lurking(table, seat) and not empty else 1.0
        # Late in a deal, piles are taken whatever the habits; otherwise every pile would be frozen.
        late = table.stock_most < 2 * table.rules.hand and self.rng.random() < 0.5
        often = 0.6 if empty else 0.95 if late else self.habits.take
        wants = self.rng.random() < often * keen
        if empty and not wants:
            wants = must_take(table, seat) == YES
        return wants and (not empty or able_to_take(table, seat) == YES)

    def _keeps(self, table: Table) -> bool:
        """Return whether a three is kept: surely by a hand in which no rank occurs twice."""
        seat = table.due
        if not may_keep_three(table, seat):
            return False
        ranks = {RANK[code] for code, count in enumerate(hand_counts(table, seat)) if count}
        often = 1.0 if len(ranks) == table.rules.hand else self.habits.keep
        return self.rng.random() < often

    def _rest(self, table: Table) -> AfterTurn:
        if table.ended != OPEN:
            end_turn(table, "")
            return table, []
        chooser = self._chooser(table, table.seat)
        back = random_turn.taken_back(chooser, table)
        if back is not None:
            take_back(table, back.cards)
        play_on = play_placed if table.places > RANKS else random_turn.play_on
        after, actions = play_on(chooser, table)
        return after, actions if back is None else [back, *actions]

    def _answers(self, table: Table, seat: int) -> bool:
        return self.rng.random() < 0.5

    def _chooser(self, table: Table, seat: int) -> RandomPlayer:
        return RandomPlayer(self.rng, self.habits, self._is_lurking(table, seat), self.prudent)

    def _is_lurking(self, table: Table, seat: int) -> bool:
        return self.lurks and not table.melded >> seat & 1


def _forced(table: Table, seat: int) -> AfterTurn | None:
    """Return a turn that takes the pile in any legal way, None if there is none."""
    actions: list[Action] = []
    after = take_somehow(table, seat, actions)
    return None if after is None else (after, actions)


# --- the player by name ---------------------------------------------------------------------------


def random_player(rng: Random) -> Player:
    """Return the player `random`, which has the usual habits and can continue any turn."""
    habits = Habits()

    def take(table: Table) -> AfterTurn | None:
        seat = table.due
        must = table.stock_most == 0 and must_take(table, seat) == YES
        if not must and not (_may_take(table) and rng.random() < habits.take):
            return None
        begun = copy_table(table)
        begin_turn(begun, seat)
        done = random_turn.take_pile(_chooser(rng, habits), begun)
        return _forced(table, seat) if done is None and must else done

    def keeps(table: Table) -> bool:
        return may_keep_three(table, table.due) and rng.random() < habits.keep

    def rest(table: Table) -> AfterTurn:
        play = copy_table(table)
        if play.ended != OPEN:
            end_turn(play, "")
            return play, []
        if play.took or play.laid or play.answer:
            actions: list[Action] = []
            return end_somehow(play, actions), actions
        return random_turn.play_on(_chooser(rng, habits), play)

    def answers(table: Table, seat: int) -> bool:
        return rng.random() < 0.5

    return Player(RANDOM, take, keeps, rest, answers)


def _chooser(rng: Random, habits: Habits) -> RandomPlayer:
    return RandomPlayer(rng, habits, False, rng.random() < habits.prudence)


def _may_take(table: Table) -> bool:
    """Return whether the seat that is due may have the cards to take the pile."""
    if table.pile_size == 0 or table.rules.blockers[RANK[top_of(table)]]:
        return False
    return could_take(table, table.due)
