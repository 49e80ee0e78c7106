"""What may explain a score on paper that differs from its row. It never says which it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Final, NamedTuple

from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import special_amounts, threes_item
from canasta_notation.notation.document import ScoreLine
from canasta_notation.recorder.pad_row import canasta_bonuses, columns, other_items
from canasta_notation.rules.items import ITEMS, SCORED, TAKEN_OFF

#: How many canastas of a kind, more or less, are tried as an explanation.
_MOST: Final = 3
#: The items that a side has or does not have, with the same points each time; the second one only
#: with the first.
_ONCE: Final = ("out", "concealed")


class FigureChange(NamedTuple):
    """A figure that would be another one: the number of canastas, or the points of any item."""

    item: str
    old: int
    new: int


def counted(line: ScoreLine) -> int:
    """Return what the items of a score line add up to; its score if it has no items."""
    return line.score if line.items is None else sum(points for _, points in line.items)


def explanations(rules: Rules, line: ScoreLine, said: int) -> list[tuple[FigureChange, ...]]:
    """Return the changes of one figure of a row after which it comes to the score on paper.

    A canasta that was counted as one of another kind changes two figures. The values of the items
    are those of the rules. The list is empty if no such change comes to the score, or if the row
    has no figures. It has at most one change for each figure and new value: a few dozen are tried.
    """
    if line.items is None and line.score:
        return []
    items, missing = dict(line.items or ()), said - counted(line)
    found = [*_canastas(rules, items, missing)]
    for item in _shown(rules, items):
        old = items.get(item, 0)
        if missing and old + missing in _values(rules, item, old):
            found.append((FigureChange(item, old, old + missing),))
    return found


def _canastas(
    rules: Rules, items: Mapping[str, int], missing: int
) -> Iterator[tuple[FigureChange, ...]]:
    """Yield the other numbers of canastas, and the canastas of another kind, that explain it."""
    bonuses = {kind: bonus for kind, bonus in canasta_bonuses(rules).items() if bonus}
    numbers = {kind: items.get(kind, 0) // bonus for kind, bonus in bonuses.items()}
    for kind, bonus in bonuses.items():
        more, rest = divmod(missing, bonus)
        if not rest and 0 < abs(more) <= _MOST and numbers[kind] + more >= 0:
            yield (FigureChange(kind, numbers[kind], numbers[kind] + more),)
    for wrong, right in permutations(bonuses, 2):
        if numbers[wrong] and bonuses[right] - bonuses[wrong] == missing != 0:
            yield (
                FigureChange(wrong, numbers[wrong], numbers[wrong] - 1),
                FigureChange(right, numbers[right], numbers[right] + 1),
            )


def _shown(rules: Rules, items: Mapping[str, int]) -> list[str]:
    """Return the items other than canastas that a row has or could have, in their order."""
    once = _ONCE if "out" in items else _ONCE[:1]
    could = {*items, *once, *columns(rules), *other_items(rules), "penalty"}
    could -= {*canasta_bonuses(rules)}
    return [item for item in (*ITEMS, "cards") if item in could]


def _values(rules: Rules, item: str, old: int) -> set[int]:
    """Return the points that an item of a row could have instead."""
    amounts = _amounts(rules, item)
    if item in _ONCE:
        return {0, *amounts}
    if item == threes_item(rules):
        return {*amounts, *(-amount for amount in amounts)}
    if item in ("cards", "melds"):
        return {0, -old}
    near = {0, *(old + amount for amount in amounts), *(old - amount for amount in amounts)}
    sign = -1 if item in TAKEN_OFF else 1
    return {points for points in near if sign * points >= 0}


def _amounts(rules: Rules, item: str) -> set[int]:
    """Return the points that the rules give for an item; empty if cards or rulings decide them."""
    if item == threes_item(rules):
        red = {0, *rules.score_red3}
        return {one + other for one in red for other in (red if rules.black_tabled else {0})}
    if item in ("special", "penalty"):
        ruled = {-points for points in rules.penalties.values() if points}
        return special_amounts(rules) if item == "special" else ruled
    value = rules.profile[SCORED[item].key] if SCORED[item].key else ()
    if isinstance(value, int):
        return {value}
    return {*(value.values() if isinstance(value, Mapping) else value)}
