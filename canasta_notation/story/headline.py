"""The headline of a game: who has won, who leads, or who is level."""

from __future__ import annotations

from collections.abc import Sequence

from canasta_notation.language.sentences import Names, Sentence, say
from canasta_notation.replay.game_report import ResultReport


def headline(
    sides: Sequence[Names], players: int, totals: Sequence[int], result: ResultReport
) -> Sentence:
    """Return the headline for sides of so many players each, and their totals."""
    order = sorted(range(len(sides)), key=lambda at: (-totals[at], at))
    level = [at for at in order if totals[at] == totals[order[0]]]
    first, others = sides[order[0]], _all(sides, order[1:])
    if result.winner is not None:
        return say("B1", w=first, l=others)
    if len(level) > 1 and result.finished:
        return say("B2", w=first, l=_all(sides, level[1:]), x=totals[order[0]])
    if len(level) == len(sides):
        return say("B5", w=first, l=others)
    leaders, behind = _all(sides, level), _all(sides, order[len(level) :])
    return say("B4" if len(level) == players == 1 else "B3", w=leaders, l=behind)


def _all(sides: Sequence[Names], which: Sequence[int]) -> Names:
    """Return some sides as they are named in a sentence."""
    return Names(tuple(sides[at] for at in which))
