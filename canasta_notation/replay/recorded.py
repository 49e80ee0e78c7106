"""The report of a game that the fast path verified, made without a replay.

A test compares it with the report of a replay.
"""

from __future__ import annotations

from canasta_notation.engine.scoring import ITEMS, score_side
from canasta_notation.engine.table import OUT, SPECIAL
from canasta_notation.replay.game_report import (
    Claims,
    DealReport,
    GameReport,
    ResultReport,
    SideReport,
)
from canasta_notation.scan.scan_state import KeptDeal
from canasta_notation.scan.verified import VerifiedGame


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
    sides = tuple(_report_side(deal, at) for at in range(len(deal.sheets)))
    by = play.rules.seats[play.ended_by] if play.ended in (OUT, SPECIAL) else None
    return DealReport(number, deal.line, play.ended, by, play.turns, sides, (), ())


def _report_side(deal: KeptDeal, at: int) -> SideReport:
    """Return the report of a side; what the record claims for it is true."""
    sheet, listed, total = deal.sheets[at], deal.claimed[at], deal.totals[at]
    claimed = Claims(
        {ITEMS[item]: sheet.points[item] for item in listed} if listed else None,
        None if listed is None else sheet.total(),
        total if deal.totalled >> at & 1 else None,
    )
    return SideReport(
        deal.table.rules.sides[at],
        tuple(score_side(deal.table, at)),
        {ITEMS[item]: sheet.points[item] for item in sheet.written()},
        sheet.total(),
        total,
        claimed,
        agrees=True,
    )
