"""Claims of scores, totals and the result, held against what the play was worth."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from typing import Final

from canasta_notation.engine.amounts import ScoreEntry, add_possible, add_spans, span_of
from canasta_notation.engine.knowledge import is_partly
from canasta_notation.engine.scoring import ITEMS, MELDED, melded_ways
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import ScoreLine
from canasta_notation.replay.bounds import narrow
from canasta_notation.replay.game_report import Claims, Doubt, SideReport, only, sum_items
from canasta_notation.replay.locate import Locating
from canasta_notation.replay.order import Ordered
from canasta_notation.replay.sheets import impossible_items, score_span, spoils_sum
from canasta_notation.replay.totals import Totals, spell_amounts

#: The items that the melds of a side earn.
MELD_ITEMS: Final = ITEMS[:MELDED]


class Claimant(Totals):
    """A game's standing, and the claims that its deals make of scores and totals."""

    # --- a deal ---------------------------------------------------------------------------------

    def begin(self, replay: Ordered) -> None:
        """Let a deal know whose totals are in doubt, and whether the game had been won."""
        if self.after_game is not None:
            replay.causes.doubt(("target",), self.after_game)
        if replay.jump is not None:
            self.jumped = [replay.jump] * len(self.jumped)
        self.jump = replay.jump
        for kind, findings in (("total", self.jumped), ("sum", self.disputed)):
            for name, finding in zip(self.rules.sides, findings, strict=True):
                if finding is not None:
                    replay.causes.doubt((kind, name), finding)

    def judge_after_game(self, replay: Locating) -> None:
        """Report a deal that is dealt although the game has been won."""
        winner = self.winner()
        standing = self.spans[winner] if winner >= 0 else None
        if standing is not None:
            total = spell_amounts(standing)
            span = replay.deal.span
            finding = replay.find("after-game", "won", span, "target", side=winner, total=total)
            self.after_game = self.after_game or finding

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
            entries = replay.entries(at) if scored else []
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
        possible: Collection[int] | None = None
        if scored:
            possible = _possible_scores(replay, at, items)
        before = len(replay.findings)
        finding: Finding | None = None
        if line is not None:
            finding = self._judge_score(replay, at, line, items, possible, scored)
        worths: Collection[int] = _claimed_worths(replay, at, line)
        if possible is not None:
            # A score that can be true is what a true total goes on from.
            worths = _common(worths, possible) or possible
        total = self._judge_total(replay, at, worths, line, finding)
        score = only(possible)
        totals = self._go_on(replay, at, line, worths, possible, total)
        self.spans[at] = span_of(totals) if totals else None
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
            only(self.spans[at]),
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
        possible: Collection[int] | None,
        scored: bool,
    ) -> Finding | None:
        """Judge a score line; return the finding of a false score."""
        cause = spoiling = None
        if line.items is not None:
            before = len(replay.findings)
            if scored:
                self._judge_items(replay, at, line, items)
                if replay.final:
                    self._judge_sheet(replay, at, line, items)
            elif replay.sheet:
                spoiling = self._judge_sheet(replay, at, line, {})
            cause = replay.findings[before] if len(replay.findings) > before else None
            if possible is not None and line.score in possible:
                # The score is true: it is the false item that makes the sum another.
                spoiling = cause
            written = sum(points for _, points in line.items)
            if written != line.score:
                cause = replay.find(
                    "score-sum", "sum", figure_span(line), claimed=line.score,
                    computed=written, name=line.side,
                )  # fmt: skip
                if spoiling is not None:
                    cause = replay.findings[-1] = replace(cause, follows=spoiling)
        if not scored:
            possible = score_span(replay, at) if replay.sheet and line.items is None else None
        if not possible or line.score in possible:
            if scored and (not possible or len(possible) > 1):
                replay.doubts.append(Doubt("score", None, line.span.line))
            return None if scored else cause
        finding = replay.find(
            "score", "false", figure_span(line), name=line.side,
            computed=spell_amounts(possible, line.score), claimed=line.score,
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
        before = len(replay.findings)
        netted = {"melds", "hand"} if "cards" in written else set()
        if netted & written.keys():
            self._impossible(replay, line, "cards", "it stands for melds and hand together")
            return
        computed = dict(items)
        if "cards" in written:
            computed["cards"] = add_possible([items.get("melds", {0}), items.get("hand", {0})])
        for item, points in written.items():
            if item not in self.known_items and points:
                replay.find("score-item", "unknown", item_span(line, item), item=item)
                continue
            amounts = computed.get(item, {0})
            if amounts is not None and points not in amounts:
                key = self._key(replay, at, item)
                replay.find(
                    "score-item", "false", item_span(line, item), key, item=item,
                    name=line.side, computed=spell_amounts(amounts, points), claimed=points,
                )  # fmt: skip
            elif amounts is None or len(amounts) > 1:
                replay.doubts.append(Doubt("score-item", None, line.span.line))
        for item, amounts in computed.items():
            if item in written or item in netted or amounts is None or 0 in amounts:
                continue
            key = self._key(replay, at, item)
            replay.find(
                "score-item", "missing", figure_span(line), key, item=item, name=line.side,
                computed=spell_amounts(amounts),
            )  # fmt: skip

        unsure = is_partly(replay.play, at)
        if unsure and len(replay.findings) == before and "cards" not in written:
            for item, amounts in narrow(melded_ways(replay.play, at), MELD_ITEMS, written)[0]:
                replay.find(
                    "score-item", "false", item_span(line, item), self._key(replay, at, item),
                    item=item, name=line.side, claimed=written.get(item, 0),
                    computed=spell_amounts(amounts, written.get(item, 0)),
                )  # fmt: skip

    def _key(self, replay: Locating, at: int, item: str) -> str:
        """Return the key that an item's first entry rests on."""
        entries = replay.entries(at)
        return next((entry.key for entry in entries if entry.item == item), "")

    @cached_property
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

    def _judge_sheet(
        self, replay: Locating, at: int, line: ScoreLine, items: dict[str, set[int] | None]
    ) -> Finding | None:
        """Judge the items of a deal that has no play; return the one that makes the sum false.

        Those of which the table at the end tells the amount have been judged by it.
        """
        known = self.known_items
        spoiling = None
        for item, why, key in impossible_items(known, replay, at, line):
            if replay.final and items.get(item, {0}) is not None:
                continue
            finding = self._impossible(replay, line, item, why, key)
            if spoiling is None and spoils_sum(known, replay, at, line, item):
                spoiling = finding
        return spoiling

    def _impossible(
        self, replay: Locating, line: ScoreLine, item: str, why: str, key: str = ""
    ) -> Finding:
        claimed = dict(line.items or ()).get(item, 0)
        span = item_span(line, item)
        return replay.find(
            "score-item", "impossible", span, key, item=item, claimed=claimed, why=why
        )

    # --- totals ---------------------------------------------------------------------------------

    def _judge_total(
        self,
        replay: Locating,
        at: int,
        worths: Collection[int],
        line: ScoreLine | None,
        false_score: Finding | None,
    ) -> int | None:
        """Judge the claimed total of a side; return it, or None if there is none.

        `worths` are what the deal can have been worth to the side, none if that is not known.
        """
        total_line = replay.deal.total
        name = self.rules.sides[at]
        claimed = None if total_line is None else dict(total_line.totals).get(name)
        if claimed is None or total_line is None:
            return None
        totals = self._totals_after(at, worths)
        if not totals or (len(totals) > 1 and claimed in totals):
            replay.doubts.append(Doubt("total", None, total_line.span.line))
        elif claimed not in totals:
            index = [side for side, _ in total_line.totals].index(name)
            places = total_line.totals_at or (total_line.span[1:],) * len(total_line.totals)
            span = Span(total_line.span.line, *places[index])
            finding = replay.find(
                "total", "false", span, name=name, claimed=claimed,
                computed=spell_amounts(totals, claimed),
            )  # fmt: skip
            cause = self._cause(at, claimed, line, worths, false_score)
            self.false_totals[at] = finding
            if cause is not None and finding.follows is None:
                finding = replay.findings[-1] = replace(finding, follows=cause)
                self.false_totals[at] = finding
        self.claimed[at] = claimed
        return claimed

    def _go_on(
        self,
        replay: Locating,
        at: int,
        line: ScoreLine | None,
        worths: Collection[int],
        possible: Collection[int] | None,
        total: int | None,
    ) -> Collection[int]:
        """Return the totals that a side can go on from; none: not known.

        `worths` are what the deal can have been worth by its score line, `possible` by its play.
        """
        after = self._totals_after(at, worths)
        if total is not None and (not after or total in after or self.jumped[at]):
            self.jumped[at] = self.disputed[at] = None
            return {total}
        if line is not None and only(possible) is None:
            worths = {line.score}
        elif replay.is_open() and line is None and total is None:
            worths = {0}
        if total is not None and only(possible) is None:
            # It may be the score that is false, and the total true.
            self.disputed[at] = self.false_totals[at]
        return self._totals_after(at, worths)

    def _totals_after(self, at: int, worths: Collection[int]) -> Collection[int]:
        """Return what a side's total can be after a deal worth one of `worths`; none: not known."""
        before = self.spans[at]
        if before is None or not worths:
            return ()
        if len(before) == 1 and not isinstance(worths, range):
            return {before[0] + worth for worth in worths}
        return add_spans(before, span_of(worths))

    def _cause(
        self,
        at: int,
        claimed: int,
        line: ScoreLine | None,
        worths: Collection[int],
        false_score: Finding | None,
    ) -> Finding | None:
        """Return the false claim that a false total only repeats."""
        bases = {self.totals[at], self.claimed[at]}
        if false_score and line and claimed - line.score in bases:
            return false_score
        if claimed - self.claimed[at] in worths:
            return self.false_totals[at]
        return None


def _possible_scores(
    replay: Locating, at: int, items: dict[str, set[int] | None]
) -> Collection[int]:
    """Return what a deal that was played to its end can be worth to a side."""
    parts = list(items.values())
    if is_partly(replay.play, at):
        # What an unwritten card adds to one item of its meld it takes from another.
        parts = [amounts for item, amounts in items.items() if item not in MELD_ITEMS]
        parts.append({sum(way) for way in melded_ways(replay.play, at)})
    scores = add_possible(parts)
    return score_span(replay, at) if scores is None else scores


def _common(amounts: Collection[int], others: Collection[int]) -> Collection[int]:
    """Return the amounts that both have; of two spans, which bound the same deal, the shorter."""
    few, many = sorted((amounts, others), key=len)
    return few if isinstance(few, range) else {amount for amount in few if amount in many}


def _claimed_worths(replay: Locating, at: int, line: ScoreLine | None) -> Collection[int]:
    """Return what a deal can be worth by its score line: the score, or else what its items sum to.

    If the two differ, one of them is false, and a total that agrees with the other is not. A
    score sheet without the line leaves what a deal can give; nothing else is known.
    """
    if line is None:
        return score_span(replay, at) if replay.sheet else ()
    return {line.score} | ({sum(points for _, points in line.items)} if line.items else set())


def figure_span(line: ScoreLine) -> Span:
    """Return the place of the score in its line."""
    return Span(line.span.line, *line.score_at)


def item_span(line: ScoreLine, item: str) -> Span:
    """Return the place of an item in a score line, of the score if it is not written."""
    for (name, _), place in zip(line.items or (), line.items_at, strict=False):
        if name == item:
            return Span(line.span.line, *place)
    return figure_span(line)
