"""One turn as text: what could have been played instead, and what that was worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from canasta_notation.analysis.analyzed import GameAnalysis
from canasta_notation.analysis.values import ERRORS, Judged, PlayValue
from canasta_notation.cards import TEXT
from canasta_notation.english import count, estimate, estimate_cells, give_or_take, rounded, stands
from canasta_notation.notation.document import Game, Turn
from canasta_notation.notation.format import format_turn
from canasta_notation.render.analysis_rows import could_have, head_rows, wrapped
from canasta_notation.render.paint import Look, Rows, Run, clip, columns, row, wrap
from canasta_notation.rules.items import SCORED

_HEADS: Final = ("worth", "g/t", "pile", "play", "")
_WORDS: Final = (
    "worth: points by which the play was better than what was played, if all go on as `careful`; "
    "g/t: give or take so many, which is three standard errors; in brackets: not more than that, "
    "so it may be nothing; pile: in how many of 100 play-outs the next player took the pile at "
    "once."
)
#: The part of a difference from which on an item of the score is named, and the most of them.
_PART: Final = 0.2
_REASONS: Final = 3


def turn_rows(
    file: str, game: Game, analysis: GameAnalysis, turn: int, unjudged: str, look: Look
) -> Rows:
    """Return what an analysis of one deal says of a turn, and its plays, if they were compared.

    `unjudged` says why none were, "" without a reason. Not checked: that the deal has the turn.
    """
    [deal] = analysis.deals
    number = deal.facts.deal
    line = [each for each in game.deals[number - 1].play if isinstance(each, Turn)][turn - 1]
    name = analysis.name(line.seat)
    seat = "" if name == line.seat else f" ({line.seat})"
    rows = head_rows(file, analysis, look)
    rows += [
        row(),
        [Run(clip(f"Deal {number}, turn {turn}: {name}{seat}", look.width, look), "bold")],
    ]
    rows += wrapped(format_turn(line), look)
    sentences = [*could_have(analysis, deal, None, turn), *_risks(analysis, turn)]
    if unjudged:
        sentences.append(f"No plays were compared: {unjudged}.")
    elif deal.values is None:
        sentences.append("With --rollouts auto, the plays of this turn are compared.")
    for sentence in sentences:
        rows += wrapped(sentence, look)
    judged = deal.values.judged if deal.values else ()
    for each in judged:
        rows += [row(), *decision_rows(each, look)]
    if judged:
        rows += [row(), *(row(each) for each in wrap(_WORDS, look.width))]
    return rows


def _risks(analysis: GameAnalysis, turn: int) -> Iterator[str]:
    """Yield the risk of the turn's discard."""
    for risk in analysis.deals[0].risks:
        if risk.turn != turn or risk.risk is None:
            continue
        words = f"The next player could take the pile after {TEXT[risk.card]}"
        words += f" in {_percent(risk.risk)} of 100 deals"
        if risk.safest is not None and risk.safest_risk is not None:
            words += f", after {TEXT[risk.safest]} in {_percent(risk.safest_risk)}"
        yield f"{words}, as far as the player who discarded could know."


def _percent(risk: float) -> str:
    return f"{100 * risk:.0f}"


def decision_rows(judged: Judged, look: Look) -> Rows:
    """Return the plays of a decision as a table, the best first, and the reasons below it."""
    head = "Draw, or take the pile" if judged.decision == "draw" else "The rest of the turn"
    ordered = sorted(judged.candidates, key=lambda each: -each.value)
    most = 2 * max(each.samples for each in ordered)
    cells = [[Run(each, "dim") for each in _HEADS]]
    cells += [[Run(cell) for cell in _cells(judged, each)] for each in ordered]
    widths = [max(len(line[at].text) for line in cells) for at in range(len(_HEADS))]
    room = max(look.width - sum(widths) + widths[3] - 2 * len(_HEADS), 12)
    for line in cells[1:]:
        line[3] = Run(clip(line[3].text, room, look))
    rows: Rows = [[Run(f"{head}: up to {count(most, 'play-out')} of each play", "bold")]]
    rows += columns([[[cell] for cell in line] for line in cells], right=(0, 1, 2))
    for play in ordered:
        reasons = [*_reasons(play)]
        if reasons and (play.asked or play.play == judged.better):
            rows += wrapped(f"{play.play}: {'; '.join(reasons)}.", look)
    return rows


def _cells(judged: Judged, play: PlayValue) -> list[str]:
    risk = _percent(play.risk)
    marks = ["yours"] if play.asked else []
    if play is judged.candidates[0]:
        return ["0", "", risk, play.play, ", ".join(["played", *marks])]
    if play.play == judged.better and judged.loss:
        marks.insert(0, "best" if _is_best(judged, play) else "better")
    shown, off = rounded(play.value), give_or_take(play.value, play.error)
    return [*estimate_cells(shown, off, "+d"), risk, play.play, ", ".join(marks)]


def _is_best(judged: Judged, best: PlayValue) -> bool:
    """Return whether a play is better than each other one by more than three errors."""
    others = [each for each in judged.candidates if each is not best]
    return all(each.behind > ERRORS * each.behind_error for each in others)


def _reasons(play: PlayValue) -> Iterator[str]:
    """Yield what a play earned more or less than what was played, the largest first."""
    if play.why is None:
        return
    own, others = play.why.items, play.why.others_items
    found = [(own[item], play.why.items_error[item], item, "") for item in own]
    found += [
        (others[item], play.why.others_items_error[item], item, "for the others ")
        for item in others
    ]
    named = [
        each for each in found if abs(each[0]) >= _PART * abs(play.value) and stands(*each[:2])
    ]
    for points, error, item, whose in sorted(named, key=lambda each: -abs(each[0]))[:_REASONS]:
        more = "more" if points > 0 else "less"
        yield f"{whose}{estimate(abs(points), error)}, {more} by {SCORED[item].story}"
