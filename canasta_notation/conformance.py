"""The answers of this program to the cases of the conformance suite.

tests/conformance/README.md describes the questions of each level and the values of the answers.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, Final

from canasta_notation.batch.parts import judge_games
from canasta_notation.cards import CODE, KIND, PLACE_OF
from canasta_notation.findings import Finding, worst
from canasta_notation.formats import games_as, read_json
from canasta_notation.live.position import Position, walk_positions
from canasta_notation.notation.blocks import NotText
from canasta_notation.notation.document import Game
from canasta_notation.notation.json_form import VERSION, JsonError
from canasta_notation.notation.reader import read_text
from canasta_notation.replay.game_report import DealReport, report_verified
from canasta_notation.scan.verified import VerifiedGame

Answer = dict[str, Any]


def greeting(version: str) -> Answer:
    """Return the answer to the greeting of a runner."""
    return {"name": f"canasta {version}", "cgn": str(VERSION)}


def answer(request: dict[str, Any]) -> Answer:
    """Return the answer to one case: its result, or why it is skipped."""
    level = LEVELS.get(request["level"])
    if level is None:
        return {"id": request["id"], "skipped": "this program does not know the level"}
    return {"id": request["id"], "result": level(request["text"])}


# --- text ---------------------------------------------------------------------------------------


def _read(text: str) -> Answer:
    problems = [each for reading in read_text(text) for each in reading.problems]
    return {"first_error": _first(problems), "errors": _places(problems)}


def _format(text: str) -> Answer:
    games = _readable(text)
    return {"text": None if games is None else "".join(games_as("canasta", games))}


def _convert(text: str) -> Answer:
    if not text.startswith("{"):
        games = _readable(text)
        return {"json": None if games is None else json.loads("".join(games_as("json", games)))}
    try:
        games = list(read_json(io.BytesIO(text.encode()), "json", lambda _, error: error))
    except (JsonError, NotText):
        return {"text": None}
    return {"text": "".join(games_as("canasta", games))}


def _readable(text: str) -> list[Game] | None:
    """Return the games of a text, None if a line of it cannot be read."""
    readings = list(read_text(text))
    if any(reading.problems for reading in readings):
        return None
    return [reading.game for reading in readings]


# --- play ---------------------------------------------------------------------------------------


def _replay(text: str) -> Answer:
    positions = (each for reading in read_text(text) for each in walk_positions(reading.game))
    deals = [list(_turns(deal)) for _, deal in groupby(positions, key=lambda each: each.deal)]
    return {"states": deals, "ends": [states[-1] for states in deals]}


def _turns(deal: Iterator[Position]) -> Iterator[Answer]:
    """Yield the table as dealt, and after each turn."""
    for _, positions in groupby(deal, key=lambda each: each.turn):
        *_, last = positions
        yield _state(last)


def _state(position: Position) -> Answer:
    state = {
        "hands": {seat: _cards(cards) for seat, cards in position.hands.items()},
        "melds": {
            side: " ".join(f"{label}:{_cards(melds[label])}" for label in sorted(melds, key=_place))
            for side, melds in position.melds.items()
        },
        "threes": {side: _cards(cards) for side, cards in position.threes.items()},
        "pile": "".join(position.pile),
        "stock": position.stock,
        "due": position.due,
    }
    if position.ended:
        state["ended"] = f"{position.ended} {position.by or ''}".strip()
    return state


def _cards(cards: tuple[str, ...]) -> str:
    return "".join(sorted(cards, key=CODE.__getitem__))


def _place(label: str) -> tuple[int, int]:
    """Return what sorts the melds of a side: their kinds, then their numbers."""
    place = PLACE_OF[label]
    return KIND[place], place


def _judge(text: str) -> Answer:
    games = judge_games(io.BytesIO(text.encode("utf-8", "surrogatepass")), rows=True)
    reports = [
        report_verified(each.report) if isinstance(each.report, VerifiedGame) else each.report
        for each in games
    ]
    findings = [each for report in reports for each in report.findings if each.severity != "note"]
    return {
        "verdict": worst([report.verdict for report in reports] or ["verified"]),
        "first_error": _first([each for each in findings if each.severity == "error"]),
        "findings": _places(findings),
        "consequences": _places([each for each in findings if each.follows is not None]),
        "scores": [[_scores(deal) for deal in report.deals] for report in reports],
    }


def _first(errors: list[Finding]) -> int | None:
    """Return the line of the first error, None without an error."""
    return errors[0].span.line if errors else None


def _places(findings: list[Finding]) -> list[list[Any]]:
    """Return each finding as its line and its code."""
    return [list(each) for each in sorted({(each.span.line, each.code) for each in findings})]


def _scores(deal: DealReport) -> Answer:
    """Return each side's score of a deal, its items and its total; null if it does not follow."""
    return {
        side.side: {
            "score": side.score,
            "items": {item: points for item, points in side.items.items() if points != 0},
            "total": side.total,
        }
        for side in deal.sides
    }


#: What answers the cases of each level.
LEVELS: Final[dict[str, Callable[[str], Answer]]] = {
    "reader": _read,
    "canonical": _format,
    "json": _convert,
    "replay": _replay,
    "referee": _judge,
    "unknown": _judge,
}
