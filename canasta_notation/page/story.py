"""What a page shows of a game, as values: deals, turns in words, tables and scores.

A turn's table is the one after the turn and any penalties that follow it. In a seat's view,
everything comes from the record that the seat itself could have written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from canasta_notation.engine.actions import Take
from canasta_notation.engine.state import State
from canasta_notation.english import count
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Game, PenaltyLine, Turn, comments_of
from canasta_notation.notation.reader import Reading
from canasta_notation.page.chances import Chance, could_have, find_chances
from canasta_notation.page.markup import closed
from canasta_notation.page.melded import Melds, melds_of
from canasta_notation.render.paint import Look, Row
from canasta_notation.render.play_words import turn_words
from canasta_notation.replay.laid import LaidCards
from canasta_notation.replay.steps import Step, walk
from canasta_notation.report.ledger import DealLedger, GameLedger, audit_game
from canasta_notation.report.outcome import excerpt_lines
from canasta_notation.report.seat_view import seat_view
from canasta_notation.rules import Profile

#: In rows of words, each card is a run of its own, as the notation spells it.
LOOK = Look(colour=False)


@dataclass(frozen=True, slots=True)
class Moment:
    """A table to show: its state, and the cards of each side's melds as they were laid."""

    state: State
    melds: tuple[Melds, ...]


@dataclass(frozen=True, slots=True)
class PageTurn:
    """A turn: what was done in words, the table after it, and remarks about it.

    `event` says that the pile was taken, a canasta was completed, or there is a finding.
    """

    seat: str
    words: Row
    moment: Moment
    comments: tuple[str, ...]
    rulings: tuple[str, ...]
    findings: tuple[Finding, ...]
    could: tuple[Row, ...]
    event: bool


@dataclass(frozen=True, slots=True)
class PageDeal:
    """A deal: the table as dealt (None if it cannot be replayed), its turns and its scores.

    Of its `recorded` turns, those that can be replayed are shown.
    `comments` are those before the play, `late_comments` those after it; `findings` are those that
    belong to no turn.
    """

    number: int
    dealer: str | None
    ledger: DealLedger
    setup: Moment | None
    turns: tuple[PageTurn, ...]
    recorded: int
    comments: tuple[str, ...]
    late_comments: tuple[str, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class PageGame:
    """A game. `seat` is the seat whose view is shown, "" for all cards.

    `lines` are the lines of the record with findings, by line number.
    """

    file: str
    game: Game
    ledger: GameLedger
    profile: Profile
    seat: str
    deals: tuple[PageDeal, ...]
    comments: tuple[str, ...]
    findings: tuple[Finding, ...]
    lines: dict[int, str]

    @property
    def seats(self) -> str:
        """The seats, clockwise."""
        return self.profile.seats

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, each spelled by its seats."""
        return self.profile.side_names

    def tag(self, name: str) -> str:
        """Return the value of a tag, "" without one. It does not change the direction of text."""
        tag = self.game.tag(name)
        return closed(tag.value) if tag else ""


def page_game(
    file: str, reading: Reading, number: int, profile: Profile, seat: str = ""
) -> PageGame:
    """Replay a game by the rules of `profile` and return what a page shows of it."""
    game = reading.game
    steps, _ = walk(game, number=number, override=profile)
    if seat:
        view = seat_view(game, seat, profile.seats, steps, profile)
        reading = replace(reading, game=view.record, problems=())
        steps = view.steps
    ledger = audit_game(reading, number, profile)
    chances = find_chances(reading.game, number, profile)
    return _Collector(game, reading, ledger, profile, seat, chances).game(file, steps)


class _Collector:
    """Collects what a page shows of one game."""

    def __init__(
        self,
        played: Game,
        reading: Reading,
        ledger: GameLedger,
        profile: Profile,
        seat: str,
        chances: Mapping[tuple[int, int], Chance],
    ) -> None:
        self.played = played
        self.record = reading.game
        self.ledger = ledger
        self.profile = profile
        self.seat = seat
        self.chances = chances
        found = ledger.report.findings
        if seat:
            found = tuple(each for each in found if each.turn is not None)
        #: By deal (0: the game as a whole) and turn.
        self.found: dict[int, dict[int | None, list[Finding]]] = defaultdict(dict)
        for finding in found:
            self.found[finding.deal or 0].setdefault(finding.turn, []).append(finding)
        #: None in a seat's view, because a line may name cards that the seat could not see.
        self.lines = {} if seat else excerpt_lines(reading, found)

    def game(self, file: str, steps: Iterable[Step]) -> PageGame:
        """Return the whole game."""
        by_deal: dict[int, list[Step]] = defaultdict(list)
        for step in steps:
            by_deal[step.deal].append(step)
        deals = tuple(self._deal(at, by_deal[at]) for at in range(1, len(self.record.deals) + 1))
        comments = [each for tag in self.record.tags for each in comments_of(tag)]
        return PageGame(
            file,
            self.record,
            self.ledger,
            self.profile,
            self.seat,
            deals,
            (*comments, *self.record.comments),
            tuple(self._general()),
            self.lines,
        )

    def _general(self) -> list[Finding]:
        return [each for found in self.found[0].values() for each in found]

    def _deal(self, number: int, steps: list[Step]) -> PageDeal:
        deal = self.record.deals[number - 1]
        setup, turns = self._turns(number, steps)
        shown = range(1, len(turns) + 1)
        rest = [
            each
            for turn, found in self.found[number].items()
            if turn not in shown and not self.seat
            for each in found
        ]
        early = [*comments_of(deal)]
        for line in deal.hands:
            early += [*line.before, *([f"{line.seat}: {line.comment}"] if line.comment else [])]
        late = (deal.end, *deal.end_lines, *deal.scores, deal.total)
        return PageDeal(
            number,
            deal.dealer,
            self.ledger.deals[number - 1],
            setup,
            tuple(turns),
            self.played.deals[number - 1].turns,
            (*early, *comments_of(deal.up)),
            tuple(each for line in late for each in comments_of(line)),
            tuple(rest),
        )

    def _turns(self, number: int, steps: list[Step]) -> tuple[Moment | None, list[PageTurn]]:
        laid = LaidCards(self.profile, self.record.deals[number - 1])
        setup: Moment | None = None
        turns: list[PageTurn] = []
        before: State | None = None
        for step in steps:
            if not step.last:
                continue
            state = step.state
            if step.line is not None and before is not None:
                for action in step.line.actions:
                    laid.note(self.profile.side_of(step.line.seat), action, before.pile)
                moment = Moment(state, melds_of(laid, state))
                found = tuple(self.found[number].get(step.turn, ()))
                chance = self.chances.get((number, step.turn), Chance())
                turns.append(self._turn(step.line, before, moment, found, chance))
            else:
                moment = Moment(state, melds_of(laid, state))
                play = self.played.deals[number - 1].play
                line = play[step.place] if step.place >= 0 else None
                if turns and isinstance(line, PenaltyLine):
                    said = () if self.seat else comments_of(line)
                    turns[-1] = _ruled(turns[-1], line, moment, said)
                else:
                    setup = moment
            before = state
        return setup, turns

    def _turn(
        self,
        line: Turn,
        before: State,
        moment: Moment,
        found: tuple[Finding, ...],
        chance: Chance,
    ) -> PageTurn:
        side = self.profile.side_of(line.seat)
        state = moment.state
        if self.seat and line.seat != self.seat:
            found, chance = (), Chance()
        taken = any(isinstance(action, Take) for action in line.actions)
        return PageTurn(
            line.seat,
            turn_words(line, before, state, side, LOOK),
            moment,
            comments_of(line),
            (),
            found,
            could_have(line, before, state, side, chance),
            taken or bool(found) or state.canastas > before.canastas,
        )


def _ruled(
    turn: PageTurn, line: PenaltyLine, moment: Moment, comments: tuple[str, ...]
) -> PageTurn:
    """Return a turn together with a penalty that follows it."""
    text = f"Penalty for {line.side}: {count(line.points, 'point')} ({line.word})"
    return replace(
        turn,
        moment=moment,
        rulings=(*turn.rulings, text),
        comments=(*turn.comments, *comments),
    )
