"""One deal being replayed: what is known about it, and its findings so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple

from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.table import Table, copy_table
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Deal, Game
from canasta_notation.replay.causes import Causes, Thing
from canasta_notation.replay.end_lines import Boards, end_lines
from canasta_notation.replay.final_table import FinalTable
from canasta_notation.replay.game_report import Doubt
from canasta_notation.replay.totals import GameTotals
from canasta_notation.rules import Profile

#: Called after the setup lines and after each action: the deal's place from 0, the table, the
#: line's place in the deal's play (-1 for the setup), the action's place in its turn.
Observer = Callable[[int, Table, int, int], None]


class DealNumbers(NamedTuple):
    """The numbers of a game's deals: the first deal with each, and the highest before each deal."""

    first: Mapping[int, int]
    highest: tuple[int, ...]


def deal_numbers(game: Game) -> DealNumbers:
    """Return the numbers that the deal lines of a game claim."""
    numbers = [deal.number for deal in game.deals]
    first = {number: at for at, number in reversed([*enumerate(numbers)])}
    return DealNumbers(first, tuple(accumulate(numbers, max, initial=0)))


class TurnBudget:
    """How many turns the search for unwritten discards may still play in a game."""

    def __init__(self) -> None:
        self.turns = 3_000


@dataclass(frozen=True, slots=True)
class Context:
    """What the deals of a game share."""

    game: Game
    number: int
    profile: Profile
    rules: Rules
    observer: Observer | None
    numbers: DealNumbers
    budget: TurnBudget
    #: What the tags put in doubt, each thing with its finding.
    doubted: tuple[tuple[Thing, Finding], ...] = ()


@dataclass(frozen=True, slots=True)
class Due:
    """The dealer and number that a deal should have after the deals before it.

    `dealer` is a seat or -1; it is `sure` unless it was false before. `shift` is how far the last
    deal's number was from its place, `false_number` the first of the series of false numbers that
    ends with it. `began` is the finding that another seat than the dealer's next began the last
    deal; if that seat was right, `other` is the dealer due.
    """

    dealer: int = -1
    sure: bool = True
    shift: int = 0
    false_number: Finding | None = None
    began: Finding | None = None
    other: int = -1

    def lost(self) -> Due:
        """Return what is due after a deal that could not be read."""
        return replace(self, dealer=-1, sure=False)


class DealReplay:
    """The fields of one deal's replay; the functions of the other modules work on them."""

    #: The deal's dealer: a seat, or -1 if it is not known.
    dealer: int
    #: Whether the stock line can be laid under the play.
    stocked: bool
    #: The table at which the deal is replayed.
    play: Table

    def __init__(
        self, context: Context, standing: GameTotals, at: int, deal: Deal, due: Due
    ) -> None:
        self.context = context
        self.profile = context.profile
        self.rules = context.rules
        #: The game's standing, which grows from deal to deal.
        self.standing = standing
        self.at = at
        self.deal = deal
        self.due = due
        self.sheet = _is_sheet(deal)
        self.findings: list[Finding] = []
        self.doubts: list[Doubt] = []
        self.causes = Causes(context.rules, context.doubted)
        self.unchecked_from: int | None = None
        self.first_unread = min(deal.unread, default=None)
        #: The number of the turn being replayed, and the seat that played last.
        self.turn: int | None = None
        self.seat = 0
        #: How far the deal's number is from its place, and from where the last one would lead.
        self.number_shift = due.shift
        self.step = 0
        #: The first of the series of false numbers that this deal's number ends or continues.
        self.false_number: Finding | None = due.false_number
        self.false_dealer: Finding | None = None
        #: The first of a series of turns out of turn, and of a series of false numbers.
        self.misplaced: Finding | None = None
        self.misnumbered: Finding | None = None
        #: The first of a series that was followed by one turn in its place, and how far the turns
        #: of the last series were from the seat due, in total.
        self.interrupted: Finding | None = None
        self.displaced = 0
        #: How far the last turn's number was from its place.
        self.shift = 0
        #: The cards of each side's melds, kept if lines of the table at the end name them.
        self.boards: Boards = [{} for _ in self.rules.sides]
        #: The table of a deal that is recorded only by the table at its end.
        self.final: FinalTable | None = None

    def copy(self) -> DealReplay:
        """Return a copy that shares no mutable state."""
        other = copy(self)
        other.standing = self.standing.copy()
        other.play = copy_table(self.play)
        other.findings = self.findings[:]
        other.doubts = self.doubts[:]
        other.causes = self.causes.copy()
        other.boards = [{rank: cards[:] for rank, cards in board.items()} for board in self.boards]
        return other


def _is_sheet(deal: Deal) -> bool:
    """Return whether a deal is a score sheet: scores, and no play that is written or missing.

    A deal with dealt cards and no end line is not a score sheet: its play is missing.
    """
    if deal.turns or end_lines(deal) or not (deal.scores or deal.total):
        return False
    dealt = deal.hands or deal.up or deal.stock
    return not dealt or deal.end is not None
