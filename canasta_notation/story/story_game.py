"""The game of a story: as played, with its analysis, and the names of its players and sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from canasta_notation.analysis.analyzed import AnalyzedDeal, GameAnalysis
from canasta_notation.analysis.values import DealValues
from canasta_notation.names import name_at
from canasta_notation.replay.game_report import DealReport
from canasta_notation.report.played import Played, PlayedDeal
from canasta_notation.story.sentences import Names

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


@dataclass(frozen=True, slots=True)
class StoryGame:
    """A game and its analysis. In a seat's view (`play.seat`), it shows what the seat knows."""

    play: Played
    analysis: GameAnalysis

    @property
    def two(self) -> bool:
        """Whether there are two sides."""
        return len(self.play.sides) == 2

    @property
    def valued(self) -> bool:
        """Whether a deal has values."""
        return any(deal.values for deal in self.analysis.deals)

    def player(self, seat: str) -> str:
        """Return a player's name, shortened if it is long, or the seat if it has no name."""
        return _cut(name_at(seat, self.play.names))

    def side(self, at: int) -> Names:
        """Return a side by the names of its players, or by its seats if nobody has a name."""
        seats = self.play.sides[at]
        if not any(self.play.names.get(seat, "").strip() for seat in self.play.seats):
            return Names((seats,))
        return Names(tuple(map(self.player, seats)))

    @property
    def sides(self) -> list[Names]:
        """All sides by the names of their players, in order."""
        return [*map(self.side, range(len(self.play.sides)))]

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
