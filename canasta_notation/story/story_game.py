"""The game of a story: as played, with its analysis, and the names of its players and sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from canasta_notation.analysis.analyzed import AnalyzedDeal, GameAnalysis
from canasta_notation.analysis.values import DealValues
from canasta_notation.language.sentences import Names
from canasta_notation.names import distinct_name, name_at
from canasta_notation.replay.game_report import DealReport
from canasta_notation.report.played import Played, PlayedDeal

#: The most characters of a player's name in a sentence.
_NAME: Final = 24


@dataclass(frozen=True, slots=True)
class Change:
    """How much the value of a deal changed for a side, in points, with its standard error.

    The change is never less than 0: `side` is the index of the side that gained. `stands` says
    whether both halves of the samples agree, the second by more than three errors.
    """

    points: float
    error: float
    side: int
    stands: bool


@dataclass(frozen=True)
class StoryGame:
    """A game and its analysis. In a seat's view (`play.seat`), it shows what the seat knows.

    With a `deal` (from 1), a player is the one of that deal.
    """

    play: Played
    analysis: GameAnalysis
    deal: int | None = None

    def at(self, deal: int) -> StoryGame:
        """Return the game with the players of a deal, from 1."""
        return replace(self, deal=deal)

    @property
    def two(self) -> bool:
        """Whether there are two sides."""
        return len(self.play.sides) == 2

    @property
    def valued(self) -> bool:
        """Whether a deal has values."""
        return any(deal.values for deal in self.analysis.deals)

    def player(self, seat: str) -> str:
        """Return a player's name, shortened if it is long, or the seat if it has no name.

        Players who are shown by the same name get their seat.
        """
        return self._players[seat]

    @cached_property
    def _players(self) -> dict[str, str]:
        """The players by their seats, as `player` returns them."""
        names = self.play.game.names(self.play.seats, self.deal)
        shown = {seat: _cut(name_at(seat, names)) for seat in self.play.seats}
        return {seat: distinct_name(seat, shown) for seat in shown}

    def side(self, at: int) -> Names:
        """Return a side by the names of its players, or by its seats if nobody has a name.

        They are those of the whole game, in every deal.
        """
        return self.sides[at]

    @cached_property
    def sides(self) -> tuple[Names, ...]:
        """All sides as `side` returns them, in order."""
        if self.deal is not None:
            return replace(self, deal=None).sides
        if not any(self.play.names.get(seat, "").strip() for seat in self.play.seats):
            return tuple(Names((seats,)) for seats in self.play.sides)
        return tuple(Names(tuple(map(self.player, seats))) for seats in self.play.sides)

    def side_of(self, seat: str) -> int:
        """Return the index of a seat's side."""
        return self.play.profile.side_of(seat)

    def others(self, at: int) -> list[int]:
        """Return the indices of the other sides."""
        return [other for other in range(len(self.play.sides)) if other != at]

    def deals(self) -> Iterator[tuple[PlayedDeal, AnalyzedDeal]]:
        """Yield each deal as played, with its analysis."""
        return zip(self.play.deals, self.analysis.deals, strict=True)

    def totals(self, deal: DealReport) -> list[int] | None:
        """Return the total of each side after a deal, None if one is not known."""
        return _known([side.total for side in deal.sides], len(self.play.sides))

    def scores(self, deal: DealReport) -> list[int] | None:
        """Return the score of each side in a deal, None if one is not known."""
        return _known([side.scored for side in deal.sides], len(self.play.sides))

    def change(self, values: DealValues | None, turn: int, *, swing: bool = False) -> Change | None:
        """Return how a turn changed the value of a deal; with `swing`, with the turn before it.

        Return None if that turn has no values.
        """
        if values is None or not values.sides or self.play.seat:
            return None
        found = []
        for at, name in enumerate(self.play.sides):
            side = values.sides[name]
            if turn > len(side.change):
                return None
            figures = (
                (side.swing, side.swing_error, side.swing_stands)
                if swing
                else (side.change, side.change_error, side.stands)
            )
            points, error, stands = (each[turn - 1] for each in figures)
            found.append(Change(points, error, at, bool(stands)))
        return max(found, key=lambda each: each.points)


def _known(figures: list[int | None], count: int) -> list[int] | None:
    known = [each for each in figures if each is not None]
    return known if len(known) == count else None


def _cut(name: str) -> str:
    return name if len(name) <= _NAME else name[: _NAME - 1] + "…"
