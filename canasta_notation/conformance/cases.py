"""The answers of this program to the cases of the conformance suite.

tests/conformance/README.md describes the questions of each level and the values of the answers.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, Final

from canasta_notation.batch.parts import judge_games
from canasta_notation.cards import ACE, CODE, FOUR, KIND, PLACE_OF, RANK, is_wild
from canasta_notation.engine.actions import Discard, Lay
from canasta_notation.engine.side import meld_size
from canasta_notation.engine.table import Table
from canasta_notation.findings import Finding, worst
from canasta_notation.formats import games_as, read_json
from canasta_notation.notation.blocks import NotText
from canasta_notation.notation.document import Game, Turn
from canasta_notation.notation.format import Unwritable, format_action
from canasta_notation.notation.json_form import VERSION, JsonError
from canasta_notation.notation.reader import read_text
from canasta_notation.render.position import Position, walk_positions
from canasta_notation.replay.game_report import DealReport, report_verified
from canasta_notation.replay.steps import find_tables
from canasta_notation.scan.verified import VerifiedGame
from canasta_notation.search.trial import attempt, held_cards

SuiteAnswer = dict[str, Any]
#: The cards laid on each rank.
_Groups = tuple[tuple[int, tuple[int, ...]], ...]


def greeting(version: str) -> SuiteAnswer:
    """Return the answer to the greeting of a runner."""
    return {"name": f"canasta {version}", "cgn": str(VERSION)}


def answer(request: dict[str, Any]) -> SuiteAnswer:
    """Return the answer to one case: its result, or why it is skipped."""
    level = LEVELS.get(request["level"])
    if level is None:
        return {"id": request["id"], "skipped": "this program does not know the level"}
    return {"id": request["id"], "result": level(request["text"])}


# --- text ---------------------------------------------------------------------------------------


def _read(text: str) -> SuiteAnswer:
    problems = [each for reading in read_text(text) for each in reading.problems]
    return {"first_error": _first(problems), "errors": _places(problems)}


def _format(text: str) -> SuiteAnswer:
    return {"text": _written(_readable(text))}


def _convert(text: str) -> SuiteAnswer:
    if not text.startswith("{"):
        games = _readable(text)
        return {"json": None if games is None else json.loads("".join(games_as("json", games)))}
    try:
        games = list(read_json(io.BytesIO(text.encode()), "json", lambda _, error: error))
    except (JsonError, NotText):
        return {"text": None}
    return {"text": _written(games)}


def _written(games: list[Game] | None) -> str | None:
    """Return the canonical text of games, None if a reader would refuse it."""
    try:
        text = None if games is None else "".join(games_as("canasta", games))
    except Unwritable:
        return None
    return text if text is None or _readable(text) is not None else None


def _readable(text: str) -> list[Game] | None:
    """Return the games of a text, None if a line of it cannot be read."""
    readings = list(read_text(text))
    if any(reading.problems for reading in readings):
        return None
    return [reading.game for reading in readings]


# --- play ---------------------------------------------------------------------------------------


def _replay(text: str) -> SuiteAnswer:
    positions = (each for reading in read_text(text) for each in walk_positions(reading.game))
    deals = [list(_turns(deal)) for _, deal in groupby(positions, key=lambda each: each.deal)]
    return {"states": deals, "ends": [states[-1] for states in deals]}


def _turns(deal: Iterator[Position]) -> Iterator[SuiteAnswer]:
    """Yield the table as dealt, and after each turn."""
    for _, positions in groupby(deal, key=lambda each: each.turn):
        *_, last = positions
        yield _state(last)


def _state(position: Position) -> SuiteAnswer:
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


def _judge(text: str) -> SuiteAnswer:
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


# --- legal turns --------------------------------------------------------------------------------


def _count(text: str) -> SuiteAnswer:
    """Count the whole turns that can follow the draw at the end of a record, by their discards."""
    (reading,) = read_text(text)
    game = reading.game
    turns = [line for line in game.deals[-1].play if isinstance(line, Turn)]
    _, table = find_tables(game, len(game.deals), len(turns))
    counts: Counter[str] = Counter()
    for laid, rest in _ways(held_cards(table), _standing(table)):
        groups = [Lay(rank, cards) for rank, cards in laid]
        if attempt(table, groups, end=False).legal:
            for end in [(), *((Discard(card),) for card in dict.fromkeys(rest))]:
                if attempt(table, [*groups, *end]).legal:
                    counts["".join(map(format_action, end))] += 1
    return {"turns": dict(sorted(counts.items()))}


def _standing(table: Table) -> set[int]:
    """Return the ranks of the side's melds."""
    side = table.rules.side_of[table.seat]
    return {rank for rank in range(FOUR, ACE + 1) if meld_size(table, side, rank)}


def _ways(hand: list[int], standing: set[int]) -> set[tuple[_Groups, tuple[int, ...]]]:
    """Return every way to lay cards of a hand on ranks: the cards of each rank, and the rest."""
    ranks = standing | {RANK[card] for card in hand if not is_wild(card)}
    ways: set[tuple[_Groups, tuple[int, ...]]] = {((), ())}
    for card in sorted(hand):
        places = ranks if is_wild(card) else {RANK[card]}
        ways = {
            new
            for laid, rest in ways
            for new in [
                (laid, (*rest, card)),
                *((_with(laid, rank, card), rest) for rank in places),
            ]
        }
    return ways


def _with(laid: _Groups, rank: int, card: int) -> _Groups:
    groups = dict(laid)
    groups[rank] = (*groups.get(rank, ()), card)
    return tuple(sorted(groups.items()))


def _first(errors: list[Finding]) -> int | None:
    """Return the line of the first error, None without an error."""
    return errors[0].span.line if errors else None


def _places(findings: list[Finding]) -> list[list[Any]]:
    """Return each finding as its line and its code."""
    return [list(each) for each in sorted({(each.span.line, each.code) for each in findings})]


def _scores(deal: DealReport) -> SuiteAnswer:
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
LEVELS: Final[dict[str, Callable[[str], SuiteAnswer]]] = {
    "reader": _read,
    "canonical": _format,
    "json": _convert,
    "replay": _replay,
    "referee": _judge,
    "unknown": _judge,
    "legal": _count,
}
