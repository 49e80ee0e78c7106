"""Exercises from records: those of one player, and others of the same kinds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from canasta_notation.exercises.exercise import Exercise, by_cost
from canasta_notation.notation.format import format_game
from canasta_notation.notation.reader import Reading, read_text
from canasta_notation.players.seated import play_named_game
from canasta_notation.rules import Profile

#: The players of generated games, who sit in turn, and how many deals a game has.
_PLAYERS: Final = ("careful", "greedy")
_DEALS: Final = 1


@dataclass(slots=True)
class FoundExercises:
    """The exercises of the players of records; each position counts once.

    `found` has them by player, in the order in which the players appear; a player without a mistake
    has none.
    """

    found: dict[str, list[Exercise]] = field(default_factory=dict)
    _ids: set[str] = field(default_factory=set)

    def add(self, names: Iterable[str], exercises: Iterable[Exercise]) -> None:
        """Add a game: the names of its players, and its exercises."""
        for name in names:
            self.found.setdefault(name, [])
        for each in exercises:
            if each.id not in self._ids:
                self._ids.add(each.id)
                self.found[each.player].append(each)

    def own(self, name: str) -> list[Exercise]:
        """Return the exercises of a player, in the order to practise. Raises KeyError."""
        return by_cost(self.found[name])

    def others(self, name: str) -> list[Exercise]:
        """Return the exercises of all other players."""
        return [each for other, own in self.found.items() if other != name for each in own]


def chosen(own: Iterable[Exercise], others: Iterable[Exercise], most: int) -> list[Exercise]:
    """Return up to `most` of the `others`: first those of the kinds that cost most, then by cost.

    A position that is among the player's own is left out.
    """
    kept = by_cost(own)
    kinds = list(dict.fromkeys(each.kind for each in kept))
    ids = {each.id for each in kept}

    def order(each: Exercise) -> tuple[int, float, str]:
        at = kinds.index(each.kind) if each.kind in kinds else len(kinds)
        return at, -each.loss, each.id

    return sorted((each for each in others if each.id not in ids), key=order)[:most]


def generated(profile: Profile, seeds: Iterable[int]) -> Iterator[tuple[str, Reading]]:
    """Yield games between players of the program, each with the command that writes it."""
    seats = len(profile.seats)
    players = ",".join(_PLAYERS[at % len(_PLAYERS)] for at in range(seats))
    for seed in seeds:
        [reading] = read_text(format_game(play_named_game(profile, seed, players, _DEALS)))
        command = f"generate --rules {profile.name} --players {players} --deals {_DEALS}"
        yield f"{command} --seed {seed}", reading
