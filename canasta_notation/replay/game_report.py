"""The report of a replay, as values; and the sums of a score's entries by item.

Figures are points; a figure that the record cannot decide is None.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from canasta_notation.engine.amounts import ScoreEntry
from canasta_notation.engine.scoring import score_side
from canasta_notation.engine.state import State
from canasta_notation.engine.table import OUT, SPECIAL
from canasta_notation.english import count, figure
from canasta_notation.findings import Finding, Verdict, worst
from canasta_notation.names import names_in, seatings
from canasta_notation.notebook import table_html, text_html
from canasta_notation.rules.items import ITEMS

if TYPE_CHECKING:
    from canasta_notation.scan.scan_state import ScannedDeal
    from canasta_notation.scan.verified import VerifiedGame


@dataclass(frozen=True, slots=True)
class Doubt:
    """A check that the record cannot decide: its code, and the turn and line where it arose."""

    code: str
    turn: int | None
    line: int


@dataclass(frozen=True, slots=True)
class Claims:
    """What the record claims for a side in a deal: items (None if none are written), and sums."""

    items: dict[str, int] | None = None
    score: int | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class SideReport:
    """A side's score of a deal: its entries, its sums, and what was claimed.

    `items` are the entries summed by item; `total` is the side's total after the deal. If the
    claimed total is false and several others are possible, they are in `possible_totals`. If only
    the claim shows what the total is, it is `taken` from there; on a score sheet without the score,
    the difference from the total before is then `between`.
    """

    side: str
    entries: tuple[ScoreEntry, ...]
    items: dict[str, int | None]
    score: int | None
    total: int | None
    claimed: Claims
    agrees: bool
    possible_totals: range | None = None
    taken: bool = False
    between: int | None = None

    @property
    def scored(self) -> int | None:
        """The score as it is computed, else as it is written, else as the totals show it."""
        found = (self.score, self.claimed.score, self.between)
        return next((each for each in found if each is not None), None)


@dataclass(frozen=True, slots=True)
class DealReport:
    """A deal as replayed. `ended` is "out", "stock", "special" or None while play is open.

    `uncounted` says why it counts nothing: "void", or "time" if time ran out; "" if it counts.
    """

    deal: int
    line: int
    ended: str | None
    by: str | None
    turns: int
    sides: tuple[SideReport, ...]
    findings: tuple[Finding, ...]
    doubts: tuple[Doubt, ...]
    #: The first line of the deal that was not checked, or None.
    unchecked_from: int | None = None
    #: A deal with scores and no turns.
    sheet: bool = False
    #: A deal recorded by the table at its end, without turns.
    final: bool = False
    #: The table as its lines at the end show it, if the play could not be followed that far.
    shown: State | None = None
    uncounted: str = ""

    @property
    def how(self) -> str | None:
        """How the deal ended, by its play or because it counts nothing; None if it did not end."""
        return self.uncounted or self.ended

    def __repr__(self) -> str:
        ended = f"{self.how or 'not ended'} {self.by or ''}".strip()
        scores = " ".join(f"{side.side} {figure(side.score)}" for side in self.sides)
        turns = count(self.turns, "turn")
        return f"<DealReport {self.deal}, {ended}, {turns}, {self.verdict}: {scores}>"

    @property
    def verdict(self) -> Verdict:
        """Contradicted if there is an error, undetermined if something is not known."""
        if any(finding.severity == "error" for finding in self.findings):
            return "contradicted"
        if self.doubts or self.unchecked_from is not None or self.sheet or self.final:
            return "undetermined"
        return "verified"


@dataclass(frozen=True, slots=True)
class ResultReport:
    """The result of the game after its last deal."""

    totals: dict[str, int | None]
    winner: str | None
    finished: bool | None
    claimed: str | None
    agrees: bool


@dataclass(frozen=True, slots=True)
class GameReport:
    """A game as replayed. `rules` is the profile's name, None if it could not be read.

    `rules_text` is the name with the record's overrides, as a Rules tag writes them. `names` are
    those of the players by their seats, without those that the record does not name.
    """

    game: int
    rules: str | None
    deals: tuple[DealReport, ...]
    result: ResultReport
    #: Findings of the text, the tags and the result, which do not belong to a deal.
    outside: tuple[Finding, ...] = ()
    rules_text: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    #: Who played from a deal on (from 1), if a player was substituted; see `names.seatings`.
    seatings: Mapping[int, Mapping[str, str]] = field(default_factory=dict)

    def names_at(self, deal: int) -> Mapping[str, str]:
        """Return the names of the players of a deal, from 1."""
        begun = [each for each in self.seatings if each <= deal]
        return self.seatings[max(begun)] if begun else self.names

    @property
    def verdict(self) -> Verdict:
        """The worst of the deals; contradicted if there is an error outside them."""
        if any(finding.severity == "error" for finding in self.outside):
            return "contradicted"
        return worst([deal.verdict for deal in self.deals] or ["verified"])

    @property
    def turns(self) -> int:
        """The number of turns in all deals."""
        return sum(deal.turns for deal in self.deals)

    @property
    def totals(self) -> dict[str, int | None]:
        """The totals of the sides after the last deal, None if the record does not decide them."""
        return self.result.totals

    @property
    def winner(self) -> str | None:
        """The side that has won, None if none has yet or the record does not decide it."""
        return self.result.winner

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of text and tags, then those of each deal, then of the result."""
        early = [finding for finding in self.outside if finding.code != "result"]
        deals = [finding for deal in self.deals for finding in deal.findings]
        late = [finding for finding in self.outside if finding.code == "result"]
        return (*early, *deals, *late)

    def __repr__(self) -> str:
        return f"<GameReport {self.rules}, {count(len(self.deals), 'deal')}, {self}>"

    def _repr_html_(self) -> str:
        """Return the scores and totals, the verdict and the findings, for a notebook."""
        sides = [*self.totals]
        rows = [(deal.deal, deal.how, *(each.scored for each in deal.sides)) for deal in self.deals]
        rows.append(("", "total", *self.totals.values()))
        scores = table_html(("deal", "ended", *sides), rows)
        return scores + text_html("\n".join([str(self), *map(str, self.findings)]))

    def __str__(self) -> str:
        totals = " ".join(f"{side} {figure(total)}" for side, total in self.totals.items())
        won = f"; {self.winner} won" if self.winner else ""
        return f"{self.verdict}: {totals}{won}"


def change_findings(report: GameReport, **changes: Any) -> GameReport:
    """Return the report with fields of every finding changed."""
    change = changing(**changes)
    deals = [replace(deal, findings=tuple(map(change, deal.findings))) for deal in report.deals]
    return replace(report, deals=tuple(deals), outside=tuple(map(change, report.outside)))


def changing(**changes: Any) -> Callable[[Finding], Finding]:
    """Return a function that changes fields of a finding, and of those that it follows."""
    made: dict[int, Finding] = {}

    def change(finding: Finding) -> Finding:
        if id(finding) not in made:
            cause = finding.follows and change(finding.follows)
            made[id(finding)] = replace(finding, **changes, follows=cause)
        return made[id(finding)]

    return change


def sum_items(entries: Iterable[ScoreEntry]) -> dict[str, set[int] | None]:
    """Return the possible amounts of each item, in the order in which items are shown."""
    by_item: dict[str, list[set[int] | None]] = {}
    for entry in entries:
        by_item.setdefault(entry.item, []).append(entry.possible)
    return {item: add_possible(by_item[item]) for item in ITEMS if item in by_item}


def only(amounts: Collection[int] | None) -> int | None:
    """Return the amount if there is exactly one, else None."""
    return min(amounts) if amounts is not None and len(amounts) == 1 else None


def add_possible(sets: list[set[int] | None]) -> set[int] | None:
    """Return every sum of one amount from each set, or None if a set is not known."""
    sums = {0}
    for each in sets:
        if each is None:
            return None
        sums = {one + other for one in sums for other in each}
    return sums


# --- games that the fast path verified ------------------------------------------------------------


def report_verified(game: VerifiedGame) -> GameReport:
    """Return the report of a game that was scanned with its rows, without a replay."""
    deals = tuple(_verified_deal(number, deal) for number, deal in enumerate(game.scanned.deals, 1))
    sides = game.profile.side_names
    winner = sides[game.winner] if game.winner >= 0 else None
    result = ResultReport(
        dict(zip(sides, game.totals, strict=True)),
        winner,
        winner is not None,
        game.tags.get("Result"),
        agrees=True,
    )
    seats = game.profile.seats
    names, later = names_in(game.tags, seats), seatings(game.tags, seats)
    return GameReport(game.game, game.rules, deals, result, (), game.profile.text, names, later)


def _verified_deal(number: int, deal: ScannedDeal) -> DealReport:
    table = deal.table
    sides = tuple(_verified_side(deal, at) for at in range(len(deal.sums)))
    by = table.rules.seats[table.ended_by] if table.ended in (OUT, SPECIAL) else None
    return DealReport(number, deal.line, table.ended, by, table.turn, sides, (), ())


def _verified_side(deal: ScannedDeal, at: int) -> SideReport:
    """Return the report of a side; what the record claims for it is true."""
    sums, listed, total = deal.sums[at], deal.claimed[at], deal.totals[at]
    claimed = Claims(
        {ITEMS[item]: sums.points[item] for item in listed} if listed else None,
        None if listed is None else sums.total(),
        total if deal.totalled >> at & 1 else None,
    )
    return SideReport(
        deal.table.rules.sides[at],
        tuple(score_side(deal.table, at)),
        {ITEMS[item]: sums.points[item] for item in sums.written()},
        sums.total(),
        total,
        claimed,
        agrees=True,
    )
