"""A replay as it is shown: a game with its steps, all of them or as one seat sees them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from canasta_notation.cards import SIDES
from canasta_notation.engine.state import State
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Game, Turn
from canasta_notation.replay.game_report import GameReport
from canasta_notation.replay.steps import Step


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn as replayed: the states before and after it, and what was found in it."""

    deal: int
    turn: int
    line: Turn
    before: State
    after: State
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Playback:
    """What a replay shows is made of. `seat` is the one whose view it is, "" for all cards.

    `lines` are the record's lines by number, for the excerpts of findings.
    """

    file: str
    game: Game
    report: GameReport
    seats: str
    steps: tuple[Step, ...]
    lines: dict[int, str] = field(default_factory=dict)
    seat: str = ""
    #: What could not be read of the record's text.
    problems: tuple[Finding, ...] = ()

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides of the game."""
        return SIDES[len(self.seats)]

    @property
    def names(self) -> dict[str, str]:
        """The players' names by their seats."""
        tags = ((seat, self.game.tag(seat)) for seat in self.seats)
        return {seat: tag.value for seat, tag in tags if tag is not None}

    def turns(self) -> Iterator[PlayedTurn]:
        """Yield the turns that could be replayed."""
        before: State | None = None
        for step in self.steps:
            if step.last:
                if step.line is not None and before is not None:
                    yield PlayedTurn(
                        step.deal, step.turn, step.line, before, step.state, step.findings
                    )
                before = step.state

    def side_of(self, seat: str) -> int:
        """Return the place of a seat's side."""
        return next(at for at, side in enumerate(self.sides) if seat in side)
