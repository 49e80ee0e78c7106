"""Claimed scores and totals, compared with what the play was worth."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from canasta_notation.engine.amounts import ScoreEntry, add_possible, add_spans, span_of
from canasta_notation.engine.knowledge import has_strangers
from canasta_notation.engine.scoring import ITEMS, MELDED, items_of, melded_ways, score_side
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import ScoreLine
from canasta_notation.replay.deal_replay import DealReplay, find
from canasta_notation.replay.deal_setup import jump
from canasta_notation.replay.game_report import Claims, Doubt, SideReport, only, sum_items
from canasta_notation.replay.sheets import impossible_items, score_span, spoils_sum
from canasta_notation.replay.totals import spell_amounts
from canasta_notation.replay.ways import Ways

#: The items that the melds of a side earn.
MELD_ITEMS: Final = ITEMS[:MELDED]
_CLAIMS: Final = ("score-item", "score-sum", "score", "total")


def begin_claims(replay: DealReplay) -> None:
    """Note which totals are in doubt when a deal begins, and whether the game had been won."""
    standing = replay.standing
    if standing.after_game is not None:
        replay.causes.doubt(("target",), standing.after_game)
    standing.jump = jump(replay)
    if standing.jump is not None:
        standing.jumped = [standing.jump] * len(standing.jumped)
    for kind, findings in (("total", standing.jumped), ("sum", standing.disputed)):
        for name, finding in zip(replay.rules.sides, findings, strict=True):
            if finding is not None:
                replay.causes.doubt((kind, name), finding)


def judge_after_game(replay: DealReplay) -> None:
    """Report a deal that was played although the game had been won."""
    winner = replay.standing.winner()
    reached = replay.standing.spans[winner] if winner >= 0 else None
    if reached is not None:
        total = spell_amounts(reached)
        span = replay.deal.span
        finding = find(replay, "after-game", "won", span, "target", side=winner, total=total)
        replay.standing.after_game = replay.standing.after_game or finding


def judge_claims(replay: DealReplay, scored: bool) -> list[SideReport]:
    """Judge the claims of a deal, update the totals, and return each side's report.

    `scored` says that the deal has ended and its state is known, so that it can be scored.
    """
    reports = []
    lines = {line.side: line for line in replay.deal.scores}
    for line in replay.deal.scores:
        if line.side not in replay.rules.sides:
            find(replay, "score", "side", line.span, "players", name=line.side)
    for at, name in enumerate(replay.rules.sides):
        entries = score_side(replay.play, at) if scored else []
        reports.append(_judge_side(replay, at, entries, lines.get(name), scored))
    if replay.deal.total:
        for name, _ in replay.deal.total.totals:
            if name not in replay.rules.sides:
                find(replay, "total", "side", replay.deal.total.span, "players", name=name)
    return reports


def _judge_side(
    replay: DealReplay,
    at: int,
    entries: list[ScoreEntry],
    line: ScoreLine | None,
    scored: bool,
) -> SideReport:
    name = replay.rules.sides[at]
    items = sum_items(entries)
    possible: Collection[int] | None = None
    if scored:
        possible = _possible_scores(replay, at, items)
    before = len(replay.findings)
    finding: Finding | None = None
    if line is not None:
        finding = _judge_score(replay, at, line, items, possible, scored)
    worths: Collection[int] = _claimed_worths(replay, at, line)
    if any(each.code == "score-item" for each in replay.findings[before:]):
        # A score with a false item may be false too.
        worths = score_span(replay, at) if possible is None else possible
    elif possible is not None:
        # A true total continues from a score that can be true.
        worths = _common(worths, possible) or possible
    total = _judge_total(replay, at, worths, line, finding)
    score = only(possible)
    totals = _next_totals(replay, at, line, worths, possible, total)
    for false in replay.findings[before:]:
        if false.code in ("score", "total") and not _is_own_mistake(false):
            # The play has a mistake; without it the claim may be true.
            replay.standing.disputed[at] = false
    replay.standing.spans[at] = span_of(totals) if totals else None
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
        only(replay.standing.spans[at]),
        claimed,
        agrees=len(replay.findings) == before,
    )


def _is_own_mistake(claim: Finding) -> bool:
    """Return whether a false claim follows from nothing, or only from other false claims."""
    while claim.follows is not None:
        claim = claim.follows
    return claim.code in _CLAIMS


def _judge_score(
    replay: DealReplay,
    at: int,
    line: ScoreLine,
    items: dict[str, set[int] | None],
    possible: Collection[int] | None,
    scored: bool,
) -> Finding | None:
    """Judge a score line; return the finding for a false score, None for a true one."""
    cause = spoiling = None
    if line.items is not None:
        before = len(replay.findings)
        if scored:
            _judge_items(replay, at, line, items)
            if replay.final:
                _judge_sheet(replay, at, line, items, flawed=len(replay.findings) > before)
        elif replay.sheet:
            spoiling = _judge_sheet(replay, at, line, {}, flawed=False)
        cause = replay.findings[before] if len(replay.findings) > before else None
        if possible is not None and line.score in possible:
            # The score is true, so the sum differs because of the false item.
            spoiling = cause
        written = sum(points for _, points in line.items)
        if written != line.score:
            cause = find(
                replay, "score-sum", "sum", figure_span(line), claimed=line.score,
                computed=written, name=line.side, follows=spoiling,
            )  # fmt: skip
    if not scored:
        possible = score_span(replay, at) if replay.sheet and line.items is None else None
    if not possible or line.score in possible:
        if scored and (not possible or len(possible) > 1):
            replay.doubts.append(Doubt("score", None, line.span.line))
        return None if scored else cause
    return find(
        replay, "score", "false", figure_span(line), follows=cause, name=line.side,
        computed=spell_amounts(possible, line.score), claimed=line.score,
    )  # fmt: skip


def _judge_items(
    replay: DealReplay, at: int, line: ScoreLine, items: dict[str, set[int] | None]
) -> None:
    """Compare written items with computed ones; an item that is not written is claimed as 0."""
    assert line.items is not None
    written = dict(line.items)
    before = len(replay.findings)
    netted = {"melds", "hand"} if "cards" in written else set()
    if netted & written.keys():
        _impossible(replay, line, "cards", "it already includes melds and hand")
        return
    computed = dict(items)
    known = items_of(replay.rules)
    if "cards" in written:
        computed["cards"] = add_possible([items.get("melds", {0}), items.get("hand", {0})])
    for item, points in written.items():
        if item not in known and points:
            find(replay, "score-item", "unknown", item_span(line, item), item=item)
            continue
        amounts = computed.get(item, {0})
        if amounts is not None and points not in amounts:
            key = _key(replay, at, item)
            find(
                replay, "score-item", "false", item_span(line, item), key, item=item,
                name=line.side, computed=spell_amounts(amounts, points), claimed=points,
            )  # fmt: skip
        elif amounts is None or len(amounts) > 1:
            replay.doubts.append(Doubt("score-item", None, line.span.line))
    for item, amounts in computed.items():
        if item in written or item in netted or amounts is None or 0 in amounts:
            continue
        key = _key(replay, at, item)
        find(
            replay, "score-item", "missing", figure_span(line), key, item=item, name=line.side,
            computed=spell_amounts(amounts),
        )  # fmt: skip
    unsure = has_strangers(replay.play, at)
    if unsure and len(replay.findings) == before and "cards" not in written:
        for item, amounts in Ways(melded_ways(replay.play, at)).narrow(MELD_ITEMS, written)[0]:
            find(
                replay, "score-item", "false", item_span(line, item), _key(replay, at, item),
                item=item, name=line.side, claimed=written.get(item, 0),
                computed=spell_amounts(amounts, written.get(item, 0)),
            )  # fmt: skip


def _key(replay: DealReplay, at: int, item: str) -> str:
    """Return the rule key of an item's first entry."""
    entries = score_side(replay.play, at)
    return next((entry.key for entry in entries if entry.item == item), "")


def _judge_sheet(
    replay: DealReplay, at: int, line: ScoreLine, items: dict[str, set[int] | None], *, flawed: bool
) -> Finding | None:
    """Judge the items of a deal without play; return the finding that makes the sum false.

    If the table at the end has already shown that an item is false (`flawed`), only the items that
    the table leaves open are judged, because the others need not fit the false one.
    """
    spoiling = None
    reported: set[str] = set()
    for item, why, key in impossible_items(replay, at, line):
        if item in reported or (flawed and items.get(item, {0}) is not None):
            continue
        reported.add(item)
        finding = _impossible(replay, line, item, why, key)
        if spoiling is None and spoils_sum(replay, at, line, item):
            spoiling = finding
    return spoiling


def _impossible(replay: DealReplay, line: ScoreLine, item: str, why: str, key: str = "") -> Finding:
    claimed = dict(line.items or ()).get(item, 0)
    span = item_span(line, item)
    return find(replay, "score-item", "impossible", span, key, item=item, claimed=claimed, why=why)


def _judge_total(
    replay: DealReplay,
    at: int,
    worths: Collection[int],
    line: ScoreLine | None,
    false_score: Finding | None,
) -> int | None:
    """Judge the claimed total of a side; return it, or None if there is none.

    `worths` are what the deal can have been worth to the side; empty if that is not known.
    """
    total_line = replay.deal.total
    name = replay.rules.sides[at]
    claimed = None if total_line is None else dict(total_line.totals).get(name)
    if claimed is None or total_line is None:
        return None
    totals = _totals_after(replay, at, worths)
    if not totals or (len(totals) > 1 and claimed in totals):
        replay.doubts.append(Doubt("total", None, total_line.span.line))
    elif claimed not in totals:
        index = [side for side, _ in total_line.totals].index(name)
        places = total_line.totals_at or (total_line.span[1:],) * len(total_line.totals)
        span = Span(total_line.span.line, *places[index])
        finding = find(
            replay, "total", "false", span, name=name, claimed=claimed,
            computed=spell_amounts(totals, claimed),
        )  # fmt: skip
        if finding.follows is None:
            cause = _cause(replay, at, claimed, line, worths, false_score)
            finding = replay.findings[-1] = replace(finding, follows=cause)
        replay.standing.false_totals[at] = finding
    replay.standing.claimed[at] = claimed
    return claimed


def _next_totals(
    replay: DealReplay,
    at: int,
    line: ScoreLine | None,
    worths: Collection[int],
    possible: Collection[int] | None,
    total: int | None,
) -> Collection[int]:
    """Return the totals that a side can have in the next deal; empty if they are not known.

    `worths` are what the deal can have been worth by its score line, `possible` by its play.
    """
    after = _totals_after(replay, at, worths)
    if total is not None and (not after or total in after or replay.standing.jumped[at]):
        replay.standing.jumped[at] = replay.standing.disputed[at] = None
        return {total}
    if line is not None and only(possible) is None:
        worths = {line.score}
    elif _is_open(replay) and line is None and total is None:
        worths = {0}
    if total is not None and only(possible) is None:
        # The total may be true and the score false.
        replay.standing.disputed[at] = replay.standing.false_totals[at]
    return _totals_after(replay, at, worths)


def _is_open(replay: DealReplay) -> bool:
    """Return whether the deal was replayed to its last line and has not ended."""
    return replay.unchecked_from is None and not replay.sheet and not replay.play.ended


def _totals_after(replay: DealReplay, at: int, worths: Collection[int]) -> Collection[int]:
    """Return what a side's total can be after a deal worth one of `worths`; empty if unknown."""
    before = replay.standing.spans[at]
    if before is None or not worths:
        return ()
    if len(before) == 1 and not isinstance(worths, range):
        return {before[0] + worth for worth in worths}
    return add_spans(before, span_of(worths))


def _cause(
    replay: DealReplay,
    at: int,
    claimed: int,
    line: ScoreLine | None,
    worths: Collection[int],
    false_score: Finding | None,
) -> Finding | None:
    """Return the false claim that a false total merely repeats."""
    bases = {replay.standing.totals[at], replay.standing.claimed[at]}
    if false_score and line and claimed - line.score in bases:
        return false_score
    if claimed - replay.standing.claimed[at] in worths:
        return replay.standing.false_totals[at]
    return None


def _possible_scores(
    replay: DealReplay, at: int, items: dict[str, set[int] | None]
) -> Collection[int]:
    """Return what a deal that was played to its end can be worth to a side."""
    parts = list(items.values())
    if has_strangers(replay.play, at):
        # What an unwritten card adds to one item of its meld, it takes away from another.
        parts = [amounts for item, amounts in items.items() if item not in MELD_ITEMS]
        parts.append({sum(way) for way in melded_ways(replay.play, at)})
    scores = add_possible(parts)
    return score_span(replay, at) if scores is None else scores


def _common(amounts: Collection[int], others: Collection[int]) -> Collection[int]:
    """Return the common amounts; of two ranges, which bound the same deal, the shorter one."""
    few, many = sorted((amounts, others), key=len)
    return few if isinstance(few, range) else {amount for amount in few if amount in many}


def _claimed_worths(replay: DealReplay, at: int, line: ScoreLine | None) -> Collection[int]:
    """Return what a deal can be worth by its score line: the score, or the sum of the items.

    If the two differ, one of them is false, and a total that agrees with the other may be true. For
    a side without a score line on a score sheet, any possible worth of a deal is returned.
    """
    if line is None:
        return score_span(replay, at) if replay.sheet else ()
    return {line.score} | ({sum(points for _, points in line.items)} if line.items else set())


def figure_span(line: ScoreLine) -> Span:
    """Return the place of the score in its line."""
    return Span(line.span.line, *line.score_at)


def item_span(line: ScoreLine, item: str) -> Span:
    """Return the place of an item in a score line, or of the score if the item is not written."""
    for (name, _), place in zip(line.items or (), line.items_at, strict=False):
        if name == item:
            return Span(line.span.line, *place)
    return figure_span(line)
