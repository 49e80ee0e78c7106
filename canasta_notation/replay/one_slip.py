"""Slips that make several lines of a deal false at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any, Final

from canasta_notation.cards import format_card
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import ITEMS, MELDED, items_of
from canasta_notation.english import count, listed
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import (
    Deal,
    EndLine,
    LeftLine,
    MeldsLine,
    ScoreLine,
    ThreesLine,
    Turn,
)
from canasta_notation.notation.format import format_action, format_line
from canasta_notation.replay.claims import figure_span, item_span
from canasta_notation.replay.deal_replay import DealReplay, line_number
from canasta_notation.replay.game_report import DealReport
from canasta_notation.replay.sheets import ended_by
from canasta_notation.replay.unwritten import takes_unwritten

#: The keyword of the lines of a kind, the field of a deal that has them, and the line's own field
#: that says whose it is.
_KINDS: Final[dict[type, tuple[str, str, str]]] = {
    ScoreLine: ("score", "scores", "side"),
    MeldsLine: ("melds", "melds", "side"),
    ThreesLine: ("threes", "threes", "side"),
    LeftLine: ("left", "left", "seat"),
}
#: Items for the canasta of one kind of card.
_ONE_CANASTA: Final = ("sevens", "aces", "wild")
#: The greatest figure with which slips are looked for.
_LONGEST: Final = 9_999_999
#: What was wrong, and the deal without it.
Slip = tuple[str, Deal]


def possible_slips(
    replay: DealReplay, report: DealReport, false: Sequence[Finding]
) -> Iterator[Slip]:
    """Yield the slips that can explain the `false` findings of a report, the likely ones first.

    `replay` is that of the deal before its end.

    Not tried: other mistakes in the play than the actions of two turns exchanged; any mistake if a
    figure has more than seven digits, because the sums of such figures cannot always be written.
    """
    deal = replay.deal
    if _has_long_figures(replay):
        return
    spans = {each.span for each in false if each.code == "score-item"}
    sums = {each.span for each in false if each.code == "score-sum"}
    lines = {each.span.line for each in false}
    if any(each.code == "total" for each in false):
        yield from _totals(replay)
    for _, key, _ in _KINDS.values():
        for one, other in combinations(getattr(deal, key), 2):
            yield _exchanged(deal, one, other)
    if replay.sheet or replay.final:
        yield from _end(replay)
    yield from _turns(replay, false)
    for line, to in (*permutations(deal.threes, 2), *permutations(deal.melds, 2)):
        yield from _misplaced(deal, line, to)
    yield from _items_of_a_side(replay, report, spans, sums)
    for one, other in combinations(deal.scores, 2):
        yield from _items_of_sides(deal, one, other, spans)
    for line, to in permutations(deal.left, 2):
        if replay.final or lines >= {line.span.line, to.span.line}:
            yield from _misplaced(deal, line, to)


def _has_long_figures(replay: DealReplay) -> bool:
    deal = replay.deal
    figures = [*replay.standing.claimed, *replay.play.penalties]
    figures += [points for _, points in deal.total.totals] if deal.total else []
    for line in deal.scores:
        figures += [line.score, *dict(line.items or ()).values()]
    return any(abs(points) > _LONGEST for points in figures)


def _totals(replay: DealReplay) -> Iterator[Slip]:
    line = replay.deal.total
    if line is None:
        return
    for (one, mine), (other, its) in combinations(line.totals, 2):
        changed = {**dict(line.totals), one: its, other: mine}
        exchanged = replace(line, totals=tuple(changed.items()))
        slip = f"the totals of {one} and {other} may be exchanged"
        yield slip, replace(replay.deal, total=exchanged)
    before = dict(zip(replay.rules.sides, replay.standing.claimed, strict=True))
    added = tuple((name, total + before.get(name, 0)) for name, total in line.totals)
    yield "add the totals before this deal", replace(replay.deal, total=replace(line, totals=added))


def _end(replay: DealReplay) -> Iterator[Slip]:
    end, rules = replay.deal.end, replay.rules
    if end is None:
        return
    others = [EndLine("out", seat, each) for seat in rules.seats for each in (False, True)]
    if rules.special:
        others += [EndLine("special", seat) for seat in rules.seats]
    for other in (*others, EndLine("stock")):
        slip = f"the end line should perhaps be `{format_line(other)}`"
        if other.seat and replay.sheet and rules.players > len(rules.sides):
            side = rules.sides[rules.profile.side_of(other.seat)]
            slip += f", or name another seat of {side}"
        yield slip, replace(replay.deal, end=other)


def _turns(replay: DealReplay, false: Sequence[Finding]) -> Iterator[Slip]:
    """Yield the deal with the actions of the first false turn exchanged with a turn beside it."""
    play = replay.deal.play
    lines = {each.span.line for each in false if each.turn is not None}
    first = next((at for at, each in enumerate(play) if line_number(each) in lines), len(play))
    if takes_unwritten(replay.deal):
        return
    for at in (first - 1, first):
        two = play[max(0, at) : at + 2]
        if len(two) == 2 and isinstance(two[0], Turn) and isinstance(two[1], Turn):
            changed = _in_place_of(two[0], two[1]), _in_place_of(two[1], two[0])
            slip = f"the actions on lines {two[0].line} and {two[1].line} may be exchanged"
            yield slip, replace(replay.deal, play=(*play[:at], *changed, *play[at + 2 :]))


def _in_place_of(turn: Turn, other: Turn) -> Turn:
    return replace(
        other, number=turn.number, number_at=turn.number_at, seat=turn.seat, seat_at=turn.seat_at,
        line=turn.line,
    )  # fmt: skip


def _items_of_a_side(
    replay: DealReplay, report: DealReport, spans: set[Span], sums: set[Span]
) -> Iterator[Slip]:
    for line in replay.deal.scores:
        points = dict(line.items or ())
        items = sorted({*items_of(replay.rules) - {"cards"}, *points})
        false = [item for item in items if item_span(line, item) in spans]
        for item, other in combinations(false, 2):
            slip = f"the points of {item} and {other} may be exchanged"
            changed = {item: points.get(other, 0), other: points.get(item, 0)}
            yield slip, _with_lines(replay.deal, {line: _with_items(line, changed)})
        gap = line.score - sum(points.values())
        if gap and figure_span(line) in sums:
            for item in points:
                slip = f"{item} should perhaps be {points[item] + gap}"
                mended = _with_items(line, {item: points[item] + gap})
                yield slip, _with_lines(replay.deal, {line: mended})
        due = _due(replay, report, line)
        yield from _items_due(replay, line, {item: due.get(item, 0) for item in false if due})
        if replay.sheet and len(false) > 1:
            yield from _canastas_missing(replay, line)


def _due(replay: DealReplay, report: DealReport, line: ScoreLine) -> dict[str, int]:
    """Return the points of items that the play, the table or the end line shows."""
    end, rules = replay.deal.end, replay.rules
    if not replay.sheet:
        items = next((side.items for side in report.sides if side.side == line.side), {})
        return {item: points for item, points in items.items() if points is not None}
    if end is None or not ended_by(replay.deal, line.side, "out"):
        return {}
    return {"out": rules.score_out, "concealed": rules.score_concealed * end.concealed}


def _items_due(replay: DealReplay, line: ScoreLine, due: dict[str, int]) -> Iterator[Slip]:
    """Yield the deal with false items put right, if one slip can have made them false."""
    points = dict(line.items or ())
    for items in (*combinations(due, 2), tuple(due)):
        changed = {item: due[item] for item in items}
        slip = _slip_of({item: points.get(item, 0) for item in items}, changed, replay)
        if slip:
            mended = _with_items(line, changed)
            more = sum(changed.values()) - sum(points.get(item, 0) for item in items)
            yield slip, _rescored(replay.deal, {line: mended}, {line.side: more})


def _slip_of(points: dict[str, int], due: dict[str, int], replay: DealReplay) -> str:
    """Return the slip by which items came to have other points than are due, or ""."""
    more = {item: points[item] - due[item] for item in due}
    melds, hand = more.get("melds", 0), more.get("hand", 0)
    if min(points.get("melds", 0), due.get("melds", 0)) < 0:
        melds = -melds
    if melds and melds == hand:
        return _unlaid(melds, final=replay.final is not None)
    if replay.final and melds and _are_of_melds(more, due, replay.rules):
        return f"the `melds` line may have cards {'missing' if melds > 0 else 'too many'}"
    if len(more) != 2 or {"melds", "hand"} == {*more}:
        return ""
    least, most = sorted(more, key=more.__getitem__)
    # Of the others, a side has one canasta at most.
    units = _bonuses(replay.rules)
    units |= {item: max(points[item], due[item]) for item in _ONE_CANASTA if item in more}
    if {*more} <= {*units} and more[most] * units[least] == -more[least] * units[most]:
        return f"a canasta may be counted as {most} instead of {least}"
    if sum(more.values()) == 0 and (points[least] == 0 or due[most] == 0):
        return f"points of {least} may be counted as {most}"
    return ""


def _unlaid(points: int, *, final: bool) -> str:
    """Return the slip of cards that score as melded and stand in a hand, or the reverse."""
    if final:
        where = "`left` line, not the `melds`" if points > 0 else "`melds` line, not a `left`"
        return f"cards worth {abs(points)} points may be on a {where} line"
    if points > 0:
        return f"cards worth {points} points may have been laid in a turn that does not show them"
    return f"a turn may show cards worth {-points} points that were not laid"


def _are_of_melds(more: dict[str, int], due: dict[str, int], rules: Rules) -> bool:
    """Return whether cards missing from a `melds` line, or too many there, can change the items."""
    units = _bonuses(rules)
    for item, points in more.items():
        if item not in (*ITEMS[:MELDED], "unfinished") and points != -2 * due[item]:
            return False
        if item in units and points % (units[item] or 1):
            return False
    canastas = sum(more.get(item, 0) // (unit or 1) for item, unit in units.items())
    return canastas * more["melds"] >= 0


def _bonuses(rules: Rules) -> dict[str, int]:
    """Return the items of plain canastas, with what one of them counts."""
    return {"mixed": rules.score_mixed, "natural": rules.score_natural}


def _canastas_missing(replay: DealReplay, line: ScoreLine) -> Iterator[Slip]:
    """Yield a score sheet with the canastas that going out needs added to a line."""
    rules, points = replay.rules, dict(line.items or ())
    for item, bonus in _bonuses(rules).items():
        for number in range(1, rules.out_canastas + 1):
            worth = number * bonus
            mended = _with_items(line, {item: points.get(item, 0) + worth})
            slip = f"{count(number, f'{item} canasta')} may be missing from the items"
            for more in (0, worth):
                yield slip, _rescored(replay.deal, {line: mended}, {line.side: more})


def _items_of_sides(
    deal: Deal, one: ScoreLine, other: ScoreLine, spans: set[Span]
) -> Iterator[Slip]:
    mine, its = dict(one.items or ()), dict(other.items or ())
    false = [
        item for item in {**mine, **its} if {item_span(one, item), item_span(other, item)} <= spans
    ]
    for items in [[item] for item in false] + [false] * (len(false) > 1):
        theirs = {item: its.get(item, 0) for item in items}
        ours = {item: mine.get(item, 0) for item in items}
        slip = f"the {listed(items)} points of {one.side} and {other.side} may be exchanged"
        lines = {one: _with_items(one, theirs), other: _with_items(other, ours)}
        more = sum(theirs.values()) - sum(ours.values())
        for change in (0, more):
            yield slip, _rescored(deal, lines, {one.side: change, other.side: -change})


def _exchanged(deal: Deal, one: Any, other: Any) -> Slip:
    keyword, _, owner = _KINDS[type(one)]
    mine, its = getattr(one, owner), getattr(other, owner)
    lines = {one: replace(one, **{owner: its}), other: replace(other, **{owner: mine})}
    return f"the `{keyword}` lines of {mine} and {its} may be exchanged", _with_lines(deal, lines)


def _misplaced(deal: Deal, line: Any, to: Any) -> Iterator[Slip]:
    """Yield a deal without each card or group of a line, and with it on another one."""
    keyword, _, owner = _KINDS[type(line)]
    of_melds = isinstance(line, MeldsLine)
    key, form = ("groups", format_action) if of_melds else ("cards", format_card)
    # The places of groups are lost.
    places: dict[str, Any] = {"groups_at": ()} if of_melds else {}
    parts, others = getattr(line, key), getattr(to, key)
    for part in dict.fromkeys(parts):
        at = parts.index(part)
        lines = {
            line: replace(line, **{key: parts[:at] + parts[at + 1 :]}, **places),
            to: replace(to, **{key: (*others, part)}, **places),
        }
        where = f"the `{keyword}` line of {getattr(to, owner)}"
        slip = f"{form(part)} may belong on {where}, not of {getattr(line, owner)}"
        yield slip, _with_lines(deal, lines)


def _rescored(deal: Deal, lines: dict[ScoreLine, ScoreLine], more: dict[str, int]) -> Deal:
    """Return a deal with score lines replaced, and with `more` points in scores and totals."""
    scored = {
        line: replace(mended, score=line.score + more[line.side]) for line, mended in lines.items()
    }
    deal = _with_lines(deal, scored)
    if deal.total is None:
        return deal
    totals = tuple((side, total + more.get(side, 0)) for side, total in deal.total.totals)
    return replace(deal, total=replace(deal.total, totals=totals))


def _with_items(line: ScoreLine, points: dict[str, int]) -> ScoreLine:
    return replace(line, items=tuple({**dict(line.items or ()), **points}.items()))


def _with_lines(deal: Deal, lines: dict[Any, Any]) -> Deal:
    """Return a deal with some of its lines replaced."""
    _, key, _ = _KINDS[type(next(iter(lines)))]
    changed: dict[str, Any] = {key: tuple(lines.get(each, each) for each in getattr(deal, key))}
    return replace(deal, **changed)
