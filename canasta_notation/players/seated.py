"""Players by name, and games between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Final

from canasta_notation.engine.actions import Action
from canasta_notation.engine.scoring import hand_points
from canasta_notation.engine.table import Table, copy_table
from canasta_notation.names import named_seats
from canasta_notation.notation.document import Game, Tag, Tags
from canasta_notation.players.figures import CAREFUL, GREEDY, Figures, figures_of
from canasta_notation.players.player import AfterTurn, Player
from canasta_notation.players.random_game import DEAL_LIMIT, play_game
from canasta_notation.players.random_seat import RANDOM, random_player
from canasta_notation.players.rollout import RolloutPlayer
from canasta_notation.players.searching import end_somehow
from canasta_notation.players.seat_turn import play_on, take_pile
from canasta_notation.players.specials import keeps_three
from canasta_notation.rules import Profile

ROLLOUT: Final = "rollout"
#: The names of the players, from the weakest.
PLAYERS: Final = (RANDOM, GREEDY, CAREFUL, ROLLOUT)

#: What the people are called who seem to play a game; no two names begin alike.
NAMES: Final = (
    "Ana", "Bruno", "Carla", "Dario", "Elena", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Kate",
    "Luis", "Marta", "Nils", "Olga", "Pablo", "Rosa", "Simon", "Tessa", "Victor", "Wanda", "Yara",
)  # fmt: skip


def player_of(name: str, profile: Profile, seed: str = "") -> Player:
    """Return a player by name for the rules of a profile.

    `seed` decides what `random` does, and the samples of `rollout`.

    Raises ValueError for a name that is not in `PLAYERS`.
    """
    if name == RANDOM:
        return random_player(Random(f"{profile.text} {seed}"))
    if name not in PLAYERS:
        raise ValueError(f"no player {name!r}: the players are {', '.join(PLAYERS)}")
    if name == ROLLOUT:
        return _rollout_player(RolloutPlayer(figures_of(CAREFUL, profile), seed))
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
    """Return a game between players; see `players_of`. The seed decides their names.

    Its plays are those of `play_game` if all players are random. Its Event says which player has
    each seat. Raises ValueError as `players_of` does.
    """
    seated = players_of(players, profile, str(seed))
    kinds = [player.name for player in seated]
    better = seated if {*kinds} != {RANDOM} else ()
    game = play_game(profile, seed, deals=deals, players=better)
    event = Tag("Event", _event(dict(zip(profile.seats, kinds, strict=True)), seed))
    tags = [event if tag.name == "Event" else tag for tag in game.tags]
    names = Random(f"names {seed}").sample(NAMES, len(seated))
    return replace(game, tags=Tags([*tags, *map(Tag, profile.seats, names)]))


def _event(kinds: Mapping[str, str], seed: int) -> str:
    """Return the event of a game whose seats have these players, such as "random game 1"."""
    one, *others = {*kinds.values()}
    return f"game {seed}: {named_seats(kinds)}" if others else f"{one} game {seed}"


# --- players that choose by figures ---------------------------------------------------------------


def _figured_player(name: str, figures: Figures) -> Player:
    def take(table: Table) -> AfterTurn | None:
        actions: list[Action] = []
        after = take_pile(copy_table(table), figures, actions)
        return None if after is None else (after, actions)

    def keeps(table: Table) -> bool:
        return keeps_three(table, figures, table.due)

    def rest(table: Table) -> AfterTurn:
        actions: list[Action] = []
        if table.waiting or table.answer:
            # A pile that was taken, or an answer, binds the rest of the turn.
            return end_somehow(copy_table(table), actions), actions
        return play_on(copy_table(table), figures, actions), actions

    return Player(name, take, keeps, rest, _lets_out)


def _lets_out(table: Table, seat: int) -> bool:
    """Return whether the cards of the seat's hand cost less than going out brings."""
    return -hand_points(table, seat) < table.rules.score_out


def _rollout_player(rollout: RolloutPlayer) -> Player:
    careful = _figured_player(CAREFUL, rollout.figures)

    def rest(table: Table) -> AfterTurn:
        bound = table.waiting or table.answer
        return careful.rest(table) if bound else rollout.rest(table)

    return Player(ROLLOUT, rollout.take, careful.keeps, rest, careful.answers)
