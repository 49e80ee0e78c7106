"""A replay to show: a game with its steps, in full or as one seat sees them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from canasta_notation.engine.state import State
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Game, Turn
from canasta_notation.notation.reader import Reading
from canasta_notation.replay.deal_replay import line_number
from canasta_notation.replay.game_report import GameReport
from canasta_notation.replay.steps import Step, walk
from canasta_notation.report.outcome import excerpt_lines
from canasta_notation.report.seat_view import Deduction, seat_view
from canasta_notation.rules import Profile


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
    """A replayed game to show. `seat` is the seat whose view is shown, "" for all cards.

    `lines` are the record's lines by number, for the excerpts of findings; `replayed` is, by deal,
    how many of its turns could be replayed; `deductions` are the seat's, by deal and turn.
    """

    file: str
    game: Game
    report: GameReport
    profile: Profile
    steps: tuple[Step, ...]
    lines: dict[int, str] = field(default_factory=dict)
    replayed: Mapping[int, int] = field(default_factory=dict)
    seat: str = ""
    #: The parts of the record's text that could not be read.
    problems: tuple[Finding, ...] = ()
    deductions: Mapping[tuple[int, int], Deduction] = field(default_factory=dict)

    @property
    def seats(self) -> str:
        """The seats, clockwise."""
        return self.profile.seats

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, each spelled by its seats."""
        return self.profile.side_names

    @property
    def names(self) -> dict[str, str]:
        """The players' names by their seats."""
        return self.game.names(self.seats)

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

    # --- what is found outside the replayed turns -----------------------------------------------

    @property
    def errors(self) -> int:
        """The number of errors in the whole record of the game."""
        return sum(each.severity == "error" for each in self.report.findings)

    def outside(self) -> tuple[list[Finding], list[Finding]]:
        """Return the findings of no deal: those of text and tags, and those of the result.

        In a seat's view there are none.
        """
        found = [each for each in self.report.outside if each.deal is None and not self.seat]
        early = [each for each in found if each.code != "result"]
        return early, [each for each in found if each.code == "result"]

    def beside(self, deal: int) -> tuple[list[Finding], list[Finding]]:
        """Return the findings of a deal (from 1) that stand at no replayed turn.

        They are those before its first turn, and the others. In a seat's view there are none.
        """
        if self.seat:
            return [], []
        first = min(map(line_number, self.game.deals[deal - 1].play), default=0)
        shown = range(1, self.replayed[deal] + 1)
        unread = [each for each in self.problems if each.deal == deal]
        found = [each for each in self.report.deals[deal - 1].findings if each.turn not in shown]
        early = [each for each in found if each.span.line < first]
        return early, [*unread, *(each for each in found if each.span.line >= first)]


def play_back(
    file: str,
    reading: Reading,
    number: int,
    profile: Profile,
    *,
    deal: int | None = None,
    seat: str = "",
    override: Profile | None = None,
) -> Playback:
    """Replay a game, or one deal of it, with all cards or as one seat sees it.

    `number` is the game's place in its file, from 1; `profile` is the rules that it is judged by.
    Not checked: that the rules have the seat and the game has the deal.
    """
    game, problems = reading.game, reading.problems
    steps, report = walk(game, number=number, deal=deal, override=override)
    deductions: dict[tuple[int, int], Deduction] = {}
    if seat:
        view = seat_view(game, seat, profile.seats, steps, override)
        steps, deductions = view.steps, view.deductions
    lines = excerpt_lines(reading, [*problems, *report.findings])
    replayed = dict.fromkeys(range(1, len(game.deals) + 1), 0)
    replayed |= {step.deal: step.turn for step in steps}
    return Playback(file, game, report, profile, steps, lines, replayed, seat, problems, deductions)
