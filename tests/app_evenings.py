"""Evenings as a scorer taps them into the pad: the scores of random games, as figures of forms."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from canasta_notation.app.bridge import call
from canasta_notation.notation.document import Deal, EndLine, Game, ScoreLine, TotalLine
from canasta_notation.notation.format import format_game
from canasta_notation.replay.game_replay import replay_game
from tests.random_games import games


class Evening(NamedTuple):
    """A game as it is tapped: its tags, the figures of each deal, and what they come to."""

    rules: str
    dealer: str
    deals: list[dict[str, Any]]
    scores: list[dict[str, int]]


def evening(rules: str, at: int = 0) -> Evening:
    """Return a random game of a profile as figures, deal by deal."""
    game = games(rules)[at]
    report = replay_game(game, 1)
    deals, totals = [], dict.fromkeys((side.side for side in report.deals[0].sides), 0)
    scores = []
    for deal, found in zip(game.deals, report.deals, strict=True):
        held = {side.side: side.score for side in found.sides}
        if None in held.values():
            break
        points = {side: score or 0 for side, score in held.items()}
        totals = {side: total + points[side] for side, total in totals.items()}
        lines = tuple(
            ScoreLine(side.side, points[side.side], items or None)
            for side in found.sides
            for items in [tuple((item, value or 0) for item, value in side.items.items() if value)]
        )
        end = deal.end if deal.end and deal.end.seat else None
        if end is None and found.ended in ("out", "special") and found.by:
            end = EndLine(found.ended, found.by)
        deals.append(
            Deal(len(deals) + 1, deal.dealer, end=end, scores=lines,
                 total=TotalLine(tuple(totals.items())))
        )  # fmt: skip
        scores.append(points)
    sheet = format_game(Game(tuple(t for t in game.tags if t.name != "Result"), tuple(deals)))
    figures = [
        json.loads(call("pad_row", json.dumps([sheet, n])))["answer"] for n in range(len(deals))
    ]
    dealer = game.deals[0].dealer
    assert dealer is not None
    return Evening(rules, dealer, figures, scores)
