"""Items that are given as numbers, such as two mixed canastas, and scores that show their points.

The rules give a number its points. Scores that add up only with other points show a house rule, so
the items have these: then `audit` says which rule it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from canasta_notation.cards import CARD_STEP
from canasta_notation.english import count

#: How many scores must show the same points; a single one may be added up wrongly.
_SCORES: Final = 2


class CountedScore(NamedTuple):
    """A score, and its items in points by the rules."""

    score: int
    items: Mapping[str, int]


class ShownPoints(NamedTuple):
    """The points of one of an item by the scores, and by the rules."""

    item: str
    points: int
    usual: int

    def of(self, points: int) -> int:
        """Return the points by the scores of what has these points by the rules."""
        return points // self.usual * self.points

    @property
    def words(self) -> str:
        """What the scores show, in words."""
        return f"{self.item} counts {count(self.points, 'point')}, because the scores agree"


def shown_points(scores: Iterable[CountedScore], usual: Mapping[str, int]) -> ShownPoints | None:
    """Return the other points with which all scores add up, None if they do or if nothing fits.

    `usual` are the items that are given as numbers, with the points of one by the rules.
    """
    counted = [*scores]
    if all(_adds_up(each) for each in counted):
        return None
    found = [
        ShownPoints(item, points, one)
        for item, one in usual.items()
        if one and (points := _points_of_one(item, one, counted))
    ]
    return found[0] if len(found) == 1 else None


def _points_of_one(item: str, one: int, counted: Iterable[CountedScore]) -> int | None:
    """Return the only points of one of an item with which all scores add up, or None."""
    shown: list[set[int]] = []
    for each in counted:
        number = each.items.get(item, 0) // one
        rest = each.score - sum(each.items.values()) + number * one
        # Red threes may count against the side.
        rests = (rest, rest + 2 * each.items.get("red3", 0))
        if number:
            steps = number * CARD_STEP
            shown.append({points // number for points in rests if points > 0 == points % steps})
        elif not _adds_up(each):
            return None
    common = set[int].intersection(*shown) if len(shown) >= _SCORES else set[int]()
    return common.pop() if len(common) == 1 else None


def _adds_up(counted: CountedScore) -> bool:
    return sum(signed_threes(counted.items, counted.score).values()) == counted.score


def signed_threes(items: Mapping[str, int], score: int) -> dict[str, int]:
    """Return the items with red threes that count against a side, if only so they add up."""
    red3 = items.get("red3", 0)
    if red3 and sum(items.values()) != score == sum(items.values()) - 2 * red3:
        return {**items, "red3": -red3}
    return {**items}
