"""The standing of a game: each side's total, who deals next, who has won, and the Result tag."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class Due:
    """The dealer and number that a deal should have after the deals before it.

    `dealer` is a seat or -1; it is `sure` unless an earlier one was false. `shift` is how far the
    last deal's number was from its place, and `false_number` is the first of the series of false
    numbers that ends with it. `began` is the finding that the wrong seat began the last deal; if
    that seat was right after all, `other` is the dealer due.
    """

    dealer: int = -1
    sure: bool = True
    shift: int = 0
    false_number: Finding | None = None
    began: Finding | None = None
    other: int = -1


class GameTotals:
    """The standing of a game after the deals so far.

    `spans` is what each side's total can be (points, least to most), None if it is not known. It is
    computed if the play is known, else it is what the record claims.
    """

    def __init__(self, header: Header, profile: Profile, game: int) -> None:
        self.header = header
        self.rules = rules_of(profile)
        self.game = game
        self.due = Due(profile.seats.index(header.dealer) if header.dealer else -1)
        self.spans: list[range | None] = [span_of({0})] * len(self.rules.sides)
        #: What the record makes of each side's total: the last claimed total, and the scores since.
        self.claimed: list[int] = [0] * len(self.rules.sides)
        #: By side, the finding of the last total or score in it that is false.
        self.false_claims: list[Finding | None] = [None] * len(self.rules.sides)
        #: The finding for the first deal after the game was won, and the totals that won it.
        self.after_game: Finding | None = None
        self.won: list[int] = []
        #: By side, the false deal number that shows that deals are missing, until the side's next
        #: claimed total.
        self.jumped: list[Finding | None] = [None] * len(self.rules.sides)
        #: By side, its false total if the total may be true and the score beside it false.
        self.disputed: list[Finding | None] = [None] * len(self.rules.sides)
        #: By profile: the first finding about a seat or side that only that profile has.
        self.strangers: dict[str, Finding] = dict(header.strangers)
        #: The false number that shows that the last deal is misplaced.
        self.jump: Finding | None = None

    def copy(self) -> GameTotals:
        """Return a copy that shares no mutable state."""
        other = copy(self)
        other.spans = self.spans[:]
        other.claimed = self.claimed[:]
        other.false_claims = self.false_claims[:]
        other.jumped = self.jumped[:]
        other.disputed = self.disputed[:]
        other.strangers = self.strangers.copy()
        return other

    @property
    def totals(self) -> list[int]:
        """Each side's total, NOT_KNOWN if it is not one number."""
        return [span[0] if span and len(span) == 1 else NOT_KNOWN for span in self.spans]

    def forget(self) -> None:
        """Forget the totals and the dealer due, because a deal could not be read."""
        self.spans = [None] * len(self.spans)
        self.due = replace(self.due, dealer=-1, sure=False)

    def winner(self) -> int:
        """Return the side that has surely won, or -1: at the target, with more than any other."""
        known = [span for span in self.spans if span is not None]
        if len(known) < len(self.spans):
            return -1
        most = [span[-1] for span in known]
        for at, span in enumerate(known):
            # Compare the side's least total with the greatest total of every other side.
            if winner_of(self.rules, [*most[:at], span[0], *most[at + 1 :]]) == at:
                return at
        return -1

    def misleading(self) -> list[Finding | None]:
        """Return by side the false claim, if any, for which the next deal may be played wrongly.

        Either the total may be true and the score beside it false, or by the claimed totals nobody
        has won yet.
        """
        found = self.disputed[:]
        winner = self.winner()
        if winner >= 0 and winner_of(self.rules, self.claimed) < 0:
            found[winner] = found[winner] or self.false_claims[winner]
        return found

    def misled(self, side: int, count: int) -> Finding | None:
        """Return the false claim by which an opening that counts too little would suffice."""
        return self.false_claims[side] if count >= self.rules.minimum(self.claimed[side]) else None

    def result(self) -> tuple[ResultReport, tuple[Finding, ...]]:
        """Judge the Result tag and return the standing of the game."""
        sides, tag = self.rules.sides, self.header.result_tag
        totals = {side: only(span) for side, span in zip(sides, self.spans, strict=True)}
        winner = self.winner()
        finding = self._judge_result(winner)
        report = ResultReport(
            totals,
            sides[winner] if winner >= 0 else None,
            True if winner >= 0 else None if None in totals.values() else False,
            tag.value if tag else None,
            finding is None,
        )
        return report, () if finding is None else (finding,)

    def _judge_result(self, winner: int) -> Finding | None:
        claimed, tag = self.header.result, self.header.result_tag
        if claimed is None or tag is None:
            return None
        spans = dict(zip(self.rules.sides, self.spans, strict=True))
        computed = " ".join(
            f"{side} {spell_amounts(span) if span else '?'}" for side, span in spans.items()
        )
        message, key = "false", ""
        wrong = [
            at
            for at, (side, span) in enumerate(spans.items())
            if span is not None and claimed.get(side, span[0]) not in span
        ]
        if not claimed and winner >= 0:
            message, key = "won", "target"
            misleading = (each for each in self.misleading() if each is not None)
            cause = self.header.false_target or next(misleading, None) or self.after_game
        elif wrong:
            cause = self._cause_of_result(claimed, wrong)
        else:
            return None
        facts = {"computed": computed, "claimed": tag.value, "side": max(winner, 0)}
        return entry("result").finding(
            message, facts, tag.value_span, self.rules.profile, key, game=self.game, follows=cause
        )

    def _cause_of_result(self, result: dict[str, int], wrong: list[int]) -> Finding | None:
        """Return the finding from which a Result tag that is false for the wrong sides follows."""
        claimed = [result.get(side) for side in self.rules.sides]
        if all(claimed[at] == self.claimed[at] for at in wrong):
            for at in wrong:
                if self.false_claims[at] is not None:
                    return self.false_claims[at]
        return self.after_game if claimed == self.won else self.jump


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


def span_of(amounts: Collection[int]) -> range:
    """Return the shortest range, with a common step, that contains the amounts (at least one)."""
    if isinstance(amounts, range):
        return amounts
    least = min(amounts)
    return range(least, max(amounts) + 1, gcd(*[each - least for each in amounts]) or 1)


def add_spans(one: range, other: range) -> range:
    """Return a range with every sum of an amount from each range; it may contain more."""
    steps = [each.step for each in (one, other) if len(each) > 1]
    return range(one[0] + other[0], one[-1] + other[-1] + 1, gcd(*steps) or 1)
