"""A played game: its deals and turns, and the tables between them, in full or as a seat sees it.

Everything that shows a game reads these values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from canasta_notation.engine.state import State
from canasta_notation.findings import Finding
from canasta_notation.notation.document import (
    Deal,
    Game,
    Line,
    PenaltyLine,
    Turn,
    comments_of,
)
from canasta_notation.notation.reader import Reading
from canasta_notation.replay.deal_findings import Observer, line_number
from canasta_notation.replay.game_report import DealReport, GameReport
from canasta_notation.replay.steps import Step, walk
from canasta_notation.report.outcome import excerpt_lines
from canasta_notation.report.seat_view import Deduction, seat_view
from canasta_notation.rules import Profile


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn as replayed: the states before it and after it, and what was found in it.

    `rulings` are the penalties that follow it, and `after` is the state after them. `deduction` is
    what the seat of the view can deduce then, None if all hands are shown.
    """

    deal: int
    turn: int
    line: Turn
    before: State
    after: State
    findings: tuple[Finding, ...]
    rulings: tuple[PenaltyLine, ...] = ()
    deduction: Deduction | None = None


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A deal as replayed: the table as dealt or, without turns, at the end; and its turns.

    `setup` is None if the deal was not replayed. `rulings` are the penalties before the first turn,
    and `setup` is the state after them. `turns` are those that could be replayed. `early` and
    `late` are the findings that stand at none of them: those before the first turn, and the others.
    """

    number: int
    written: Deal
    report: DealReport
    setup: State | None
    rulings: tuple[PenaltyLine, ...]
    turns: tuple[PlayedTurn, ...]
    early: tuple[Finding, ...]
    late: tuple[Finding, ...]
    deduction: Deduction | None

    @property
    def states(self) -> tuple[State, ...]:
        """The table as dealt and after each turn; none if the deal was not replayed."""
        return () if self.setup is None else (self.setup, *(turn.after for turn in self.turns))

    @property
    def first(self) -> int:
        """The turn that is shown when the deal is entered; 0 if there are findings before it."""
        return 0 if self.early else min(1, self.last)

    @property
    def last(self) -> int:
        """The number of the last turn that could be replayed, 0 if there is none."""
        return len(self.turns)


@dataclass(frozen=True, slots=True)
class Played:
    """A played game. `seat` is the seat whose view it is, "" for all cards.

    The report is that of the whole record; what a seat cannot see of it is not among `deals`.
    `early` and `late` are the findings of no deal: those of text and tags, and those of the result.
    `lines` are the record's lines by number, for the excerpts of findings. `errors` is the number
    of errors in the whole record. In a seat's view, there are findings only at its own turns, and
    no lines, because a line may name cards that the seat could not see.
    """

    file: str
    game: Game
    profile: Profile
    report: GameReport
    seat: str
    steps: tuple[Step, ...]
    deals: tuple[PlayedDeal, ...]
    early: tuple[Finding, ...]
    late: tuple[Finding, ...]
    lines: Mapping[int, str]
    errors: int

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

    @property
    def turns(self) -> Iterator[PlayedTurn]:
        """The turns of all deals that could be replayed."""
        return (turn for deal in self.deals for turn in deal.turns)

    def said(self, *lines: Deal | Line | None) -> tuple[str, ...]:
        """Return the comments of lines; none in a seat's view, for a seat does not know them."""
        return () if self.seat else tuple(each for line in lines for each in comments_of(line))


def play_game(
    file: str,
    reading: Reading,
    number: int,
    profile: Profile,
    *,
    deal: int | None = None,
    seat: str = "",
    override: Profile | None = None,
    observer: Observer | None = None,
) -> Played:
    """Replay a game once, with all cards; or twice, as one seat sees it.

    `number` is the game's place in its file, from 1; `profile` is the rules that it is judged by.
    With `deal`, only this deal has its steps and turns. `observer` is called for the replay with
    all cards or, in a seat's view, for that of the record which the seat could write. Not checked:
    that the rules have the seat and the game has the deal.
    """
    game = reading.game
    steps, report = walk(
        game, number=number, deal=deal, override=override, observer=None if seat else observer
    )
    deductions: Mapping[tuple[int, int], Deduction] = {}
    outside = [each for each in report.outside if each.deal is None]
    lines = excerpt_lines(reading, report.findings)
    if seat:
        steps, deductions = seat_view(
            game, seat, profile.seats, steps,
            number=number, override=override, observer=observer,
        )  # fmt: skip
        outside, lines = [], {}
    by_deal: dict[int, list[Step]] = {each.deal: [] for each in report.deals}
    for step in steps:
        by_deal[step.deal].append(step)
    return Played(
        file,
        game,
        profile,
        report,
        seat,
        steps,
        tuple(
            _with_findings(_deal(written, judged, by_deal[judged.deal], deductions), reading, seat)
            for written, judged in zip(game.deals, report.deals, strict=True)
        ),
        tuple(each for each in outside if each.code != "result"),
        tuple(each for each in outside if each.code == "result"),
        lines,
        sum(each.severity == "error" for each in report.findings),
    )


def _deal(
    written: Deal,
    report: DealReport,
    steps: list[Step],
    deductions: Mapping[tuple[int, int], Deduction],
) -> PlayedDeal:
    """Return a deal without the findings that stand at no turn."""
    number = report.deal
    setup: State | None = None
    rulings: list[PenaltyLine] = []
    turns: list[PlayedTurn] = []
    before: State | None = None
    for step in steps:
        if not step.last:
            continue
        line, state = step.line, step.state
        if isinstance(line, Turn) and before is not None:
            known = deductions.get((number, step.turn))
            turns.append(
                PlayedTurn(number, step.turn, line, before, state, step.findings, (), known)
            )
        elif isinstance(line, PenaltyLine) and turns:
            followed = (*turns[-1].rulings, line)
            turns[-1] = replace(turns[-1], after=state, rulings=followed)
        else:
            setup = state
            rulings += [line] if isinstance(line, PenaltyLine) else []
        before = state
    start = deductions.get((number, 0))
    return PlayedDeal(number, written, report, setup, tuple(rulings), tuple(turns), (), (), start)


def _with_findings(deal: PlayedDeal, reading: Reading, seat: str) -> PlayedDeal:
    """Return a deal with the findings that stand at none of its turns; a seat sees none."""
    if seat:
        return deal
    first = min(map(line_number, deal.written.play), default=0)
    shown = range(1, deal.last + 1)
    unread = [each for each in reading.problems if each.deal == deal.number]
    found = [each for each in deal.report.findings if each.turn not in shown]
    early = [each for each in found if each.span.line < first]
    late = [*unread, *(each for each in found if each.span.line >= first)]
    return replace(deal, early=tuple(early), late=tuple(late))
