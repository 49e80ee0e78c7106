"""Exercises on a terminal: the front, the back, and lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from canasta_notation.analysis.values import ABOUT
from canasta_notation.exercises.exercise import Exercise, ExerciseAnswer
from canasta_notation.language.sentences import label, say
from canasta_notation.render.paint import Look, Rows, Run, columns, row
from canasta_notation.render.table_rows import table_rows
from canasta_notation.story.estimates import estimate_cells, give_or_take, rounded
from canasta_notation.story.story_rows import lines, wrapped

_HEADS: Final = ("fig_worth", "fig_error", "fig_play")


def front_rows(exercise: Exercise, look: Look) -> Rows:
    """Return what a player sees before the answer: the table, the question and the answers."""
    rows: Rows = [
        [Run(say("seen_by", n=exercise.names.get(exercise.seat, exercise.seat)).text, "bold")]
    ]
    rows += table_rows(exercise.state, exercise.seats, exercise.sides, exercise.names, look)
    rows += [row(), *([Run(line, "bold")] for line in lines(exercise.question, look))]
    for number, answer in enumerate(exercise.answers, 1):
        rows += wrapped(f"{number}  {answer.text}", look)
    return rows


def back_rows(exercise: Exercise, right: bool, look: Look) -> Rows:
    """Return what follows an answer: the values of all answers, why, and how it went on."""
    rows: Rows = [
        [Run(label("learn_right" if right else "learn_wrong"), "good" if right else "bad")]
    ]
    cells = [[*(Run(label(each), "dim") for each in _HEADS), Run("")]]
    for answer in sorted(exercise.answers, key=lambda each: -each.value):
        mark = label("fig_played") if answer.was_played else ""
        cells.append([Run(each) for each in (*worth_cells(answer), answer.play, mark)])
    rows += columns([[[cell] for cell in line] for line in cells], right=(0, 1))
    rows += wrapped(exercise.reason.text, look)
    rows += [row(), [Run(label("learn_went_on"), "bold")]]
    for line in exercise.went_on:
        rows += wrapped(line, look)
    rows += wrapped(place_text(exercise), look)
    return [*rows, row()]


def worth_cells(answer: ExerciseAnswer) -> tuple[str, str]:
    """Return what an answer is worth and three standard errors, in brackets if it may be 0."""
    if answer.was_played:
        return "0", ""
    off = give_or_take(answer.value, answer.error)
    return estimate_cells(rounded(answer.value), off, "+d")


def place_text(exercise: Exercise) -> str:
    """Return where an exercise is from: its file, its game, its deal and its turn."""
    file = say("title_file", e=exercise.file, n=exercise.game)
    return f"{file}. {say('deal_turn', d=exercise.deal, t=exercise.turn)}"


def list_rows(dated: Iterable[tuple[str, Exercise]], look: Look) -> Rows:
    """Return exercises as a list, each with its date or another text."""
    table = [
        [
            row(date),
            row(label(f"kind_{each.kind}")),
            row(str(rounded(each.loss))),
            row(place_text(each)),
        ]
        for date, each in dated
    ]
    return columns(table, right=(2,))


def player_rows(players: Mapping[str, Iterable[Exercise]], look: Look) -> Rows:
    """Return players with the number of their exercises of each kind, the costliest kind first."""
    rows: Rows = []
    for name, exercises in players.items():
        own = list(exercises)
        costs = {
            kind: (sum(each.loss for each in own if each.kind == kind), kind) for kind in ABOUT
        }
        counts = [
            f"{label(f'kind_{kind}')} {sum(each.kind == kind for each in own)}"
            for points, kind in sorted(costs.values(), reverse=True)
            if points
        ]
        rows += wrapped(f"{name}: {', '.join(counts) or 0}", look)
    return rows
