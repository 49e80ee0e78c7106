"""The curve of a game: how much a side leads after each turn, or each side's total."""

from __future__ import annotations

from typing import Any

from canasta_notation.page.shown_game import ShownGame
from canasta_notation.report.played import PlayedDeal
from canasta_notation.story.estimates import ERRORS

#: A line of a deal: a figure for the table as dealt and after each turn, None if not known.
LeadLine = list[int | None]


def lead(game: ShownGame, deal: PlayedDeal) -> dict[str, Any]:
    """Return the lines of a deal, and the errors of the first line if it is estimated.

    With two sides, there is one line, the lead of the first side; with values, it is an estimate of
    the lead at the end of the deal. With three sides, each has a line: its total as the table shows
    it.
    """
    totals = [_totals(deal, at) for at in range(len(game.play.sides))]
    if not game.story.two:
        return {"lines": totals}
    line = [_less(*pair) for pair in zip(*totals, strict=True)]
    values = game.analyzed(deal).values
    if values is None or not values.sides or game.play.seat or deal.setup is None:
        return {"lines": [line]}
    side = values.sides[game.play.sides[0]]
    before = _less(deal.setup.sides[0].total, deal.setup.sides[1].total) or 0
    # The last figure is the score, which is known.
    line[:-1] = [before + round(each) for each in side.curve[: len(line) - 1]]
    errors = [round(ERRORS * each) for each in side.curve_error[: len(line)]]
    return {"lines": [line], "errors": errors}


def _totals(deal: PlayedDeal, at: int) -> LeadLine:
    """Return a side's total at every moment of a deal; its end includes the deal's score.

    For the table as dealt, it is the total before the deal if the hands are not known.
    """
    line: LeadLine = [
        None if side.total is None or side.points is None else side.total + side.points
        for side in (state.sides[at] for state in deal.states)
    ] or [None]
    if deal.setup is not None and line[0] is None:
        line[0] = deal.setup.sides[at].total
    sides = deal.report.sides
    final = sides[at] if at < len(sides) else None
    if (final is not None and deal.report.ended is not None) or not deal.turns:
        line[-1] = final.total if final is not None else None
    return line


def _less(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one - other
