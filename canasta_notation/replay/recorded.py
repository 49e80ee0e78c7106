"""The report of a game that the fast path verified, made without a replay.

A test compares it with the report of a replay.
"""

from __future__ import annotations

import re
from typing import Final

from canasta_notation.engine.scoring import score_side
from canasta_notation.engine.table import OUT, SPECIAL, Table
from canasta_notation.replay.game_report import (
    Claims,
    DealReport,
    GameReport,
    ResultReport,
    SideReport,
    add_possible,
    only,
    sum_items,
)
from canasta_notation.scan.scan_state import KeptDeal
from canasta_notation.scan.verified import VerifiedGame

_SCORE: Final = re.compile(r"^score ([A-Z]+) (-?\d+)(?: =((?: [a-z0-9-]+ -?\d+)+))?", re.MULTILINE)
_TOTAL: Final = re.compile(r"^total((?: [A-Z]+ -?\d+)+)", re.MULTILINE)


def report_game(game: VerifiedGame) -> GameReport:
    """Return the report of a verified game that was kept while it was scanned."""
    deals = tuple(_report_deal(number, deal) for number, deal in enumerate(game.kept.deals, 1))
    sides = game.profile.side_names
    winner = sides[game.winner] if game.winner >= 0 else None
    result = ResultReport(
        dict(zip(sides, game.totals, strict=True)),
        winner,
        winner is not None,
        game.tags.get("Result"),
        agrees=True,
    )
    return GameReport(game.game, game.rules, deals, result, (), game.profile.text)


def _report_deal(number: int, deal: KeptDeal) -> DealReport:
    play = deal.table
    items, scores, totals = _claims(deal.closing.decode())
    sides = []
    for at, side in enumerate(play.rules.sides):
        claims = Claims(items.get(side), scores.get(side), totals.get(side))
        sides.append(_report_side(play, at, deal.totals[at], claims))
    by = play.rules.seats[play.ended_by] if play.ended in (OUT, SPECIAL) else None
    return DealReport(
        number, deal.line, play.ended, by, play.turns, tuple(sides), (), ()
    )  # fmt: skip


def _report_side(play: Table, at: int, total: int, claims: Claims) -> SideReport:
    entries = score_side(play, at)
    items = {item: only(amounts) for item, amounts in sum_items(entries).items()}
    score = only(add_possible([entry.possible for entry in entries]))
    return SideReport(
        play.rules.sides[at], tuple(entries), items, score, total, claims, agrees=True
    )


def _claims(closing: str) -> tuple[dict[str, dict[str, int]], dict[str, int], dict[str, int]]:
    """Return what the lines after a deal's turns claim by side: items, score, total."""
    items, scores = {}, {}
    for score in _SCORE.finditer(closing):
        scores[score[1]] = int(score[2])
        if score[3]:
            items[score[1]] = _figures(score[3])
    total = _TOTAL.search(closing)
    return items, scores, _figures(total[1]) if total else {}


def _figures(text: str) -> dict[str, int]:
    words = text.split()
    return {name: int(points) for name, points in zip(words[::2], words[1::2], strict=True)}
