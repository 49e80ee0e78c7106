"""Players by name, in the form for everyone outside: a turn as a table and its actions.

A player never changes the table that it is given. Its choices depend on nothing but what the seat
that is due, or whose turn it is, can see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from canasta_notation.cards import RANK
from canasta_notation.dealing import may_keep_three
from canasta_notation.engine.actions import Action, Draw, TableThrees
from canasta_notation.engine.scoring import hand_points
from canasta_notation.engine.table import OPEN, YES, Table, copy_table, top_of
from canasta_notation.engine.turn import begin_turn, end_turn
from canasta_notation.notation.document import Game, Tag
from canasta_notation.players import random_turn
from canasta_notation.players.figures import CAREFUL, GREEDY, Figures, figures_of
from canasta_notation.players.random_game import DEAL_LIMIT, play_game
from canasta_notation.players.random_turn import Habits, RandomPlayer, could_take
from canasta_notation.players.searching import end_somehow, take_somehow
from canasta_notation.players.seat_turn import play_on, take_pile
from canasta_notation.players.specials import keeps_three
from canasta_notation.players.thinking import Thinker
from canasta_notation.rules import Profile
from canasta_notation.search.able import must_take

#: The table after a turn, and the actions of the turn.
Turn = tuple[Table, list[Action]]
RANDOM: Final = "random"
ROLLOUT: Final = "rollout"
#: The names of the players, from the weakest.
PLAYERS: Final = (RANDOM, GREEDY, CAREFUL, ROLLOUT)


@dataclass(frozen=True, slots=True)
class Player:
    """A player by its choices, each a function of a table.

    `take` returns a turn that takes the pile, or None to draw (or to leave the pile, if the stock
    is empty); the turn must not have begun, except by tabling threes. `keeps` says before the draw
    whether the player keeps a three that it draws, if it may. `rest` returns the rest of a turn
    that has begun with the draw. `answers` is what a seat answers if its partner asks whether to go
    out.
    """

    name: str
    take: Callable[[Table], Turn | None]
    keeps: Callable[[Table], bool]
    rest: Callable[[Table], Turn]
    answers: Callable[[Table, int], bool]

    def turn(
        self,
        table: Table,
        draw: Callable[[Table, bool], Draw],
        table_late: Callable[[Table], TableThrees | None],
    ) -> Turn | None:
        """Return a whole turn of the seat that is due; None if the empty stock ends the deal.

        `table_late` begins the turn by tabling the threes that it must table, if there are any, and
        `draw` draws the cards due at a table whose turn has begun, and may keep a three.
        """
        begun = copy_table(table)
        late = table_late(begun)
        first: list[Action] = [] if late is None else [late]
        if begun.ended != OPEN:
            end_turn(begun, "")
            return begun, first
        if begun.last_three:
            after, actions = self.rest(begun)
            return after, [*first, *actions]
        taken = self.take(begun)
        if taken is not None:
            return taken[0], [*first, *taken[1]]
        if begun.stock_most == 0:
            if not first:
                return None
            end_turn(begun, "")
            return begun, first
        keeps = self.keeps(begun)
        begin_turn(begun, begun.due)
        drawn = draw(begun, keeps)
        after, actions = self.rest(begun)
        return after, [*first, drawn, *actions]


def player_of(name: str, profile: Profile, seed: str = "") -> Player:
    """Return a player by name for the rules of a profile.

    `seed` decides what `random` does, and the samples of `rollout`.

    Raises ValueError for a name that is not in `PLAYERS`.
    """
    if name == RANDOM:
        return _random_player(Random(f"{profile.text} {seed}"))
    if name not in PLAYERS:
        raise ValueError(f"no player {name!r}: the players are {', '.join(PLAYERS)}")
    if name == ROLLOUT:
        return _thinking_player(Thinker(figures_of(CAREFUL, profile), seed))
    return _figured_player(name, figures_of(name, profile))


def players_of(
    players: str | Mapping[str, str], profile: Profile, seed: str = ""
) -> tuple[Player, ...]:
    """Return a player for each seat: from one name, a name for each seat with commas, or a mapping.

    Raises ValueError for a name that is not a player, and unless there is one name, or one for each
    seat.
    """
    seats = profile.seats
    if isinstance(players, str):
        names = players.split(",")
        names = names * len(seats) if len(names) == 1 else names
    else:
        names = [players[seat] for seat in seats if seat in players]
        unseated = [seat for seat in players if seat not in list(seats)]
        if unseated:
            raise ValueError(f"no seat {unseated[0]!r}: the seats are {' '.join(seats)}")
    if len(names) != len(seats):
        raise ValueError(
            f"give one player, or one for each of the {len(seats)} seats "
            f"({' '.join(seats)}), not {len(names)}"
        )
    return tuple(
        player_of(name.strip(), profile, f"{seed} {seat}")
        for seat, name in zip(seats, names, strict=True)
    )


def play_named_game(profile: Profile, seed: int, players: str, deals: int = DEAL_LIMIT) -> Game:
    """Return a game between players by name, whose record names them; see `players_of`.

    A game of random players alone is that of `play_game`. Raises ValueError as `players_of` does.
    """
    seated = players_of(players, profile, str(seed))
    if all(player.name == RANDOM for player in seated):
        return play_game(profile, seed, deals=deals)
    game = play_game(profile, seed, deals=deals, choosers=[player.turn for player in seated])
    named = zip(profile.seats, seated, strict=True)
    tags = [Tag("Event", f"game {seed}") if tag.name == "Event" else tag for tag in game.tags]
    return replace(game, tags=(*tags, *(Tag(seat, player.name) for seat, player in named)))


# --- players that choose by figures ---------------------------------------------------------------


def _figured_player(name: str, figures: Figures) -> Player:
    def take(table: Table) -> Turn | None:
        actions: list[Action] = []
        after = take_pile(copy_table(table), figures, actions)
        return None if after is None else (after, actions)

    def keeps(table: Table) -> bool:
        return keeps_three(table, figures, table.due)

    def rest(table: Table) -> Turn:
        actions: list[Action] = []
        if table.waiting or table.answer:
            # A pile that was taken, or an answer, binds the rest of the turn.
            return end_somehow(copy_table(table), actions), actions
        return play_on(copy_table(table), figures, actions), actions

    return Player(name, take, keeps, rest, _lets_out)


def _lets_out(table: Table, seat: int) -> bool:
    """Return whether the cards of the seat's hand cost less than going out brings."""
    return -hand_points(table, seat) < table.rules.score_out


def _thinking_player(thinker: Thinker) -> Player:
    careful = _figured_player(CAREFUL, thinker.figures)

    def rest(table: Table) -> Turn:
        bound = table.waiting or table.answer
        return careful.rest(table) if bound else thinker.rest(table)

    return Player(ROLLOUT, thinker.take, careful.keeps, rest, careful.answers)


# --- the random player ----------------------------------------------------------------------------


def _random_player(rng: Random) -> Player:
    habits = Habits()

    def take(table: Table) -> Turn | None:
        seat = table.due
        must = table.stock_most == 0 and must_take(table, seat) == YES
        if not must and not (_may_take(table) and rng.random() < habits.take):
            return None
        begun = copy_table(table)
        begin_turn(begun, seat)
        done = random_turn.take_pile(_chooser(rng, habits), begun)
        if done is None and must:
            actions: list[Action] = []
            after = take_somehow(table, seat, actions)
            return None if after is None else (after, actions)
        return done

    def keeps(table: Table) -> bool:
        return may_keep_three(table, table.due) and rng.random() < habits.keep

    def rest(table: Table) -> Turn:
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
