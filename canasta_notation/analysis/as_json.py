"""The analysis for programs, as schemas/analysis.schema.json describes it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from canasta_notation.analysis.analyzed import AnalyzedDeal, Chance, GameAnalysis, PlayerFigures
from canasta_notation.analysis.risk import Risk
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
            each: {**asdict(figures), "chances": deal.missed(each)}
            for each, figures in facts.seats.items()
            if seat in (None, each)
        },
        "sides": {side: asdict(figures) for side, figures in facts.sides.items()},
        "discards": [_discard(each) for each in deal.risks if seat in (None, each.seat)],
        "moments": [_moment(each) for each in deal.chances if seat in (None, each.seat)],
    }


def _discard(risk: Risk) -> dict[str, Any]:
    return {
        "turn": risk.turn,
        "seat": risk.seat,
        "card": TEXT[risk.card],
        "risk": risk.risk,
        "safest": None if risk.safest is None else TEXT[risk.safest],
        "safest_risk": risk.safest_risk,
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
