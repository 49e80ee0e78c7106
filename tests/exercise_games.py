"""Short games with a mistake that a few play-outs show, and their exercises."""

from __future__ import annotations

from functools import cache

import canasta_notation as cn
from canasta_notation.analysis.analyzed import GameAnalysis
from canasta_notation.exercises.exercise import Exercise, game_exercises
from canasta_notation.notation.reader import Reading, read_text
from canasta_notation.rules import load_profile
from tests.blunders import BLUNDERS, NEARLY_OUT

#: So many play-outs show the mistake.
ROLLOUTS = 100
#: South keeps a canasta while East has one card left.
KEEPS = next(each for each in BLUNDERS if each.before == NEARLY_OUT and each.quick)


def keeps_text(*changes: tuple[str, str]) -> str:
    """Return the record in which Ana, at South, keeps a canasta, with texts exchanged."""
    text = cn.format_game(KEEPS.played(KEEPS.bad)[0])
    text = text.replace("[Result", '[S "Ana"]\n[Result')
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def reading_of(text: str) -> Reading:
    [reading] = read_text(text)
    return reading


@cache
def analysis_of(text: str) -> GameAnalysis:
    """Return the analysis of a record with play-outs."""
    return cn.analyze(reading_of(text).game, rollouts=ROLLOUTS)


def exercises_of(text: str, file: str = "evening.canasta") -> list[Exercise]:
    """Return the exercises of a record."""
    profile = load_profile(KEEPS.rules)
    return [*game_exercises(file, reading_of(text), 1, profile, analysis_of(text))]
