"""Claimed scores and totals, compared with what the play was worth."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from canasta_notation.engine.knowledge import any_unknown_melded
from canasta_notation.engine.scoring import MELDED, items_of, melded_ways, score_side
from canasta_notation.engine.table import NOT_KNOWN
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import ScoreLine
from canasta_notation.replay.deal_findings import leave_open, report, report_side
from canasta_notation.replay.deal_state import DealReplay
from canasta_notation.replay.game_report import (
    Claims,
    SideReport,
    add_possible,
    only,
    sum_items,
)
from canasta_notation.replay.sheet_melds import narrow
from canasta_notation.replay.sheets import impossible_items, score_range, spoils_sum
from canasta_notation.replay.totals import add_ranges, range_of, spell_amounts
from canasta_notation.rules import keys
from canasta_notation.rules.items import ITEMS, SCORED, THREES_ITEMS

#: The items that the melds of a side earn.
MELD_ITEMS: Final = ITEMS[:MELDED]


class _Side:
    """A side of a deal whose claims are judged.

    `entries` are those of its score, `items` are the same summed by item, and `possible` is what
    the deal can be worth by its play; if the deal is not scored, they are empty and None. `ways` is
    what melds with unwritten cards can earn together, None if there are none. `worths` is
    `possible`, or what a score sheet can be worth, until the score line narrows it; it is empty if
    it is not known.
    """

    def __init__(self, replay: DealReplay, at: int, line: ScoreLine | None, scored: bool) -> None:
        self.replay = replay
        self.at = at
        self.name = replay.rules.sides[at]
        self.line = line
        self.entries = score_side(replay.table, at) if scored else []
        self.items = sum_items(self.entries)
        unsure = scored and any_unknown_melded(replay.table, at)
        self.ways = melded_ways(replay.table, at) if unsure else None
        self.possible = self._possible_scores() if scored else None
        # A score sheet is scored only if it counts nothing.
        unknown = replay.sheet and not scored
        self.worths = score_range(replay, at) if unknown else self.possible or ()

    def _possible_scores(self) -> Collection[int]:
        parts = list(self.items.values())
        if self.ways is not None:
            # An unwritten card that adds to one item of its meld subtracts from another.
            parts = [amounts for item, amounts in self.items.items() if item not in MELD_ITEMS]
            parts.append({sum(way) for way in self.ways})
        scores = add_possible(parts)
        return score_range(self.replay, self.at) if scores is None else scores

    def totals(self) -> Collection[int]:
        """Return what the total can be after a deal worth one of `worths`; empty if unknown."""
        before = self.replay.so_far.ranges[self.at]
        if before is None or not self.worths:
            return ()
        if len(before) == 1 and not isinstance(self.worths, range):
            return {before[0] + worth for worth in self.worths}
        return add_ranges(before, range_of(self.worths))


#: An item with fewer points than this may be meant as a number of canastas.
_FEW: Final = 10


def judge_claims(replay: DealReplay, scored: bool) -> list[SideReport]:
    """Judge the claims of a deal, update the totals, and return each side's report.

    `scored` says that the deal has ended and its state is known, so that it can be scored.
    """
    deal, sides = replay.deal, replay.rules.sides
    lines = {line.side: line for line in deal.scores}
    for line in deal.scores:
        if line.side not in sides:
            report_side(replay, "score", line.span, line.side)
    reports = [
        _judge_side(_Side(replay, at, lines.get(name), scored)) for at, name in enumerate(sides)
    ]
    if deal.total:
        for name, _ in deal.total.totals:
            if name not in sides:
                report_side(replay, "total", deal.total.span, name)
    return reports


def _judge_side(side: _Side) -> SideReport:
    """Judge the score line and the total of a side, update its total, and return its report."""
    replay, at, line, possible = side.replay, side.at, side.line, side.possible
    so_far, before = replay.so_far, len(replay.findings)
    finding = _judge_score(side, line) if line is not None else None
    # A score with a false item may be false too.
    if line is not None and all(each.code != "score-item" for each in replay.findings[before:]):
        _continue_from(side, line)
    total = _judge_total(side, finding)
    after = side.totals()
    open_total = total is not None and total not in after and len(after) > 1
    start = so_far.totals[at]
    # If the score and the items differ, there are two possible totals; the claimed one is used.
    shown = len(after) == 1 or (line is not None and start != NOT_KNOWN)
    taken = None if shown or open_total else total
    totals = _next_totals(side, total)
    so_far.ranges[at] = range_of(totals) if totals else None
    return SideReport(
        side.name,
        tuple(side.entries),
        {item: only(amounts) for item, amounts in side.items.items()},
        only(possible),
        only(so_far.ranges[at]),
        _claims(line, total),
        agrees=len(replay.findings) == before,
        possible_totals=range_of(after) if open_total else None,
        taken=taken is not None,
        between=_between(side, start, taken),
    )


def _claims(line: ScoreLine | None, total: int | None) -> Claims:
    """Return the claims for a side."""
    if line is None:
        return Claims(None, None, total)
    return Claims(None if line.items is None else dict(line.items), line.score, total)


def _between(side: _Side, before: int, after: int | None) -> int | None:
    """Return the score of a score sheet with only totals, else None.

    `after` is the total if only the claim shows it. The score is its difference from `before`, the
    total before the deal.
    """
    if after is None or before == NOT_KNOWN or side.line is not None or not side.replay.sheet:
        return None
    return after - before


def _continue_from(side: _Side, line: ScoreLine) -> None:
    """Let the total continue from the score that is claimed."""
    claimed = {line.score}
    if line.items:
        # If the score and the sum differ, a total that agrees with one of them may be true.
        claimed.add(sum(points for _, points in line.items))
    if side.possible is not None:
        claimed = {worth for worth in claimed if worth in side.possible}
    side.worths = claimed or side.worths


def _judge_score(side: _Side, line: ScoreLine) -> Finding | None:
    """Judge a score line; return the finding that says that its score is false, or None.

    If the deal is not scored, a false item or a false sum says so too.
    """
    replay, possible, cause = side.replay, side.possible, None
    if line.items is None:
        possible = side.worths
    else:
        cause = _judge_sum(side, line, line.items)
    if not possible or line.score in possible:
        if side.possible is None:
            return cause
        if not possible or len(possible) > 1:
            leave_open(replay, "score", line.span)
        return None
    return report(
        replay, "score", "false", figure_span(line), follows=cause, name=line.side,
        computed=spell_amounts(possible, line.score), claimed=line.score,
    )  # fmt: skip


def _judge_sum(side: _Side, line: ScoreLine, items: Collection[tuple[str, int]]) -> Finding | None:
    """Judge written items and their sum; return the finding that may make the score false."""
    replay, possible, before = side.replay, side.possible, len(side.replay.findings)
    spoiling = None
    if possible is not None:
        _judge_items(side, line)
        if replay.final:
            _judge_sheet(side, line, flawed=len(replay.findings) > before)
    elif replay.sheet:
        spoiling = _judge_sheet(side, line, flawed=False)
    cause = replay.findings[before] if len(replay.findings) > before else None
    if possible is not None and line.score in possible:
        # The score is true, so the sum differs because of the false item.
        spoiling = cause
    written = sum(points for _, points in items)
    if written == line.score:
        return cause
    return report(
        replay, "score-sum", "sum", figure_span(line), claimed=line.score,
        computed=written, name=line.side, follows=spoiling,
    )  # fmt: skip


def _judge_items(side: _Side, line: ScoreLine) -> None:
    """Compare written items with computed ones; an item that is not written claims 0."""
    replay, computed, written = side.replay, dict(side.items), dict(line.items or ())
    before = len(replay.findings)
    if "cards" in written:
        netted = [computed.pop(item, {0}) for item in ("melds", "hand")]
        if "melds" in written or "hand" in written:
            _impossible(replay, line, "cards", "it already includes melds and hand")
            return
        computed["cards"] = add_possible(netted)
    for item in {**written, **computed}:
        points, amounts = written.get(item), computed.get(item, {0})
        named = _other_threes(replay, item)
        if points and named:
            _misname(replay, line, item, named, only(computed.get(named, {0})))
        elif points is not None or not _is_misnamed(replay, item, written):
            _judge_item(side, line, item, amounts, points)
    if side.ways is not None and len(replay.findings) == before and "cards" not in written:
        claimed = {item: written.get(item, 0) for item in MELD_ITEMS}
        for item, fitting in narrow(side.ways, claimed)[0]:
            _false_item(side, line, item, fitting, claimed[item])


def _judge_item(
    side: _Side, line: ScoreLine, item: str, amounts: set[int] | None, points: int | None
) -> None:
    """Compare what an item can count, None if that is not known, with what is written, if any."""
    replay = side.replay
    if points and item not in items_of(replay.rules):
        report(replay, "score-item", "unknown", item_span(line, item), item=item)
    elif amounts is not None and (points or 0) not in amounts:
        _false_item(side, line, item, amounts, points)
    elif points is not None and (amounts is None or len(amounts) > 1):
        leave_open(replay, "score-item", line.span)


def _is_misnamed(replay: DealReplay, item: str, written: Iterable[str]) -> bool:
    """Return whether the line has an item by the name that the threes have under other rules."""
    return any(_other_threes(replay, other) == item for other in written)


def _other_threes(replay: DealReplay, item: str) -> str:
    """Return the item for tabled threes that these rules have in place of another one, or ""."""
    known = items_of(replay.rules)
    if item in known or item not in THREES_ITEMS:
        return ""
    return next((other for other in THREES_ITEMS if other in known), "")


def _misname(
    replay: DealReplay, line: ScoreLine, item: str, named: str, due: int | None
) -> Finding:
    """Report an item for tabled threes that is `named` otherwise; `due` is what it should be."""
    points = dict(line.items or ())[item] if due is None else due
    return report(
        replay, "score-item", "threes", item_span(line, item), "score.red3", item=item,
        other=named, points=points,
    )  # fmt: skip


def _false_item(
    side: _Side, line: ScoreLine, item: str, amounts: set[int], claimed: int | None
) -> None:
    """Report an item that is not one of the possible amounts, or is missing if none is claimed."""
    points = _points_of_number(side.replay, line, item, claimed or 0)
    if points and claimed and {points} == amounts:
        _report_number(side.replay, line, item, claimed, points)
        return
    message = "missing" if claimed is None else "false"
    if item in THREES_ITEMS and abs(claimed or 0) > max(map(abs, amounts)):
        message = "three"
    key = next((entry.key for entry in side.entries if entry.item == item), "")
    report(
        side.replay, "score-item", message, item_span(line, item), key, item=item,
        name=line.side, computed=spell_amounts(amounts, claimed), claimed=claimed,
    )  # fmt: skip


def _judge_sheet(side: _Side, line: ScoreLine, *, flawed: bool) -> Finding | None:
    """Judge the items of a deal without play; return the finding that makes the sum false.

    If the table at the end has already shown that an item is false (`flawed`), only the items that
    the table does not decide are judged, because the others need not fit the false one.
    """
    replay, spoiling = side.replay, None
    reported: set[str] = set()
    for item, why, key in impossible_items(
        replay, line, lambda: leave_open(replay, "score-item", line.span)
    ):
        if item in reported or (flawed and side.items.get(item, {0}) is not None):
            continue
        reported.add(item)
        finding = _impossible(replay, line, item, why, key)
        if spoiling is None and spoils_sum(replay, line, item):
            spoiling = finding
    return spoiling


def _impossible(replay: DealReplay, line: ScoreLine, item: str, why: str, key: str = "") -> Finding:
    claimed = dict(line.items or ()).get(item)
    points = _points_of_number(replay, line, item, claimed or 0)
    if claimed and points:
        return _report_number(replay, line, item, claimed, points)
    named = _other_threes(replay, item)
    if claimed and named:
        return _misname(replay, line, item, named, claimed)
    span, message = item_span(line, item), "unwritten" if claimed is None else "impossible"
    return report(replay, "score-item", message, span, key, item=item, claimed=claimed, why=why)


def _points_of_number(replay: DealReplay, line: ScoreLine, item: str, claimed: int) -> int:
    """Return the points of an item that looks like a number of canastas or threes, else 0.

    It can also be a 1 for going out. Threes count against a side if the line adds up only so.
    """
    named, rules = SCORED[item], replay.rules
    if named.decided == "melds" and named.figure and keys()[named.key].kind == "number":
        return claimed * int(rules.profile[named.key]) if 0 < claimed < _FEW else 0
    if item == "red3" and 0 < claimed <= len(rules.score_red3):
        points = int(rules.score_red3[claimed - 1])
        others = sum(amount for _, amount in line.items or ()) - claimed
        return -points if others - points == line.score else points
    return {"out": rules.score_out, "concealed": rules.score_concealed}.get(item, 0) * (
        claimed == 1
    )


def _report_number(
    replay: DealReplay, line: ScoreLine, item: str, claimed: int, points: int
) -> Finding:
    """Report an item that is a number; `points` is what that many count."""
    named = SCORED[item]
    return report(
        replay, "score-item", "count" if named.decided == "melds" else "number",
        item_span(line, item), named.key, item=item, claimed=claimed, points=points,
        each=points // claimed,
    )  # fmt: skip


def _judge_total(side: _Side, false_score: Finding | None) -> int | None:
    """Judge the claimed total of a side; return it, or None if there is none."""
    replay, so_far, at = side.replay, side.replay.so_far, side.at
    line = replay.deal.total
    claimed = None if line is None else dict(line.totals).get(side.name)
    if claimed is None or line is None:
        # By the record alone, the total is the last claimed total plus the scores since.
        so_far.claimed[at] += (side.line.score if side.line else only(side.possible)) or 0
        so_far.false_claims[at] = false_score or so_far.false_claims[at]
        return None
    totals = side.totals()
    if not totals or (len(totals) > 1 and claimed in totals):
        leave_open(replay, "total", line.span)
    elif claimed not in totals:
        index = [name for name, _ in line.totals].index(side.name)
        places = line.totals_at or (line.span[1:],) * len(line.totals)
        so_far.false_claims[at] = report(
            replay, "total", "false", Span(line.span.line, *places[index]), name=side.name,
            claimed=claimed, computed=spell_amounts(totals, claimed),
            follows=_cause_of_total(side, claimed, false_score),
        )  # fmt: skip
    so_far.claimed[at] = claimed
    return claimed


def _cause_of_total(side: _Side, claimed: int, false_score: Finding | None) -> Finding | None:
    """Return the finding from which a false total follows, None if it is a mistake of its own."""
    repeated = _repeated(side, claimed, false_score)
    if repeated is None and side.line is None:
        # No score is claimed between the play and the total.
        return side.replay.causes.of("score", "false", 0, {"name": side.name})
    return repeated


def _repeated(side: _Side, claimed: int, false_score: Finding | None) -> Finding | None:
    """Return the false claim that a false total merely repeats."""
    so_far, at = side.replay.so_far, side.at
    bases = {so_far.totals[at], so_far.claimed[at]}
    if false_score and side.line and claimed - side.line.score in bases:
        return false_score
    return so_far.false_claims[at] if claimed - so_far.claimed[at] in side.worths else None


def _next_totals(side: _Side, total: int | None) -> Collection[int]:
    """Return the totals that a side can have in the next deal; empty if they are not known.

    `total` is what is claimed.
    """
    replay, line, after = side.replay, side.line, side.totals()
    whole = replay.unchecked_from is None and not replay.sheet
    if total is not None and (not after or total in after):
        return {total}
    if line is not None and only(side.possible) is None:
        side.worths = {line.score}
    elif whole and not _is_over(replay) and line is None and total is None:
        # The deal is open. If another one comes after it, the last turns are missing.
        side.worths = () if replay.followed else {0}
    return side.totals()


def _is_over(replay: DealReplay) -> bool:
    return bool(replay.table.ended or replay.uncounted)


def figure_span(line: ScoreLine) -> Span:
    """Return the place of the score in its line."""
    return Span(line.span.line, *line.score_at)


def item_span(line: ScoreLine, item: str) -> Span:
    """Return the place of an item in a score line, or of the score if the item is not written."""
    for (name, _), place in zip(line.items or (), line.items_at, strict=False):
        if name == item:
            return Span(line.span.line, *place)
    return figure_span(line)
