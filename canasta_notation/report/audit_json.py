"""Audits for programs: the JSON document and the rows of the CSV."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from canasta_notation.replay.game_report import DealReport, SideReport
from canasta_notation.report.ledger import GameLedger

if TYPE_CHECKING:
    from canasta_notation.report.why import Why

#: The columns of the CSV.
CSV_COLUMNS: Final = ("file", "game", "deal", "side", "item", "computed", "claimed", "agrees")


def game_json(ledger: GameLedger) -> dict[str, Any]:
    """Return the JSON value of a game, as schemas/audit.schema.json describes it."""
    report = ledger.report
    return {
        "game": report.game,
        "rules": report.rules,
        "deals": [_deal(deal) for deal in report.deals],
        "result": asdict(report.result),
    }


def _deal(deal: DealReport) -> dict[str, Any]:
    sides = {side.side: _side(side) for side in deal.sides}
    return {"deal": deal.deal, "ended": deal.ended, "by": deal.by, "sides": sides}


def _side(side: SideReport) -> dict[str, Any]:
    claimed = side.claimed
    return {
        "items": dict(side.items),
        "score": side.score,
        "total": side.total,
        "claimed": {
            "items": dict(claimed.items or {}),
            "score": claimed.score,
            "total": claimed.total,
        },
        "agrees": side.agrees,
    }


def why_json(why: Why) -> dict[str, Any]:
    """Return the house rules under which false claims would hold, and how many were tried."""
    claims = [
        {
            "deal": each.claim.deal,
            "side": each.claim.side,
            "what": each.claim.what,
            "claimed": each.claimed,
            "computed": each.computed,
            "holds_if": [
                {
                    "overrides": [override.text for override in answer.overrides],
                    "sentences": [override.words for override in answer.overrides],
                    "mends": answer.mends,
                    "breaks": answer.breaks,
                }
                for answer in each.answers
            ],
        }
        for each in why.claims
    ]
    return {"claims": claims, "tried": {"single": why.singles, "pairs": why.pairs}}


def csv_rows(file: str, ledger: GameLedger) -> Iterator[tuple[str | int, ...]]:
    """Yield a row for each deal, side and item; score and total count as items.

    A figure that is not known or not claimed is empty; so is `agrees` if it is not decided.
    """
    for deal in ledger.deals:
        for side in deal.sides:
            for item in side.rows:
                yield (
                    file,
                    ledger.report.game,
                    deal.report.deal,
                    side.side,
                    item.item,
                    "" if item.computed is None else item.computed,
                    "" if item.claimed is None else item.claimed,
                    "" if item.agrees is None else ("yes" if item.agrees else "no"),
                )
