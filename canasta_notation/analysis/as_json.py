"""The analysis for programs, as schemas/analysis.schema.json describes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from canasta_notation.analysis.analyzed import AnalyzedDeal, Chance, GameAnalysis, PlayerFigures
from canasta_notation.analysis.risk import Risk
from canasta_notation.analysis.values import DealValues, Loss, SeatValues, SideValues
from canasta_notation.cards import RANK_LETTERS, TEXT


def game_json(game: GameAnalysis, seat: str | None = None) -> dict[str, Any]:
    """Return a game; with `seat`, only the figures and chances of that seat."""
    return {
        "game": game.game,
        "rules": game.rules,
        "players": dict(game.players),
        "errors": game.errors,
        "deals": [_deal(deal, seat) for deal in game.deals],
    }


def player_json(player: PlayerFigures) -> dict[str, Any]:
    """Return the figures of a player."""
    return {
        "name": player.name,
        "games": player.games,
        "deals": player.deals,
        "won": player.won,
        **player.figures,
        "chances": dict(player.chances),
        **player.values,
        "loss_per_decision": player.loss_per_decision,
    }


def _deal(deal: AnalyzedDeal, seat: str | None) -> dict[str, Any]:
    facts = deal.facts
    return {
        "deal": facts.deal,
        "ended": facts.ended,
        "by": facts.by,
        "turns": facts.turns,
        "replayed": facts.replayed,
        "sheet": facts.sheet,
        "final": facts.final,
        "largest_pile": facts.largest_pile,
        "piles": [asdict(pile) for pile in facts.piles if seat in (None, pile.seat)],
        "seats": {
            each: {
                **asdict(figures),
                "chances": deal.missed(each),
                **_fields(SeatValues, deal.values and deal.values.seats.get(each)),
            }
            for each, figures in facts.seats.items()
            if seat in (None, each)
        },
        "sides": {
            side: {
                **asdict(figures),
                **_fields(SideValues, _shown(deal.values, seat).get(side)),
            }
            for side, figures in facts.sides.items()
        },
        "discards": [_discard(each) for each in deal.risks if seat in (None, each.seat)],
        "moments": _moments(deal, seat),
        **_curve(_shown(deal.values, seat)),
        "turning_point": deal.values.turning_point if deal.values and seat is None else None,
    }


def _fields(kind: type[SeatValues] | type[SideValues], values: Any) -> dict[str, Any]:
    """Return the values of a seat or a side, None for each field if there are none."""
    if values is None:
        return {field.name: None for field in fields(kind)}
    return asdict(values)


def _shown(values: DealValues | None, seat: str | None) -> Mapping[str, SideValues]:
    """Return the values by side, nothing if only those of a seat are shown."""
    return values.sides if values and seat is None else {}


def _curve(sides: Mapping[str, SideValues]) -> dict[str, Any]:
    """Return the curve of the first side, None without one."""
    first = next(iter(sides.values()), None)
    return {
        "curve": list(first.curve) if first else None,
        "curve_error": list(first.curve_error) if first else None,
    }


def _moments(deal: AnalyzedDeal, seat: str | None) -> list[dict[str, Any]]:
    """Return the chances that were not used, and the mistakes, in the order of the turns."""
    moments = [_moment(each) for each in deal.chances if seat in (None, each.seat)]
    losses = deal.values.losses if deal.values else ()
    moments += [_loss(each) for each in losses if seat in (None, each.seat)]
    return sorted(moments, key=lambda each: int(each["turn"]))


def _loss(loss: Loss) -> dict[str, Any]:
    shown = ("turn", "seat", "kind", "decision", "played", "better", "loss", "error")
    others = sum(loss.others.values())
    return {
        **{key: getattr(loss, key) for key in shown},
        "why": {
            "items": {**loss.items, "others": round(-others, 1)},
            "others_items": dict(loss.others),
            "risk": loss.risk,
            "risk_better": loss.risk_better,
        },
    }


def _discard(risk: Risk) -> dict[str, Any]:
    return {
        "turn": risk.turn,
        "seat": risk.seat,
        "card": TEXT[risk.card],
        "risk": risk.risk,
        "risk_error": risk.error,
        "safest": None if risk.safest is None else TEXT[risk.safest],
        "safest_risk": risk.safest_risk,
        "safest_error": risk.safest_error,
        "takeable": risk.takeable,
    }


def _moment(chance: Chance) -> dict[str, Any]:
    moment: dict[str, Any] = {
        "turn": chance.turn,
        "seat": chance.seat,
        "kind": "chance",
        "chance": chance.kind,
    }
    if chance.kind == "take":
        moment["cards"] = chance.cards
    if chance.kind == "canasta":
        moment["rank"] = RANK_LETTERS[chance.rank or 0]
        moment["canasta"] = chance.canasta
    return moment
