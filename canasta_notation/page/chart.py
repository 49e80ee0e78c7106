"""The score of a game as a drawing: each side's total after every turn of every deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from canasta_notation.english import listed
from canasta_notation.page.story import Story
from canasta_notation.page.wording import points
from canasta_notation.report.played import PlayedDeal

#: The width and height of the drawing, and the place of its lines.
_WIDTH: Final = 720
_HEIGHT: Final = 220
_TOP: Final = 30
_BOTTOM: Final = 190
#: The room that a digit takes in the largest type, and between two numbers of deals.
_DIGIT: Final = 18
_BETWEEN: Final = 6
#: The least distance between two lines of figures, in units.
_APART: Final = 36
_ROUND: Final = (100, 200, 250, 500, 1000, 2000, 2500, 5000, 10000)

#: A side's totals, one for each moment of the game; None if it cannot be known.
Totals = list[int | None]


class Chart(NamedTuple):
    """What a drawing shows; places are in its units, from the top left.

    `lines` are the path of each side's line. `grid` are round totals, each with its height. `deals`
    are where each deal begins, the place of its number, None if there is no room, and the number.
    """

    words: str
    lines: list[str]
    grid: list[tuple[int, int]]
    deals: list[tuple[int, int | None, int]]
    width: int = _WIDTH
    height: int = _HEIGHT
    top: int = _TOP
    bottom: int = _BOTTOM


def chart(game: Story) -> Chart | None:
    """Return the drawing, None if fewer than two totals are known."""
    lines = _totals(game)
    known = [total for line in lines for total in line if total is not None]
    if len(known) <= len(lines):
        return None
    scale = _Scale(min(0, *known), max(known), len(lines[0]))
    return Chart(
        words=_words(game),
        lines=[scale.path(line) for line in lines],
        grid=[(scale.y(total), total) for total in scale.round_totals()],
        deals=[*_deals(game, scale)],
    )


class Curve(NamedTuple):
    """The value of each position of a deal for a side, as a drawing; places are as in `Chart`.

    `marks` are the turns of mistakes, each with its place and its words; `zero` is the height of no
    points.
    """

    words: str
    line: str
    zero: int
    marks: list[tuple[int, int, int, str]]
    width: int = _WIDTH
    height: int = _HEIGHT


def curve(game: Story, deal: PlayedDeal) -> Curve | None:
    """Return the curve of a deal for the first side, None if it is not known or not to be shown."""
    values = game.values.get(deal.number)
    if values is None or not values.sides or game.play.seat:
        return None
    side = game.play.sides[0]
    points_at = [round(each) for each in values.sides[side].curve]
    scale = _Scale(min(0, *points_at), max(0, *points_at), len(points_at))
    name = game.side_name(side)
    return Curve(
        words=f"By how many points {name} was likely to end ahead, turn by turn",
        line=scale.path([*points_at]),
        zero=scale.y(0),
        marks=[
            (
                loss.turn,
                scale.x(loss.turn),
                scale.y(points_at[loss.turn]),
                f"Turn {loss.turn}: {loss.kind}",
            )
            for loss in values.losses
        ],
    )


def _words(game: Story) -> str:
    totals = game.play.report.result.totals
    ends = listed(f"{side} ends with {points(totals.get(side))}" for side in game.play.sides)
    return f"Score by {'turn' if game.has_turns else 'deal'}: {ends}"


def _totals(game: Story) -> list[Totals]:
    """Return each side's total at every moment; at the end of a deal, it includes the deal's score.

    For the table as dealt, it is the total before the deal if the hands are not known.
    """
    lines: list[Totals] = [[] for _ in game.play.sides]
    for deal in game.play.deals:
        for at, line in enumerate(lines):
            line += [
                None if side.total is None or side.points is None else side.total + side.points
                for side in (state.sides[at] for state in deal.states)
            ] or [None]
            first = -len(deal.states)
            if deal.setup is not None and line[first] is None:
                line[first] = deal.setup.sides[at].total
            sides = deal.report.sides
            final = sides[at] if at < len(sides) else None
            if (final is not None and deal.report.ended is not None) or not deal.turns:
                line[-1] = final.total if final is not None else None
    return lines


def _deals(game: Story, scale: _Scale) -> Iterator[tuple[int, int | None, int]]:
    """Yield where each deal begins, the place of its number if there is room, and the number."""
    at = free = 0
    for deal in game.play.deals:
        x = scale.x(at)
        width = len(str(deal.number)) * _DIGIT
        left = min(x + 3, _WIDTH - width)
        if left >= free:
            yield x, left, deal.number
            free = left + width + _BETWEEN
        else:
            yield x, None, deal.number
        at += len(deal.states) or 1


class _Scale:
    """Converts moments and totals to places in the drawing."""

    def __init__(self, least: int, most: int, count: int) -> None:
        self.least = least
        self.most = max(most, least + 1)
        self.count = max(count - 1, 1)

    def x(self, at: int) -> int:
        return round(at * _WIDTH / self.count)

    def y(self, total: int) -> int:
        part = (total - self.least) / (self.most - self.least)
        return round(_BOTTOM - part * (_BOTTOM - _TOP))

    def path(self, line: Totals) -> str:
        """Return a line through the known totals, straight over those that are not known."""
        drawn: list[str] = []
        last: tuple[int, int] | None = None
        for at, total in enumerate(line):
            if total is None:
                continue
            x, y = self.x(at), self.y(total)
            if last is None:
                drawn.append(f"M{x} {y}")
            elif last[1] == y and drawn[-1][0] == "h":
                drawn[-1] = f"h{int(drawn[-1][1:]) + x - last[0]}"
            else:
                drawn.append(f"l{x - last[0]} {y - last[1]}" if last[1] != y else f"h{x - last[0]}")
            last = x, y
        return "".join(drawn)

    def round_totals(self) -> range:
        """Return round totals with room between them for a line of figures."""
        height = _BOTTOM - _TOP
        step = next(
            (each for each in _ROUND if each * height / (self.most - self.least) >= _APART),
            _ROUND[-1] * (1 + (self.most - self.least) // (5 * _ROUND[-1])),
        )
        return range(-(-self.least // step) * step, self.most + 1, step)
