"""The game that is told: as played, with its analysis, and the names of its players and sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from canasta_notation.analysis.analyzed import AnalyzedDeal, GameAnalysis
from canasta_notation.analysis.values import DealValues, SideValues
from canasta_notation.english import listed
from canasta_notation.replay.game_report import DealReport, SideReport
from canasta_notation.report.played import Played, PlayedDeal
from canasta_notation.story.estimates import ERRORS

#: The most characters of a player's name in a sentence.
_NAME: Final = 24


@dataclass(frozen=True, slots=True)
class Change:
    """By how much the value of a deal changed for a side, in points, with its standard error.

    The change is never less than 0: `side` is the place of the side that gained.
    """

    points: float
    error: float
    side: int

    @property
    def stands(self) -> bool:
        """Whether the change exceeds three errors."""
        return self.points > ERRORS * self.error


@dataclass(frozen=True, slots=True)
class ToldGame:
    """A game as it is told. In a seat's view (`play.seat`), only what the seat can know is told."""

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
        """Return a player's name, cut where it is long, or the seat without a name."""
        name = self.play.names.get(seat, "").strip()
        return (name if len(name) <= _NAME else name[: _NAME - 1] + "…") or seat

    def side(self, at: int) -> str:
        """Return a side by the names of its players, or by its seats if nobody has a name."""
        seats = self.play.sides[at]
        if not any(self.play.names.get(seat, "").strip() for seat in self.play.seats):
            return seats
        return listed(map(self.player, seats))

    def side_of(self, seat: str) -> int:
        """Return the place of a seat's side."""
        return self.play.profile.side_of(seat)

    def others(self, at: int) -> list[int]:
        """Return the places of the other sides."""
        return [other for other in range(len(self.play.sides)) if other != at]

    def deals(self) -> Iterator[tuple[PlayedDeal, AnalyzedDeal]]:
        """Yield each deal as played, with its analysis."""
        return zip(self.play.deals, self.analysis.deals, strict=True)

    def totals(self, deal: DealReport) -> list[int] | None:
        """Return the total of each side after a deal, None if one is not known."""
        return _known([side.total for side in deal.sides], len(self.play.sides))

    def scores(self, deal: DealReport) -> list[int] | None:
        """Return the score of each side in a deal, None if one is not known."""
        return _known([_score(side) for side in deal.sides], len(self.play.sides))

    def change(self, values: DealValues | None, turn: int, turns: int = 1) -> Change | None:
        """Return how the last `turns` turns up to a turn changed the value of a deal.

        None without values, and if there are not as many turns.
        """
        if values is None or not values.sides or self.play.seat:
            return None
        changes = [
            _changed(values.sides[name], turn, turns) if turns <= turn else None
            for name in self.play.sides
        ]
        known = [(each, at) for at, each in enumerate(changes) if each is not None]
        if not known:
            return None
        (points, error), at = max(known)
        return Change(points, error, at)


def _score(side: SideReport) -> int | None:
    return side.claimed.score if side.score is None else side.score


def _known(figures: list[int | None], count: int) -> list[int] | None:
    known = [each for each in figures if each is not None]
    return known if len(known) == count else None


def _changed(side: SideValues, turn: int, turns: int) -> tuple[float, float] | None:
    """Return a side's change and its error; neighbours share samples, so the error is a bound."""
    if turn >= len(side.curve):
        return None
    errors = side.curve_error[turn], side.curve_error[turn - turns]
    return side.curve[turn] - side.curve[turn - turns], (errors[0] ** 2 + errors[1] ** 2) ** 0.5
