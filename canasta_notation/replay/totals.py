"""The standing of a game: each side's total, who deals next, who has won, and the Result tag."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from math import gcd
from typing import TYPE_CHECKING

from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.scoring import winner_of
from canasta_notation.engine.table import NOT_KNOWN
from canasta_notation.findings import Finding
from canasta_notation.replay.game_report import ResultReport, only
from canasta_notation.rules import Profile, entry

if TYPE_CHECKING:
    from canasta_notation.replay.header import Header


class GameSoFar:
    """The standing of a game after the deals so far.

    `ranges` is what each side's total can be (points, least to most), None if it is not known. It
    is computed if the play is known; otherwise it is what the record claims.
    """

    def __init__(self, header: Header, profile: Profile, game: int) -> None:
        self.header = header
        self.rules = rules_of(profile)
        self.game = game
        #: The seat that deals next, -1 if it is not known; and whether it surely is the dealer.
        self.dealer = profile.seats.index(header.dealer) if header.dealer else -1
        self.dealer_sure = True
        self.ranges: list[range | None] = [range_of({0})] * len(self.rules.sides)
        #: Each side's total by the record alone: the last claimed total plus the scores since.
        self.claimed: list[int] = [0] * len(self.rules.sides)
        #: By side, the finding of the last total or score in it that is false.
        self.false_claims: list[Finding | None] = [None] * len(self.rules.sides)
        #: How many deals were void, whether the last one was, and whether time ran out, which ends
        #: the game.
        self.void_deals = 0
        #: How many deals count.
        self.played = 0
        self.redealt = False
        self.timed_out = False
        #: The place (from 0) of the first deal after the game was over.
        self.after_game: int | None = None
        #: The first of the series of false deal numbers that ends with the last deal.
        self.false_number: Finding | None = None

    def copy(self) -> GameSoFar:
        """Return a copy that shares no mutable state."""
        other = copy(self)
        other.ranges = self.ranges[:]
        other.claimed = self.claimed[:]
        other.false_claims = self.false_claims[:]
        return other

    @property
    def totals(self) -> list[int]:
        """Each side's total, NOT_KNOWN if it is not one number."""
        return [reach[0] if reach and len(reach) == 1 else NOT_KNOWN for reach in self.ranges]

    def forget(self) -> None:
        """Forget the totals and the dealer due, because a deal is missing or could not be read."""
        self.ranges = [None] * len(self.ranges)
        self.dealer = -1

    def winner(self) -> int:
        """Return the side that has surely won, or -1: at the target, with more than any other.

        If time ran out, the target need not be reached.
        """
        known = [reach for reach in self.ranges if reach is not None]
        if len(known) < len(self.ranges):
            return -1
        most = [reach[-1] for reach in known]
        for at, reach in enumerate(known):
            # Compare the side's least total with the greatest total of every other side.
            if self._winner_of([*most[:at], reach[0], *most[at + 1 :]]) == at:
                return at
        return -1

    def _winner_of(self, totals: list[int]) -> int:
        """Return the side that has won with these totals, or -1."""
        if not self.timed_out:
            return winner_of(self.rules, totals, self.played)
        best = max(totals)
        return totals.index(best) if totals.count(best) == 1 else -1

    def won_by(self, winner: int) -> str:
        """Return the rule by which a side has won: the target, or the number of deals."""
        reached = self.ranges[winner]
        return "target" if reached and reached[0] >= self.rules.target else "game.deals"

    def result(self) -> tuple[ResultReport, tuple[Finding, ...]]:
        """Judge the Result tag and return the standing of the game."""
        sides, tag = self.rules.sides, self.header.result_tag
        totals = {side: only(reach) for side, reach in zip(sides, self.ranges, strict=True)}
        winner = self.winner()
        finding = self._judge_result(winner)
        report = ResultReport(
            totals,
            sides[winner] if winner >= 0 else None,
            True if self.timed_out or winner >= 0 else None if None in totals.values() else False,
            tag.value if tag else None,
            finding is None,
        )
        return report, () if finding is None else (finding,)

    def _judge_result(self, winner: int) -> Finding | None:
        claimed, tag = self.header.result, self.header.result_tag
        if claimed is None or tag is None:
            return None
        ranges = dict(zip(self.rules.sides, self.ranges, strict=True))
        computed = " ".join(
            f"{side} {spell_amounts(reach) if reach else '?'}" for side, reach in ranges.items()
        )
        message, key = "false", ""
        wrong = [
            at
            for at, (side, reach) in enumerate(ranges.items())
            if reach is not None and claimed.get(side, reach[0]) not in reach
        ]
        if not claimed and winner >= 0:
            message, key, wrong = "won", self.won_by(winner), [winner]
            if self.timed_out:
                message, key = "time", ""
        elif not wrong:
            return None
        cause = self._repeated(claimed, wrong)
        facts = {"computed": computed, "claimed": tag.value, "side": max(winner, 0)}
        return entry("result").finding(
            message, facts, tag.value_span, self.rules.profile, key, game=self.game, follows=cause
        )

    def _repeated(self, result: dict[str, int], wrong: list[int]) -> Finding | None:
        """Return the false claim that a Result tag, false for the wrong sides, repeats."""
        if result:
            repeats = all(result.get(self.rules.sides[at]) == self.claimed[at] for at in wrong)
        else:
            # By the claims, nobody has won.
            repeats = self._winner_of(self.claimed) < 0
        false = (self.false_claims[at] for at in wrong if repeats)
        return next((each for each in false if each is not None), None)


def spell_amounts(amounts: Collection[int], claimed: int | None = None) -> str:
    """Return amounts in words: one number, two numbers, or the bounds of several.

    If a claimed amount lies between the bounds, the gap around it is named too.
    """
    if len(amounts) == 1:
        return str(min(amounts))
    if len(amounts) == 2:
        return f"{min(amounts)} or {max(amounts)}"
    if isinstance(amounts, range):
        # A range may be too long to search for the gap.
        return f"{amounts[0]} to {amounts[-1]} in steps of {amounts.step}"
    bounds = f"{min(amounts)} to {max(amounts)}"
    below = max((each for each in amounts if claimed is not None and each < claimed), default=None)
    above = min((each for each in amounts if claimed is not None and each > claimed), default=None)
    if below is None or above is None:
        return bounds
    return f"{bounds} (none between {below} and {above})"


def range_of(amounts: Collection[int]) -> range:
    """Return the shortest range, with a common step, that contains the amounts (at least one)."""
    if isinstance(amounts, range):
        return amounts
    least = min(amounts)
    return range(least, max(amounts) + 1, gcd(*[each - least for each in amounts]) or 1)


def add_ranges(one: range, other: range) -> range:
    """Return a range with every sum of an amount from each range; it may contain more."""
    steps = [each.step for each in (one, other) if len(each) > 1]
    return range(one[0] + other[0], one[-1] + other[-1] + 1, gcd(*steps) or 1)
