"""Evenings as a scorer taps them into the pad: the scores of random games, as figures of forms."""

from __future__ import annotations

import json
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

from typer.testing import CliRunner

from canasta_notation.app.bridge import call
from canasta_notation.cli.app import app
from canasta_notation.notation.document import (
    BonusLine,
    Deal,
    EndLine,
    Game,
    Ruling,
    ScoreLine,
    TotalLine,
)
from canasta_notation.notation.format import format_game
from canasta_notation.replay.game_replay import replay_game
from tests.random_games import random_game


class Evening(NamedTuple):
    """A game as it is tapped: its tags, the figures of each deal, and the resulting scores."""

    rules: str
    dealer: str
    deals: list[dict[str, Any]]
    claims: list[dict[str, dict[str, Any]]]


def evening(rules: str, at: int = 0, *, bonuses: bool = True) -> Evening:
    """Return a random game of a profile as figures, deal by deal.

    Without `bonuses`, it is one of those that have no bonus line.
    """
    played = (random_game(rules, seed) for seed in count())
    game = next(islice((each for each in played if bonuses or not _has_bonus(each)), at, None))
    report = replay_game(game, 1)
    deals, totals = [], dict.fromkeys((side.side for side in report.deals[0].sides), 0)
    sums = []
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
        rulings = tuple(line for line in deal.play if isinstance(line, Ruling))
        total = TotalLine(tuple(totals.items()))
        deals.append(
            Deal(len(deals) + 1, deal.dealer, play=rulings, end=end, scores=lines, total=total)
        )
        sums.append(
            {
                line.side: {
                    "items": dict(line.items or ()),
                    "score": line.score,
                    "total": totals[line.side],
                }
                for line in lines
            }
        )
    sheet = format_game(Game(tuple(t for t in game.tags if t.name != "Result"), tuple(deals)))
    figures = [
        json.loads(call("pad_row", json.dumps([sheet, at])))["answer"] for at in range(len(deals))
    ]
    dealer = game.deals[0].dealer
    assert dealer is not None
    return Evening(rules, dealer, figures, sums)


def _has_bonus(game: Game) -> bool:
    return any(isinstance(line, BonusLine) for deal in game.deals for line in deal.play)


def no_finding(path: Path) -> list[dict[str, Any]]:
    """Return what the program finds in a record; it may be undetermined, but not wrong."""
    judged = CliRunner().invoke(app, ["validate", "--json", str(path)])
    assert judged.exit_code == 0, judged.output
    findings: list[dict[str, Any]] = json.loads(judged.stdout)["files"][0]["findings"]
    return findings


def claims(path: Path) -> list[dict[str, dict[str, Any]]]:
    """Return what a record claims for each deal and side, as the program audits it."""
    audited = json.loads(CliRunner().invoke(app, ["audit", "--json", str(path)]).stdout)
    [game] = audited["files"][0]["games"]
    sides = [side for deal in game["deals"] for side in deal["sides"].values()]
    assert all(side["agrees"] is not False for side in sides)
    return [
        {name: _without_zeros(side["claimed"]) for name, side in deal["sides"].items()}
        for deal in game["deals"]
    ]


def _without_zeros(claimed: dict[str, Any]) -> dict[str, Any]:
    return {**claimed, "items": {item: n for item, n in claimed["items"].items() if n}}
