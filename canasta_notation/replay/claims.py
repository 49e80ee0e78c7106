"""Claims of scores, totals and the result, held against what the play was worth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from canasta_notation.engine.rules import Rules
from canasta_notation.engine.scoring import ScoreEntry, add_possible, score_side
from canasta_notation.engine.side import NOT_KNOWN
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import ScoreLine
from canasta_notation.replay.locate import Locating
from canasta_notation.replay.report import (
    Claims,
    Doubt,
    ResultReport,
    SideReport,
    only,
    sum_items,
)
from canasta_notation.replay.sheets import impossible_items
from canasta_notation.replay.wording import words
from canasta_notation.rules import Profile

if TYPE_CHECKING:
    from canasta_notation.replay.header import Header


class Claimant:
    """The totals of a game as they grow, and the claims that are made of them.

    `totals` are computed where the play is known, else those that the record claims, else
    NOT_KNOWN.
    """

    def __init__(self, profile: Profile, rules: Rules, game: int) -> None:
        self.profile = profile
        self.rules = rules
        self.game = game
        self.totals: list[int] = [0] * len(rules.sides)
        #: What the record last claimed, and the findings of those claims that were false.
        self.claimed: list[int] = [0] * len(rules.sides)
        self.false_totals: list[Finding | None] = [None] * len(rules.sides)

    # --- a deal ---------------------------------------------------------------------------------

    def forget(self) -> None:
        """Give up the totals: a deal before this one could not be read."""
        self.totals = [NOT_KNOWN] * len(self.totals)

    def judge_after_game(self, replay: Locating) -> None:
        """Report a deal that is dealt although the game has been won."""
        winner = self.winner()
        if winner >= 0:
            total = self.totals[winner]
            span = replay.deal.span
            replay.find("after-game", "won", span, "target", side=winner, total=total)

    def deal(self, replay: Locating, scored: bool) -> list[SideReport]:
        """Judge the claims of a deal and return each side's report; adds to the totals.

        `scored` says that the deal ended and everything on the table is known to the engine.
        """
        reports = []
        lines = {line.side: line for line in replay.deal.scores}
        for line in replay.deal.scores:
            if line.side not in self.rules.sides:
                replay.find("score", "side", line.span, "players", name=line.side)
        for at, name in enumerate(self.rules.sides):
            entries = score_side(replay.play, at) if scored else []
            reports.append(self._side(replay, at, entries, lines.get(name), scored))
        if replay.deal.total:
            for name, _ in replay.deal.total.totals:
                if name not in self.rules.sides:
                    replay.find("total", "side", replay.deal.total.span, "players", name=name)
        return reports

    def _side(
        self,
        replay: Locating,
        at: int,
        entries: list[ScoreEntry],
        line: ScoreLine | None,
        scored: bool,
    ) -> SideReport:
        name = self.rules.sides[at]
        items = sum_items(entries)
        possible = add_possible(list(items.values())) if scored else None
        before = len(replay.findings)
        finding: Finding | None = None
        if line is not None:
            finding = self._judge_score(replay, at, line, items, possible, scored)
        score = only(possible)
        worths = _claimed_worths(line) if possible is None else possible
        total = self._judge_total(replay, at, worths, line, finding)
        previous = self.totals[at]
        worth = score if score is not None or line is None else line.score
        if total is not None and total - previous in worths:
            worth = total - previous
        elif replay.is_open() and line is None and total is None:
            worth = 0
        if previous != NOT_KNOWN and worth is not None:
            self.totals[at] = previous + worth
        else:
            self.totals[at] = NOT_KNOWN if total is None else total
        claimed = Claims(
            dict(line.items) if line and line.items is not None else None,
            line.score if line else None,
            total,
        )
        return SideReport(
            name,
            tuple(entries),
            {item: only(amounts) for item, amounts in items.items()},
            score,
            None if self.totals[at] == NOT_KNOWN else self.totals[at],
            claimed,
            agrees=len(replay.findings) == before,
        )

    # --- a score --------------------------------------------------------------------------------

    def _judge_score(
        self,
        replay: Locating,
        at: int,
        line: ScoreLine,
        items: dict[str, set[int] | None],
        possible: set[int] | None,
        scored: bool,
    ) -> Finding | None:
        """Judge a score line; return the finding of a false score."""
        cause = None
        if line.items is not None:
            before = len(replay.findings)
            if scored:
                self._judge_items(replay, at, line, items)
            elif replay.sheet:
                self._judge_sheet(replay, at, line)
            cause = replay.findings[before] if len(replay.findings) > before else None
            written = sum(points for _, points in line.items)
            if written != line.score:
                item, cause = cause, replay.find(
                    "score-sum", "sum", score_span(line), claimed=line.score,
                    computed=written, name=line.side,
                )  # fmt: skip
                if item is not None and possible is not None and line.score in possible:
                    # The score is true: it is the false item that makes the sum another.
                    cause = replay.findings[-1] = replace(cause, follows=item)
        if not scored:
            return cause
        if possible is None or line.score in possible:
            if possible is None or len(possible) > 1:
                replay.doubts.append(Doubt("score", None, line.span.line))
            return None
        finding = replay.find(
            "score", "false", score_span(line), name=line.side,
            computed=spell(possible), claimed=line.score,
        )  # fmt: skip
        if cause is not None:
            finding = replay.findings[-1] = replace(finding, follows=cause)
        return finding

    def _judge_items(
        self, replay: Locating, at: int, line: ScoreLine, items: dict[str, set[int] | None]
    ) -> None:
        """Judge written items against computed ones; an item not written is claimed to be 0."""
        assert line.items is not None
        written = dict(line.items)
        netted = {"melds", "hand"} if "cards" in written else set()
        if netted & written.keys():
            self._impossible(replay, line, "cards", "it stands for melds and hand together")
            return
        computed = dict(items)
        if "cards" in written:
            computed["cards"] = add_possible([items.get("melds", {0}), items.get("hand", {0})])
        for item, points in written.items():
            if item not in self.known_items() and points:
                replay.find("score-item", "unknown", item_span(line, item), item=item)
                continue
            amounts = computed.get(item, {0})
            if amounts is not None and points not in amounts:
                key = self._key(replay, at, item)
                replay.find(
                    "score-item", "false", item_span(line, item), key, item=item,
                    name=line.side, computed=spell(amounts), claimed=points,
                )  # fmt: skip
            elif amounts is None or len(amounts) > 1:
                replay.doubts.append(Doubt("score-item", None, line.span.line))
        for item, amounts in computed.items():
            if item in written or item in netted or amounts is None or 0 in amounts:
                continue
            key = self._key(replay, at, item)
            replay.find(
                "score-item", "missing", score_span(line), key, item=item, name=line.side,
                computed=spell(amounts),
            )  # fmt: skip

    def _key(self, replay: Locating, at: int, item: str) -> str:
        """Return the key that an item's first entry rests on."""
        entries = score_side(replay.play, at)
        return next((entry.key for entry in entries if entry.item == item), "")

    def known_items(self) -> set[str]:
        """Return the items that a score under the profile can have."""
        items = {"melds", "natural", "mixed", "out", "hand", "penalty", "cards"}
        rules = self.rules
        items.add("threes" if rules.black_tabled else "red3")
        optional = {
            "concealed": rules.score_concealed,
            "concealed-canasta": rules.score_concealed_canasta,
            "sevens": rules.score_sevens,
            "aces": rules.score_aces,
            "wild": len(rules.score_wild),
            "unfinished": len(rules.score_unfinished),
            "held": rules.score_held,
            "special": len(rules.special),
        }
        return items | {item for item, points in optional.items() if points}

    def _judge_sheet(self, replay: Locating, at: int, line: ScoreLine) -> None:
        """Judge the items of a deal that has no play: which of them cannot be."""
        for item, why, key in impossible_items(self.known_items(), replay, at, line):
            self._impossible(replay, line, item, why, key)

    def _impossible(
        self, replay: Locating, line: ScoreLine, item: str, why: str, key: str = ""
    ) -> None:
        claimed = dict(line.items or ()).get(item, 0)
        span = item_span(line, item)
        replay.find("score-item", "impossible", span, key, item=item, claimed=claimed, why=why)

    # --- totals ---------------------------------------------------------------------------------

    def _judge_total(
        self,
        replay: Locating,
        at: int,
        worths: set[int],
        line: ScoreLine | None,
        false_score: Finding | None,
    ) -> int | None:
        """Judge the claimed total of a side; return it, or None where there is none.

        `worths` are what the deal can have been worth to the side, none where that is not known.
        """
        total_line = replay.deal.total
        name = self.rules.sides[at]
        claimed = None if total_line is None else dict(total_line.totals).get(name)
        if claimed is None or total_line is None:
            return None
        previous = self.totals[at]
        if previous == NOT_KNOWN or not worths:
            replay.doubts.append(Doubt("total", None, total_line.span.line))
        elif claimed - previous not in worths:
            index = [side for side, _ in total_line.totals].index(name)
            places = total_line.totals_at or (total_line.span[1:],) * len(total_line.totals)
            span = Span(total_line.span.line, *places[index])
            finding = replay.find(
                "total", "false", span, name=name, claimed=claimed,
                computed=spell({previous + worth for worth in worths}),
            )  # fmt: skip
            cause = self._cause(at, claimed, line, worths, false_score)
            self.false_totals[at] = finding
            if cause is not None:
                finding = replay.findings[-1] = replace(finding, follows=cause)
                self.false_totals[at] = finding
        self.claimed[at] = claimed
        return claimed

    def _cause(
        self,
        at: int,
        claimed: int,
        line: ScoreLine | None,
        worths: set[int],
        false_score: Finding | None,
    ) -> Finding | None:
        """Return the false claim that a false total only repeats."""
        bases = {self.totals[at], self.claimed[at]}
        if false_score and line and claimed - line.score in bases:
            return false_score
        if claimed - self.claimed[at] in worths:
            return self.false_totals[at]
        return None

    # --- the game -------------------------------------------------------------------------------

    def winner(self) -> int:
        """Return the side that has won, or -1: the highest total, alone, at the target or over."""
        known = [total for total in self.totals if total != NOT_KNOWN]
        if len(known) < len(self.totals) or max(known) < self.rules.target:
            return -1
        best = max(known)
        return -1 if known.count(best) > 1 else self.totals.index(best)

    def result(self, header: Header) -> tuple[ResultReport, tuple[Finding, ...]]:
        """Judge the Result tag and return how the game stands."""
        sides = self.rules.sides
        totals = {
            side: None if total == NOT_KNOWN else total
            for side, total in zip(sides, self.totals, strict=True)
        }
        known = NOT_KNOWN not in self.totals
        winner = self.winner()
        finding = self._judge_result(header, totals, winner)
        report = ResultReport(
            totals,
            sides[winner] if winner >= 0 else None,
            winner >= 0 if known else None,
            header.result_tag.value if header.result_tag else None,
            finding is None,
        )
        return report, () if finding is None else (finding,)

    def _judge_result(
        self, header: Header, totals: dict[str, int | None], winner: int
    ) -> Finding | None:
        if header.result is None or header.result_tag is None:
            return None
        computed = " ".join(f"{side} {total}" for side, total in totals.items())
        message = ""
        if not header.result and winner >= 0:
            message = "won"
        elif any(
            total is not None and total != header.result.get(side, total)
            for side, total in totals.items()
        ):
            message = "false"
        if not message:
            return None
        text, label, help_text = words(
            "result",
            message,
            {"computed": computed, "claimed": header.result_tag.value, "side": max(winner, 0)},
            self.rules.seats,
            self.rules.sides,
        )
        cause = None
        if header.result == dict(zip(self.rules.sides, self.claimed, strict=True)):
            cause = next((each for each in self.false_totals if each is not None), None)
        return Finding(
            "result", "error", text, header.result_tag.value_span, self.game,
            label=label, rule=self.profile.ref("target"), help=help_text, follows=cause,
        )  # fmt: skip


def _claimed_worths(line: ScoreLine | None) -> set[int]:
    """Return what a deal can be worth by its score line: the score, or else what its items sum to.

    Where the two differ one of them is false, and a total that agrees with the other is not.
    """
    if line is None:
        return set()
    return {line.score} | ({sum(points for _, points in line.items)} if line.items else set())


def spell(amounts: set[int]) -> str:
    """Return amounts as they are read: one number, one or another, or the bounds of several."""
    if len(amounts) == 1:
        return str(min(amounts))
    link = "or" if len(amounts) == 2 else "to"
    return f"{min(amounts)} {link} {max(amounts)}"


def score_span(line: ScoreLine) -> Span:
    """Return the place of the score in its line."""
    return Span(line.span.line, *line.score_at)


def item_span(line: ScoreLine, item: str) -> Span:
    """Return the place of an item in a score line, of the score where it is not written."""
    for (name, _), place in zip(line.items or (), line.items_at, strict=False):
        if name == item:
            return Span(line.span.line, *place)
    return score_span(line)
