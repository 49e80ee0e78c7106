"""A place in a game that a person steps through, and the moves from there.

A place is a deal and one of its turns; turn 0 is the table as dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from canasta_notation.engine.actions import Lay, LaySpecial, Take
from canasta_notation.engine.state import State
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Ruling
from canasta_notation.report.played import Played, PlayedDeal, PlayedTurn
from canasta_notation.report.seat_view import Deduction

#: The events to search for.
Sought = Literal["take", "meld", "canasta", "finding"]

#: Plays one game as a seat sees it; with all cards for "" and for a seat that it does not have.
PlayOne = Callable[[str], Played]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place: the game (from 0), the deal (from 1) and the turn (from 1; 0 is as dealt)."""

    game: int
    deal: int
    turn: int


class Walker:
    """A place in one or more games, and the seat whose view is shown.

    A game is played when it is first shown, and once more for each seat. `only` restricts the
    walker to one deal (from 1). Every move returns whether the place has changed. Not checked: that
    there is a game, and that each game has a deal.
    """

    def __init__(self, games: Sequence[PlayOne], seat: str = "", only: int | None = None) -> None:
        self.games = [cache(game) for game in games]
        self.seat = seat
        self._only = only
        self.spot = Spot(0, only or 1, 0)
        self.spot = replace(self.spot, turn=self.deal.first)

    @property
    def play(self) -> Played:
        """The game that is shown."""
        return self._played(self.spot.game)

    @property
    def deal(self) -> PlayedDeal:
        """The deal that is shown."""
        return self.play.deals[self.spot.deal - 1]

    @property
    def turn(self) -> PlayedTurn | None:
        """The turn that is shown, None for the table as dealt."""
        return self.deal.turns[self.spot.turn - 1] if self.spot.turn else None

    @property
    def state(self) -> State | None:
        """The table after that turn; None if there is none to show."""
        if self.turn:
            return self.turn.after
        return None if self.deal.report.sheet else self.deal.setup

    @property
    def deduction(self) -> Deduction | None:
        """What the seat can deduce there, None if all hands are shown."""
        return (self.turn or self.deal).deduction

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The penalties between that turn and the next one."""
        return (self.turn or self.deal).rulings

    def shows_deal(self, number: int) -> bool:
        """Return whether this game has a deal (from 1) and it is one of those that are shown."""
        return self._only in (None, number) and 1 <= number <= len(self.play.deals)

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
        if not self.shows_deal(number) or not 0 <= turn <= self.play.deals[number - 1].last:
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

    def seek(self, event: Sought) -> bool:
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
        views = ("", *self.play.seats)
        at = views.index(self.seat) if self.seat in views else 0
        self.seat = views[(at + 1) % len(views)]
        return self._go(replace(self.spot, turn=min(self.spot.turn, self.deal.last)), moved=True)

    def _enter(self, spot: Spot | None) -> bool:
        if spot is None:
            return False
        deal = self._played(spot.game).deals[spot.deal - 1]
        return self._go(replace(spot, turn=deal.first))

    def _neighbour(self, by: int) -> Spot | None:
        """Return the next or the previous deal, as dealt; None if there is none."""
        spot = self.spot
        if self._only is None and 1 <= spot.deal + by <= len(self.play.deals):
            return Spot(spot.game, spot.deal + by, 0)
        game = spot.game + by
        if not 0 <= game < len(self.games):
            return None
        last = len(self._played(game).deals)
        return Spot(game, self._only or (1 if by > 0 else last), 0)

    def _go(self, spot: Spot | None, *, moved: bool = False) -> bool:
        if spot is None or (spot == self.spot and not moved):
            return False
        self.seat = self._played(spot.game).seat
        self.spot = spot
        return True

    def _played(self, game: int) -> Played:
        """Return a game (from 0) as the seat sees it."""
        return self.games[game](self.seat)

    # --- what is found --------------------------------------------------------------------------

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings of this turn."""
        return self.turn.findings if self.turn is not None else ()

    def deal_findings(self) -> tuple[Finding, ...]:
        """Return the deal's early findings at turn 0, and its late ones at the last turn."""
        turn, deal = self.spot.turn, self.deal
        return (deal.early if turn == 0 else ()) + (deal.late if turn == deal.last else ())


def happens(event: Sought, turn: PlayedTurn) -> bool:
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
