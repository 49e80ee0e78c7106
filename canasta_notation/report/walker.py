"""A place in a game that a person steps through, and the moves from there.

The steps of a deal are made when it is first shown. A place is a deal and one of its turns; turn 0
is the table as dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from canasta_notation.engine.actions import Lay, LaySpecial, Take
from canasta_notation.engine.state import State
from canasta_notation.findings import Finding
from canasta_notation.notation.reader import Reading
from canasta_notation.replay.game_report import DealReport
from canasta_notation.replay.header import read_header
from canasta_notation.report.playback import Playback, PlayedTurn, play_back
from canasta_notation.report.seat_view import Deduction
from canasta_notation.rules import Profile

#: The events to search for.
Event = Literal["take", "meld", "canasta", "finding"]


@dataclass(frozen=True, slots=True)
class WalkedDeal:
    """A deal to step through: the table as dealt or, without turns, at the end; and its turns.

    `setup` is None if there is no table to show. `early` and `late` are the findings that stand at
    no turn: those before the first turn, and the others.
    """

    play: Playback
    report: DealReport
    setup: State | None
    turns: tuple[PlayedTurn, ...]
    early: tuple[Finding, ...]
    late: tuple[Finding, ...]

    @property
    def first(self) -> int:
        """The turn that is shown when the deal is entered; 0 if there are findings before it."""
        return 0 if self.early else min(1, self.last)

    @property
    def last(self) -> int:
        """The number of the last turn that could be replayed, 0 if there is none."""
        return len(self.turns)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place: the game (from 0), the deal (from 1) and the turn (from 1; 0 is as dealt)."""

    game: int
    deal: int
    turn: int


class WalkedGame:
    """A game whose deals are replayed one by one, when they are shown."""

    def __init__(
        self, name: str, reading: Reading, number: int, override: Profile | None = None
    ) -> None:
        self.name = name
        self.reading = reading
        self.number = number
        self.override = override
        self._profile = read_header(reading.game, number, override).profile
        self.seats = self._profile.seats if self._profile else ""
        self._walked: dict[tuple[int, str], WalkedDeal] = {}

    @property
    def deals(self) -> int:
        """The number of deals."""
        return len(self.reading.game.deals)

    def deal(self, number: int, seat: str) -> WalkedDeal:
        """Return a deal (from 1) as a seat sees it, or with all hands."""
        key = number, seat
        if key not in self._walked:
            self._walked[key] = self._walk(number, seat)
        return self._walked[key]

    def _walk(self, number: int, seat: str) -> WalkedDeal:
        assert self._profile is not None  # a walker gets only games whose rules are known
        play = play_back(
            self.name,
            self.reading,
            self.number,
            self._profile,
            deal=number,
            seat=seat,
            override=self.override,
        )
        report = play.report.deals[number - 1]
        starts = (step.state for step in play.steps if step.action < 0 and not report.sheet)
        early, late = play.beside(number)
        return WalkedDeal(
            play, report, next(starts, None), tuple(play.turns()), tuple(early), tuple(late)
        )


class Walker:
    """A place in one or more games, and the seat whose view is shown.

    `only` restricts it to one deal (from 1). Every move returns whether the place has changed.
    """

    def __init__(
        self, games: Sequence[WalkedGame], seat: str = "", only: int | None = None
    ) -> None:
        self.games = [game for game in games if game.seats and game.deals]
        self.seat = seat
        self._only = only
        self.spot = Spot(0, only or 1, 0)
        if self.games:
            self.spot = replace(self.spot, turn=self.deal.first)

    @property
    def game(self) -> WalkedGame:
        """The game that is shown."""
        return self.games[self.spot.game]

    @property
    def deal(self) -> WalkedDeal:
        """The deal that is shown."""
        return self.game.deal(self.spot.deal, self.seat)

    @property
    def turn(self) -> PlayedTurn | None:
        """The turn that is shown, None for the table as dealt."""
        return self.deal.turns[self.spot.turn - 1] if self.spot.turn else None

    @property
    def state(self) -> State | None:
        """The table after that turn."""
        return self.turn.after if self.turn else self.deal.setup

    @property
    def deduction(self) -> Deduction | None:
        """What the seat can deduce there, None if all hands are shown."""
        return self.deal.play.deductions.get((self.spot.deal, self.spot.turn))

    def shows_deal(self, number: int) -> bool:
        """Return whether this game has a deal (from 1) and it is one of those that are shown."""
        return self._only in (None, number) and 1 <= number <= self.game.deals

    # --- moves ----------------------------------------------------------------------------------

    def forward(self) -> bool:
        """Go to the next turn or, from a deal's last turn, to the next deal as dealt."""
        if self.spot.turn < self.deal.last:
            return self._go(replace(self.spot, turn=self.spot.turn + 1))
        return self._go(self._neighbour(1))

    def back(self) -> bool:
        """Go to the previous turn or, from a deal as dealt, to the end of the previous deal."""
        if self.spot.turn:
            return self._go(replace(self.spot, turn=self.spot.turn - 1))
        spot = self._neighbour(-1)
        if spot is None:
            return False
        self._go(spot)
        return self._go(replace(spot, turn=self.deal.last))

    def next_deal(self) -> bool:
        """Go to the first turn of the next deal."""
        return self._enter(self._neighbour(1))

    def previous_deal(self) -> bool:
        """Go to the first turn of the previous deal, or of this one if there is none."""
        return self._enter(self._neighbour(-1) or self.spot)

    def to_turn(self, turn: int, deal: int | None = None) -> bool:
        """Go to a turn, of this deal or another; stay if there is no such turn."""
        number = deal or self.spot.deal
        if not self.shows_deal(number) or not 0 <= turn <= self.game.deal(number, self.seat).last:
            return False
        return self._go(Spot(self.spot.game, number, turn))

    def to_deal(self, deal: int) -> bool:
        """Go to the first turn of a deal of this game; stay if there is no such deal."""
        if not self.shows_deal(deal):
            return False
        return self._enter(Spot(self.spot.game, deal, 0))

    def to_end(self) -> bool:
        """Go to the last turn of the deal."""
        return self._go(replace(self.spot, turn=self.deal.last))

    def seek(self, event: Event) -> bool:
        """Go to the next place with this event, in this deal or a later one."""
        start = self.spot
        while self.forward():
            if event == "finding" and self.deal_findings():
                return True
            if self.turn is not None and happens(event, self.turn):
                return True
        self._go(start)
        return False

    def flip(self) -> bool:
        """Change to the view of the next seat; after the last seat, show all hands again."""
        views = ("", *self.game.seats)
        at = views.index(self.seat) if self.seat in views else 0
        self.seat = views[(at + 1) % len(views)]
        return self._go(replace(self.spot, turn=min(self.spot.turn, self.deal.last)), moved=True)

    def _enter(self, spot: Spot | None) -> bool:
        if spot is None:
            return False
        return self._go(replace(spot, turn=self.games[spot.game].deal(spot.deal, self.seat).first))

    def _neighbour(self, by: int) -> Spot | None:
        """Return the next or the previous deal, as dealt; None if there is none."""
        spot = self.spot
        if self._only is None and 1 <= spot.deal + by <= self.game.deals:
            return Spot(spot.game, spot.deal + by, 0)
        game = spot.game + by
        if not 0 <= game < len(self.games):
            return None
        deals = self.games[game].deals
        return Spot(game, self._only or (1 if by > 0 else deals), 0)

    def _go(self, spot: Spot | None, *, moved: bool = False) -> bool:
        if spot is None or (spot == self.spot and not moved):
            return False
        self.spot = spot
        if self.seat and self.seat not in self.game.seats:
            self.seat = ""
        return True

    # --- what is found --------------------------------------------------------------------------

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings of this turn."""
        return self.turn.findings if self.turn is not None else ()

    def deal_findings(self) -> tuple[Finding, ...]:
        """Return the deal's early findings at turn 0, and its late ones at the last turn."""
        turn, deal = self.spot.turn, self.deal
        return (deal.early if turn == 0 else ()) + (deal.late if turn == deal.last else ())


def happens(event: Event, turn: PlayedTurn) -> bool:
    """Return whether a turn has such an event."""
    actions = turn.line.actions
    match event:
        case "take":
            return any(isinstance(action, Take) for action in actions)
        case "meld":
            return any(isinstance(action, Lay | LaySpecial) for action in actions)
        case "canasta":
            return turn.after.canastas > turn.before.canastas
        case "finding":
            return bool(turn.findings)
