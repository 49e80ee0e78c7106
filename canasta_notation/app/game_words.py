"""The words in which screens speak of a game: its players, who won, and whether it adds up.

Players are named, never their seats: a seat without a name is "North" or "player A".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from canasta_notation.engine.ruleset import Rules
from canasta_notation.language.languages import figure
from canasta_notation.language.sentences import Names, Sentence, say, sentence_keys
from canasta_notation.names import distinct_name
from canasta_notation.recorder.standing import Standing
from canasta_notation.render.paint import escape
from canasta_notation.report.outcome import GameOutcome
from canasta_notation.story.headline import headline

#: The seats that have a word of their own begin with this key.
_SEAT: Final = "app_seat"


def player(seat: str, names: Mapping[str, str]) -> str:
    """Return what a seat's player is called; a name that two players have gets its seat."""
    if names.get(seat):
        return escape(distinct_name(seat, names))
    key = f"{_SEAT}_{seat}"
    return say(key).text if key in set(sentence_keys()) else say(_SEAT, f=seat).text


def side_names(side: str, names: Mapping[str, str]) -> Names:
    """Return the players of a side, as they are named in a sentence."""
    return Names(tuple(player(seat, names) for seat in side))


def item_words(item: str, rules: Rules | None) -> Sentence:
    """Return what an item of a score is called; those who play with feet count books."""
    book = f"item_{item}_book"
    if rules is not None and rules.packet_of_seat and book in set(sentence_keys()):
        return say(book)
    return say(f"item_{item}")


def house_word(override: str, about: str) -> Sentence:
    """Return the question, or what it means, that is about a house rule."""
    return say(f"app_{about}_{override.partition('=')[0].rpartition('.')[2]}")


def pairs(sides: Iterable[str], names: Mapping[str, str]) -> Sentence:
    """Return who plays against whom."""
    first, *others = (side_names(side, names) for side in sides)
    return say("B6", w=first, l=Names(tuple(others)))


def result_words(standing: Standing) -> str:
    """Return who has won or leads, and the totals; only who plays if a total is not known."""
    totals, names = standing.totals(), standing.names
    known = [total for total in totals.values() if total is not None]
    if len(known) < len(totals):
        return pairs(totals, names).text
    called = [side_names(side, names) for side in totals]
    said = headline(called, len(called[0].names), known, standing.report.result)
    return f"{said.text}, {' : '.join(map(figure, sorted(known, reverse=True)))}"


def verdict_words(outcome: GameOutcome) -> dict[str, str]:
    """Return a verdict as people read it: its `kind`, which a screen colours, its text, a note.

    The play of a score pad is not recorded, so its sums are all that there is to check.
    """
    sheets = bool(outcome.sheets) and len(outcome.sheets) == outcome.deals
    note = say("app_not_recorded").text if sheets else ""
    if outcome.verdict == "undetermined" and sheets and not outcome.findings:
        return {"kind": "sums", "text": say("app_adds_up").text, "note": note}
    if outcome.verdict == "contradicted" and sheets:
        return {"kind": outcome.verdict, "text": say("app_adds_not").text, "note": note}
    return {"kind": outcome.verdict, "text": say(outcome.verdict).text, "note": ""}


def standings_rows(games: Iterable[Standing]) -> list[dict[str, Any]]:
    """Return what each player of some games has reached, as figures.

    `played` and `won` count games, `points` are all points, `average` those of a game, rounded, and
    `best` is the highest score of a deal, None if none is known. The first has won the most games,
    then has the most points. A deal that counts nothing, and a game of which a total is not known,
    change no points.
    """
    found: dict[str, dict[str, Any]] = {}
    for standing in games:
        winner = standing.report.result.winner
        best = _best_deals(standing)
        for side, total in standing.totals().items():
            for seat in side:
                row = found.setdefault(
                    player(seat, standing.names), {"played": 0, "won": 0, "points": 0, "best": None}
                )
                row["played"] += 1
                row["won"] += side == winner or seat == winner
                row["points"] += total or 0
                row["best"] = max(
                    (each for each in (row["best"], best.get(side)) if each is not None),
                    default=None,
                )
    ordered = sorted(found.items(), key=lambda each: (-each[1]["won"], -each[1]["points"]))
    return [
        {"name": name, **row, "average": round(row["points"] / row["played"])}
        for name, row in ordered
    ]


def _best_deals(standing: Standing) -> dict[str, int]:
    """Return the highest score that each side has in a deal that counts."""
    found: dict[str, int] = {}
    for deal in standing.report.deals:
        for side in deal.sides:
            if side.scored is not None and not deal.uncounted:
                found[side.side] = max(found.get(side.side, side.scored), side.scored)
    return found
