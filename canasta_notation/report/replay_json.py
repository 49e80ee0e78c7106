"""Replays for programs: the JSON document, one state per step, cards spelled as in the notation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from canasta_notation.cards import RANK_LETTERS, TEXT
from canasta_notation.engine.state import MeldState, SideState, State
from canasta_notation.notation.document import Turn
from canasta_notation.notation.format import format_action, format_line
from canasta_notation.replay.deal_findings import line_number
from canasta_notation.replay.steps import Step
from canasta_notation.report.findings_json import finding_json
from canasta_notation.report.played import Played


def replay_json(file: str, plays: Iterable[Played]) -> dict[str, Any]:
    """Return the document that schemas/replay.schema.json describes."""
    return {"file": file, "games": [_game(play) for play in plays]}


def _game(play: Played) -> dict[str, Any]:
    of_deals = (each for deal in play.deals for each in (*deal.early, *deal.late))
    beside = [*play.early, *of_deals, *play.late]
    return {
        "game": play.report.game,
        "rules": play.report.rules,
        "players": play.names,
        "seat": play.seat or None,
        "verdict": None if play.seat else play.report.verdict,
        "steps": [_step(play, step) for step in play.steps],
        "findings": [finding_json(finding, beside) for finding in beside],
    }


def _step(play: Played, step: Step) -> dict[str, Any]:
    line = step.line
    turn = line if isinstance(line, Turn) else None
    findings = list(step.findings)
    return {
        "deal": step.deal,
        "turn": step.turn,
        "action": step.action,
        "seat": turn.seat if turn else None,
        "line": line_number(line) if line else None,
        "done": done(step),
        "last": step.last,
        "comment": line.comment if line else None,
        "annotations": list(turn.annotations) if turn else [],
        "clock": turn.clock if turn else None,
        "state": state_json(step.state, play.seats, play.sides),
        "findings": [finding_json(finding, findings) for finding in findings],
    }


def done(step: Step, draw_count: int = 1) -> str | None:
    """Return the action or the penalty of a step as the notation spells it, None for none."""
    line = step.line
    if isinstance(line, Turn):
        return format_action(line.actions[step.action], draw_count) if line.actions else None
    return format_line(replace(line, before=(), comment=None)) if line else None


def state_json(state: State, seats: str, sides: tuple[str, ...]) -> dict[str, Any]:
    """Return a state for JSON."""
    return {
        "hands": {
            seat: {
                "cards": _cards(hand.cards),
                "unknown": hand.unknown,
                "size": hand.size,
                "loose": hand.loose,
                "may": _cards(hand.may),
            }
            for seat, hand in zip(seats, state.hands, strict=True)
        },
        "sides": {name: _side(side) for name, side in zip(sides, state.sides, strict=True)},
        "pile": {
            "cards": _cards(state.pile),
            "loose": state.pile_loose,
            "frozen": state.frozen,
            "frozen_for": dict(zip(sides, state.frozen_for, strict=True)),
        },
        "stock": {"fewest": state.stock[0], "most": state.stock[1]},
        "due": None if state.due is None or state.ended else seats[state.due],
        "ended": state.ended or None,
        "ended_by": None if state.ended_by is None else seats[state.ended_by],
        "special": _cards(state.special),
    }


def _side(side: SideState) -> dict[str, Any]:
    return {
        "melds": [_meld(meld) for meld in side.melds],
        "threes": _cards(side.threes),
        "opened": side.opened,
        "minimum": side.minimum,
        "total": side.total,
        "points": side.points,
        "penalty": side.penalty,
    }


def _meld(meld: MeldState) -> dict[str, Any]:
    return {
        "label": RANK_LETTERS[meld.rank],
        "cards": _cards(meld.cards),
        "naturals": meld.naturals,
        "wilds": meld.twos + meld.jokers,
        "canasta": meld.canasta or None,
        "concealed": meld.concealed,
    }


def _cards(codes: tuple[int, ...]) -> list[str]:
    return [TEXT[code] for code in codes]
