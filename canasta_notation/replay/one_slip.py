"""Slips that make several lines of a deal false at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

from canasta_notation.cards import format_card
from canasta_notation.engine.scoring import items_of
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import (
    Deal,
    LeftLine,
    MeldsLine,
    ScoreLine,
    ThreesLine,
    Turn,
)
from canasta_notation.notation.format import format_action
from canasta_notation.replay.claims import item_span
from canasta_notation.replay.deal_replay import DealReplay, line_number
from canasta_notation.replay.unwritten import takes_unwritten

#: What was wrong, and the deal without it.
Slip = tuple[str, Deal]


def possible_slips(replay: DealReplay, false: Sequence[Finding]) -> Iterator[Slip]:
    """Yield the slips that can explain the false findings of a deal, the likely ones first.

    Not tried: other mistakes in the play than the actions of two turns exchanged.
    """
    deal = replay.deal
    spans = {each.span for each in false if each.code == "score-item"}
    if any(each.code == "total" for each in false):
        yield from _totals(replay)
    if replay.sheet or replay.final:
        yield from _end(replay)
    yield from _turns(replay, false)
    yield from _items_of_a_side(replay, spans)
    for one, other in combinations(deal.scores, 2):
        yield from _items_of_sides(deal, one, other, spans)
    tables: tuple[Sequence[Any], ...] = (deal.scores, deal.melds, deal.threes, deal.left)
    for lines in tables:
        for one, other in combinations(lines, 2):
            yield _exchanged(deal, one, other)
    for lines in tables[1:]:
        for line, to in permutations(lines, 2):
            yield from _misplaced(deal, line, to)


def _totals(replay: DealReplay) -> Iterator[Slip]:
    line = replay.deal.total
    if line is None:
        return
    names, totals = [name for name, _ in line.totals], [total for _, total in line.totals]
    exchanged = replace(line, totals=tuple(zip(names, reversed(totals), strict=True)))
    yield "the totals of the sides may be exchanged", replace(replay.deal, total=exchanged)
    before = dict(zip(replay.rules.sides, replay.standing.claimed, strict=True))
    added = tuple((name, total + before.get(name, 0)) for name, total in line.totals)
    yield "add the totals before this deal", replace(replay.deal, total=replace(line, totals=added))


def _end(replay: DealReplay) -> Iterator[Slip]:
    end = replay.deal.end
    if end is not None:
        reason = end.reason if end.seat else "out"
        for seat in replay.rules.seats:
            other = replace(end, reason=reason, seat=seat)
            slip = f"the end line should perhaps be `end {reason} {seat}`"
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


def _items_of_a_side(replay: DealReplay, spans: set[Span]) -> Iterator[Slip]:
    for line in replay.deal.scores:
        points = dict(line.items or ())
        items = sorted({*items_of(replay.rules) - {"cards"}, *points})
        false = [item for item in items if item_span(line, item) in spans]
        for item, other in combinations(false, 2):
            changed = {item: points.get(other, 0), other: points.get(item, 0)}
            slip = f"the points of {item} and {other} may be exchanged"
            yield slip, _with_lines(replay.deal, {line: _with_items(line, changed)})


def _items_of_sides(
    deal: Deal, one: ScoreLine, other: ScoreLine, spans: set[Span]
) -> Iterator[Slip]:
    mine, its = dict(one.items or ()), dict(other.items or ())
    for item in {**mine, **its}:
        if not {item_span(one, item), item_span(other, item)} <= spans:
            continue
        points, others = mine.get(item, 0), its.get(item, 0)
        slip = f"the {item} points of {one.side} and {other.side} may be exchanged"
        for more in (0, others - points):
            lines = {
                one: replace(_with_items(one, {item: others}), score=one.score + more),
                other: replace(_with_items(other, {item: points}), score=other.score - more),
            }
            yield slip, _with_lines(deal, lines)


def _exchanged(deal: Deal, one: Any, other: Any) -> Slip:
    key = "seat" if isinstance(one, LeftLine) else "side"
    name, beside = getattr(one, key), getattr(other, key)
    lines = {one: replace(one, **{key: beside}), other: replace(other, **{key: name})}
    return f"the lines of {name} and {beside} may be exchanged", _with_lines(deal, lines)


def _misplaced(deal: Deal, line: Any, to: Any) -> Iterator[Slip]:
    """Yield a deal without each card or group of a line, and with it on another one."""
    key = "groups" if isinstance(line, MeldsLine) else "cards"
    parts = getattr(line, key)
    for part in dict.fromkeys(parts):
        at = parts.index(part)
        lines = {
            line: _with(line, key, parts[:at] + parts[at + 1 :]),
            to: _with(to, key, (*getattr(to, key), part)),
        }
        text = format_action(part) if key == "groups" else format_card(part)
        owner = to.seat if isinstance(to, LeftLine) else to.side
        yield f"{text} may belong on the line of {owner}", _with_lines(deal, lines)


def _with(line: Any, key: str, parts: tuple[Any, ...]) -> Any:
    """Return a line with other groups or cards; the places of groups are lost."""
    changed: dict[str, Any] = {key: parts} | ({"groups_at": ()} if key == "groups" else {})
    return replace(line, **changed)


def _with_items(line: ScoreLine, points: dict[str, int]) -> ScoreLine:
    return replace(line, items=tuple({**dict(line.items or ()), **points}.items()))


def _with_lines(deal: Deal, lines: dict[Any, Any]) -> Deal:
    """Return a deal with some of its lines replaced."""
    kinds = {ScoreLine: "scores", MeldsLine: "melds", ThreesLine: "threes", LeftLine: "left"}
    key = kinds[type(next(iter(lines)))]
    changed: dict[str, Any] = {key: tuple(lines.get(each, each) for each in getattr(deal, key))}
    return replace(deal, **changed)
