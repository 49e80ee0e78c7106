"""The bridge of the web application: functions that take and return JSON, and hold no state.

A screen calls a function by its name and passes only the text of a record. What a function returns
depends only on that text, so a screen can be closed at any moment.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, Final

from canasta_notation.app.pad_form import (
    pad,
    pad_draft,
    pad_paper,
    pad_row,
    shown_finding,
    standing_of,
)
from canasta_notation.findings import worst
from canasta_notation.formats import draw_count
from canasta_notation.notation.anonymous import PlayerNumbers
from canasta_notation.notation.blocks import NotText
from canasta_notation.notation.format import format_games
from canasta_notation.notation.reader import Reading, read_text
from canasta_notation.page.one_file import game_page
from canasta_notation.page.one_file import page as whole_page
from canasta_notation.page.shown_game import page_game
from canasta_notation.page.wording import tag_text
from canasta_notation.recorder.mode import MODE, mode_of
from canasta_notation.recorder.opening import (
    DEFAULT_RULES,
    house_questions,
    new_record,
    tag_problem,
)
from canasta_notation.recorder.standing import NotRecordable, Standing
from canasta_notation.render.excerpt import game_remarks
from canasta_notation.render.paint import Look, escape, paint
from canasta_notation.render.score_card import deal_card, result_rows
from canasta_notation.replay.header import read_header
from canasta_notation.report.ledger import audit_game, game_json
from canasta_notation.report.outcome import check_game, finding_json
from canasta_notation.rules import load_profile, profile_names

#: The file's name on a page: a record on a phone has none.
_NAME: Final = "game.canasta"


class Impossible(Exception):
    """Something that a function cannot do with a record; the message says why, in one line."""


# --- a new game -----------------------------------------------------------------------------------


def profiles() -> list[dict[str, Any]]:
    """Return the rules that can be chosen: name, title, seats, and questions about house rules."""
    found = []
    for name in profile_names():
        profile = load_profile(name)
        questions = [question._asdict() for question in house_questions(name)]
        found.append(
            {
                "name": name,
                "title": profile.title,
                "seats": profile.seats,
                "usual": name == DEFAULT_RULES,
                "questions": questions,
            }
        )
    return found


def new(tags: dict[str, str], mode: str) -> dict[str, Any]:
    """Return the text of a new record, or the first tag with a problem and its words."""
    held = {**tags, MODE: mode}
    for name in tags:
        problem = tag_problem(held, name) if tags[name] else None
        if problem is not None:
            return {"tag": name, "finding": shown_finding(problem, None)}
    return {"text": "".join(f"{line}\n" for line in new_record(held))}


# --- a record -------------------------------------------------------------------------------------


def listing(text: str) -> dict[str, Any]:
    """Return how a list of games shows a record: its title, its state and its errors."""
    games = _games(text)
    game = games[0].game
    names = ", ".join(escape(name) for name in _players(games[0]).values())
    outcomes = [check_game(None, "", each, at) for at, each in enumerate(games, 1)]
    return {
        "title": escape(tag_text(game, "Event")) or names or "a game",
        "players": names,
        "date": escape(tag_text(game, "Date")),
        "state": f"{len(games)} games" if len(games) > 1 else _state(text, games[0]),
        "mode": mode_of(Standing(games[0].lines)) if len(games) == 1 and _readable(text) else "",
        "errors": sum(each.severity == "error" for one in outcomes for each in one.findings),
    }


def _readable(text: str) -> bool:
    """Return whether a record can be continued."""
    try:
        return not standing_of(text).reading.problems
    except NotRecordable:
        return False


def _state(text: str, reading: Reading) -> str:
    """Return the state of a game: its result, or the deal that is due."""
    if not _readable(text):
        return f"{len(reading.game.deals)} deals"
    standing = standing_of(text)
    if standing.phase != "over":
        return f"deal {standing.deal_due}"
    totals = standing.totals()
    return " ".join(f"{side} {'?' if total is None else total}" for side, total in totals.items())


def _players(reading: Reading) -> dict[str, str]:
    profile = read_header(reading.game, 1).profile
    return reading.game.names(profile.seats) if profile else {}


def _games(text: str) -> list[Reading]:
    """Return the games of a text. Raises Impossible if there are none."""
    games = list(read_text(text))
    if not games:
        raise Impossible("there is no game in this text")
    return games


def verdict(text: str) -> dict[str, Any]:
    """Return the verdict on a text, as `canasta validate --json` gives it for a file.

    A finding also has the text of its line, and `remarks` are the lines about what is undetermined.
    """
    findings: list[dict[str, Any]] = []
    remarks, games, verdicts = [], [], []
    for number, reading in enumerate(_games(text), 1):
        outcome = check_game(None, "", reading, number)
        first, among = len(findings), list(outcome.findings)
        for each in among:
            shown = finding_json(each, among)
            if shown["consequence_of"] is not None:
                shown["consequence_of"] += first
            line = outcome.lines.get(each.span.line)
            findings.append({**shown, "shown": shown_finding(each, line)})
        remarks += [escape(remark) for remark in game_remarks(outcome)]
        verdicts.append(outcome.verdict)
        games.append(
            {
                "game": number,
                "rules": outcome.rules,
                "verdict": outcome.verdict,
                "deals": outcome.deals,
                "turns": outcome.turns,
            }
        )
    return {"verdict": worst(verdicts), "games": games, "findings": findings, "remarks": remarks}


def audit(text: str, width: int = 60) -> dict[str, Any]:
    """Return the scores of a text: as `canasta audit --json` gives them, and as cards to read."""
    ledgers = [audit_game(reading, number) for number, reading in enumerate(_games(text), 1)]
    look = Look(width)
    return {
        "games": [game_json(ledger) for ledger in ledgers],
        "cards": [
            [
                *(paint(deal_card(deal, ledger.report.names, look)) for deal in ledger.deals),
                paint(result_rows(ledger.report)),
            ]
            for ledger in ledgers
        ],
    }


def page(text: str) -> str:
    """Return the page of a record, as HTML. Raises Impossible."""
    games = []
    for number, reading in enumerate(_games(text), 1):
        profile = read_header(reading.game, number).profile
        if profile is None:
            raise Impossible("the rules of this record cannot be read, so it cannot be replayed")
        games.append(game_page(page_game(_NAME, reading, number, profile, "", {})))
    return whole_page(games, embedded=True)


def anonymous(text: str) -> str:
    """Return a record without the names of its players. Raises Impossible."""
    readings = _games(text)
    if any(reading.problems for reading in readings):
        raise Impossible("the record has lines that cannot be read: names could remain in them")
    players = PlayerNumbers()
    for reading in readings:
        players.add(reading.game)
    games = ((players.without_names(each.game), draw_count(each.game)) for each in readings)
    return "".join(format_games(games))


# --- the door -------------------------------------------------------------------------------------

#: What a screen can ask for.
FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    each.__name__: each
    for each in (
        profiles, new, listing, verdict, audit, page, anonymous, pad, pad_draft, pad_row, pad_paper,
    )
}  # fmt: skip


def call(name: str, arguments: str) -> str:
    """Call a function with arguments in JSON; return its answer, or the `problem`, as JSON.

    An error of the program itself is raised. The answer is ASCII, so any text passes through it
    unchanged, even one with halves of surrogate pairs.
    """
    try:
        return json.dumps({"answer": FUNCTIONS[name](*json.loads(arguments))})
    except (Impossible, NotRecordable, NotText) as why:
        return json.dumps({"problem": escape(str(why))})


def begin() -> None:
    """Make random numbers differ after a start from a snapshot, which includes the generator."""
    random.seed()
