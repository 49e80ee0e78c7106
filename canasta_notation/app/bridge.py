"""The bridge of the web application: functions that take and return JSON, and hold no state.

A screen calls a function by its name and passes only the text of a record. What a function returns
depends only on that text, so a screen can be closed at any moment.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, Final

from canasta_notation.app.game_words import (
    house_word,
    pairs,
    player,
    result_words,
    standings_rows,
    verdict_words,
)
from canasta_notation.app.pad_form import (
    claim_words,
    pad,
    pad_claim,
    pad_draft,
    pad_paper,
    pad_row,
    shown_finding,
    standing_of,
)
from canasta_notation.app.score_tables import score_tables
from canasta_notation.findings import worst
from canasta_notation.formats import draw_count
from canasta_notation.language.languages import ENGLISH, use_language
from canasta_notation.language.sentences import say
from canasta_notation.notation.anonymous import PlayerNumbers
from canasta_notation.notation.blocks import NotText
from canasta_notation.notation.format import format_games
from canasta_notation.notation.reader import Reading, read_text
from canasta_notation.page.one_file import game_page
from canasta_notation.page.one_file import page as whole_page
from canasta_notation.page.shown_game import page_game
from canasta_notation.recorder.mode import MODE, SHEET, mode_of
from canasta_notation.recorder.opening import (
    DEFAULT_RULES,
    HouseQuestion,
    house_questions,
    new_record,
    tag_problem,
)
from canasta_notation.recorder.standing import NotRecordable, Standing
from canasta_notation.render.excerpt import game_remarks
from canasta_notation.render.paint import escape
from canasta_notation.render.wording import tag_text
from canasta_notation.replay.header import read_header
from canasta_notation.report.ledger import audit_game, game_json
from canasta_notation.report.outcome import check_game, findings_json
from canasta_notation.rules import load_profile, profile_names

#: The file's name on a page: a record on a phone has none.
_NO_FILE: Final = ""
#: The tags that a game with the same players takes over.
_KEPT_TAGS: Final = ("Rules", "Event", "Target")


class Impossible(Exception):
    """Something that a function cannot do with a record; the message says why, in one line."""


# --- a new game -----------------------------------------------------------------------------------


def profiles() -> list[dict[str, Any]]:
    """Return the rules that can be chosen: name, title, seats, sides, questions on house rules.

    The title is in the language of the screens.
    """
    found = []
    for name in profile_names():
        profile = load_profile(name)
        questions = [_question(each) for each in house_questions(name)]
        found.append(
            {
                "name": name,
                "title": say(f"app_rules_{name.replace('-', '_')}").text,
                "seats": profile.seats,
                "sides": [
                    [{"seat": seat, "name": player(seat, {})} for seat in side]
                    for side in profile.side_names
                ],
                "usual": name == DEFAULT_RULES,
                "questions": questions,
            }
        )
    return found


def _question(asked: HouseQuestion) -> dict[str, Any]:
    """Return a question about house rules in the language of the screens."""
    question, meaning = (house_word(asked.override, about).text for about in ("house", "why"))
    return {**asked._asdict(), "text": question, "meaning": meaning}


def new(tags: dict[str, str], mode: str) -> dict[str, Any]:
    """Return the text of a new record, or the first tag with a problem and its words."""
    held = {**tags, MODE: mode}
    for name in tags:
        problem = tag_problem(held, name) if tags[name] else None
        if problem is not None:
            return {"tag": name, "finding": shown_finding(problem, None)}
    return {"text": "".join(f"{line}\n" for line in new_record(held))}


def again(text: str, date: str) -> dict[str, Any]:
    """Return the text of a new record with the rules and players of another; the deal moves on.

    Raises NotRecordable.
    """
    standing = standing_of(text)
    game, seats = standing.reading.game, standing.rules.seats
    tags = {name: tag_text(game, name) for name in _KEPT_TAGS} | standing.names
    dealer = standing.dealer_due or seats[0]
    return new({**tags, "Dealer": dealer, "Date": date}, SHEET)


def standings(texts: list[str]) -> dict[str, Any]:
    """Return how the players of games stand, the best first, and how many texts are left out.

    A text is left out if it is not one game that can be continued.
    """
    games = [standing for text in texts if (standing := _going_on(text))]
    return {"rows": standings_rows(games), "left_out": len(texts) - len(games)}


# --- a record -------------------------------------------------------------------------------------


def listing(text: str) -> dict[str, Any]:
    """Return how a list of games shows a record: its title, its state and its errors."""
    games = _games(text)
    game = games[0].game
    names = _players(games[0])
    outcomes = [check_game(None, "", each, at) for at, each in enumerate(games, 1)]
    standing = _going_on(text) if len(games) == 1 else None
    return {
        "title": escape(tag_text(game, "Event")) or names or say("app_a_game").text,
        "players": names,
        "date": escape(tag_text(game, "Date")),
        "state": _state(games, standing),
        "mode": mode_of(standing) if standing else "",
        "errors": sum(each.severity == "error" for one in outcomes for each in one.findings),
    }


def _players(reading: Reading) -> str:
    """Return who plays against whom, "" if nobody has a name or the rules cannot be read."""
    profile = read_header(reading.game, 1).profile
    names = reading.game.names(profile.seats) if profile else {}
    return pairs(profile.side_names, names).text if profile and names else ""


def _going_on(text: str) -> Standing | None:
    """Return the standing of a record, None if it cannot be continued."""
    try:
        standing = standing_of(text)
    except NotRecordable:
        return None
    return None if standing.reading.problems else standing


def _state(games: list[Reading], standing: Standing | None) -> str:
    """Return the state of a game: who has won, or the deal that is due and who leads."""
    if len(games) > 1:
        return say("games_number", n=len(games)).text
    if standing is None:
        return say("app_deals", n=len(games[0].game.deals)).text
    if standing.phase == "over":
        return result_words(standing)
    said = say("deal", n=standing.deal_due).text
    return f"{said}: {result_words(standing)}" if any(standing.totals().values()) else said


def _games(text: str) -> list[Reading]:
    """Return the games of a text. Raises Impossible if there are none."""
    games = list(read_text(text))
    if not games:
        raise Impossible(say("app_no_game").text)
    return games


def verdict(text: str) -> dict[str, Any]:
    """Return the verdict on a text, as `canasta validate --json` gives it for a file.

    A finding also has the text of its line, and `remarks` are the lines about what is undetermined.
    `said` is the verdict as people read it.
    """
    findings: list[dict[str, Any]] = []
    games, verdicts, words = [], [], []
    remarks: list[str] = []
    for number, reading in enumerate(_games(text), 1):
        outcome = check_game(None, "", reading, number)
        documents = findings_json(outcome.findings, len(findings))
        profile = read_header(reading.game, number).profile
        for each, document in zip(outcome.findings, documents, strict=True):
            line = outcome.lines.get(each.span.line)
            pad = claim_words(reading.game, profile, each) if profile else {}
            findings.append({**document, "shown": {**shown_finding(each, line), **pad}})
        said = verdict_words(outcome)
        words.append(said)
        remarks += [said["note"]] if said["note"] else map(escape, game_remarks(outcome))
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
    said = words[verdicts.index(worst(verdicts))]
    return {
        "verdict": worst(verdicts),
        "said": said,
        "games": games,
        "findings": findings,
        "remarks": remarks,
    }


def audit(text: str) -> dict[str, Any]:
    """Return the scores of a text: as `canasta audit --json` gives them, and as tables to read."""
    readings = _games(text)
    ledgers = [audit_game(reading, number) for number, reading in enumerate(readings, 1)]
    return {
        "games": [game_json(ledger) for ledger in ledgers],
        "tables": [
            table
            for reading, ledger in zip(readings, ledgers, strict=True)
            for table in score_tables(ledger, read_header(reading.game, 1).profile)
        ],
    }


def page(text: str) -> str:
    """Return the page of a record, as HTML. Raises Impossible."""
    games = []
    for number, reading in enumerate(_games(text), 1):
        profile = read_header(reading.game, number).profile
        if profile is None:
            raise Impossible(say("app_no_replay").text)
        games.append(game_page(page_game(_NO_FILE, reading, number, profile, "", {})))
    return whole_page(games, embedded=True)


def anonymous(text: str) -> str:
    """Return a record without the names of its players. Raises Impossible."""
    readings = _games(text)
    if any(reading.problems for reading in readings):
        raise Impossible(say("app_names_remain").text)
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
        profiles, new, again, standings, listing, verdict, audit, page, anonymous, pad, pad_draft,
        pad_row, pad_paper, pad_claim,
    )
}  # fmt: skip


def call(name: str, arguments: str, language: str = ENGLISH) -> str:
    """Call a function with arguments in JSON; return its answer, or the `problem`, as JSON.

    Its words are in a language, one of `LANGUAGES`. An error of the program itself is raised. The
    answer is ASCII, so any text passes through it unchanged, even one with halves of surrogate
    pairs.
    """
    with use_language(language):
        try:
            return json.dumps({"answer": FUNCTIONS[name](*json.loads(arguments))})
        except (Impossible, NotRecordable, NotText) as why:
            return json.dumps({"problem": escape(str(why))})


def begin() -> None:
    """Make random numbers differ after a start from a snapshot, which includes the generator."""
    random.seed()
