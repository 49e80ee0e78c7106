"""The state of a deal's replay, on which `deal_replay` and the modules that it calls work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass

from canasta_notation.engine.table import Table, copy_table
from canasta_notation.findings import Finding
from canasta_notation.notation.document import UNCOUNTED, Deal, Game, Ruling, Turn
from canasta_notation.replay.causes import Causes
from canasta_notation.replay.end_lines import FinalTable
from canasta_notation.replay.game_report import Doubt
from canasta_notation.replay.meld_cards import nothing_laid
from canasta_notation.replay.moment import Observer
from canasta_notation.replay.totals import GameSoFar


@dataclass(slots=True)
class ReplayBudget:
    """How many turns may still be tried in a game, to find unwritten discards."""

    turns: int = 3_000


@dataclass(frozen=True, slots=True)
class Context:
    """What the deals of a game share.

    `first` is the place (from 0) of the first deal with a number, by its number. `lost` are the
    numbers of the game's lost lines, in order.
    """

    game: Game
    observer: Observer | None
    budget: ReplayBudget
    first: Mapping[int, int]
    lost: Sequence[int]


class DealReplay:
    """What a replay knows of its deal so far."""

    #: The deal's dealer: a seat, or -1 if it is not known.
    dealer: int
    #: The deal with the up cards and hands that its stock line says.
    dealt: Deal
    #: Whether the stock line can be followed card by card.
    stocked: bool
    #: The table at which the deal is replayed.
    table: Table
    #: Everything that the play depends on except the rules and the deal's own lines.
    begun: tuple[object, ...]

    def __init__(self, context: Context, so_far: GameSoFar, at: int, deal: Deal) -> None:
        self.context = context
        #: The game's standing, which grows from deal to deal.
        self.so_far = so_far
        self.rules = so_far.rules
        self.at = at
        self.deal = deal
        self.sheet = _is_sheet(deal, followed=self.followed)
        self.findings: list[Finding] = []
        self.doubts: list[Doubt] = []
        self.causes = Causes(self.rules)
        self.unchecked_from: int | None = None
        self.first_unread = min(deal.unread, default=None)
        #: The number of the turn being replayed, and the seat that played last.
        self.turn: int | None = None
        self.seat = 0
        #: The finding for a dealer who was not due.
        self.false_dealer: Finding | None = None
        #: The finding for the first of several turns out of turn, if the last turn is one of them.
        self.misplaced: Finding | None = None
        #: The difference between the last turn's number and its place.
        self.shift = 0
        #: The cards of each side's melds, kept if the deal has `melds` lines.
        self.laid = nothing_laid(len(self.rules.sides))
        #: Why the deal counts nothing: one of UNCOUNTED, "" for a deal that counts.
        self.uncounted = ""
        #: The table of a deal that is recorded only by the table at its end.
        self.final: FinalTable | None = None

    @property
    def followed(self) -> bool:
        """Whether another deal follows."""
        return self.at + 1 < len(self.context.game.deals)

    @property
    def end_line(self) -> int:
        """The number of the first line after the deal's play, or of where it would be."""
        deal = self.deal
        ended = (deal.end, *deal.end_lines, *deal.scores, deal.total)
        after = [line.span.line for line in ended if line]
        if after:
            return min(after)
        return line_number(deal.play[-1]) + 1 if deal.play else deal.span.line + 1

    def is_unchecked(self, line: int) -> bool:
        """Return whether a line is not checked; note the first such line."""
        if self.unchecked_from is not None:
            return True
        if not self.table.knowable:
            self.unchecked_from = line
        elif self.first_unread is not None and self.first_unread < line:
            self.unchecked_from = self.first_unread
        return self.unchecked_from is not None

    @property
    def is_wrong(self) -> bool:
        """Whether anything is wrong with the deal so far."""
        return any(finding.severity == "error" for finding in self.findings)

    def copy(self) -> DealReplay:
        """Return a copy that shares no mutable state."""
        other = copy(self)
        other.so_far = self.so_far.copy()
        other.table = copy_table(self.table)
        other.findings = self.findings[:]
        other.doubts = self.doubts[:]
        other.causes = self.causes.copy()
        return other


def _is_sheet(deal: Deal, *, followed: bool) -> bool:
    """Return whether a deal is a score sheet: it has no turns and no table at its end.

    It has scores, totals or an end line, or it is `followed` by another deal. If cards were dealt,
    it needs the end line; without it, the play is missing. A deal that counts nothing, and one
    without scores, may have been broken off before its first turn.
    """
    if deal.turns or deal.end_lines:
        return False
    scored, end = bool(deal.scores or deal.total), deal.end
    if deal.hands or deal.up or deal.stock:
        broken = (*UNCOUNTED, *([] if scored else ["unfinished"]))
        return end is not None and end.reason not in broken
    return scored or end is not None or (followed and not deal.unread)


def line_number(line: Turn | Ruling) -> int:
    """Return the number of the line of a turn or a penalty."""
    return line.line if isinstance(line, Turn) else line.span.line
