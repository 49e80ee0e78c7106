"""One turn as text: what could have been played instead, and what that was worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from canasta_notation.analysis.values import ERRORS, Judged, PlayValue
from canasta_notation.language.sentences import Card, Sentence, label, say
from canasta_notation.notation.document import Turn
from canasta_notation.render.paint import Look, Rows, Run, clip, columns, row
from canasta_notation.story.estimates import estimate_cells, give_or_take, rounded
from canasta_notation.story.losses import chance_sentence, item_sentences
from canasta_notation.story.story_game import StoryGame
from canasta_notation.story.story_rows import head_rows, lines, wrapped
from canasta_notation.story.turn_parts import parts_text, turn_parts

_HEADS: Final = ("fig_worth", "fig_error", "fig_pile", "fig_play")
#: The most items of the score that are named for a play.
_REASONS: Final = 3


def turn_rows(game: StoryGame, turn: int, unjudged: str, look: Look) -> Rows:
    """Return what an analysis of one deal says about a turn, and its plays, if they were compared.

    `unjudged` says why none were compared, or is "". Not checked: that the deal has the turn.
    """
    [deal] = game.analysis.deals
    number = deal.facts.deal
    rows = [*head_rows(game, look), row()]
    written = game.play.game.deals[number - 1].play
    seat = [each for each in written if isinstance(each, Turn)][turn - 1].seat
    head = say("at_turn_said", d=number, t=turn, w=game.player(seat))
    rows += [[Run(clip(head.text, look.width, look), "bold")]]
    played = game.play.deals[number - 1].turns[turn - 1 : turn]
    for each in played:
        rows += wrapped(parts_text(turn_parts(each, game.side_of(seat))), look)
    for sentence in _sentences(game, turn, unjudged):
        rows += wrapped(sentence.text, look)
    judged = deal.values.judged if deal.values else ()
    for decision in judged:
        rows += [row(), *decision_rows(decision, look)]
    if judged:
        rows += [row(), *(row(each) for each in lines(label("about_plays"), look))]
    return rows


def _sentences(game: StoryGame, turn: int, unjudged: str) -> Iterator[Sentence]:
    [deal] = game.analysis.deals
    yield from (chance_sentence(game, each) for each in deal.chances if each.turn == turn)
    yield from _risks(game, turn)
    if unjudged:
        yield say("X3", w=unjudged)
    elif deal.values is None:
        yield say("X4")


def _risks(game: StoryGame, turn: int) -> Iterator[Sentence]:
    """Yield the risk of the turn's discard."""
    for risk in game.analysis.deals[0].risks:
        if risk.turn != turn or risk.risk is None:
            continue
        n, c, x = game.player(risk.seat), Card(risk.card), _percent(risk.risk)
        if risk.safest is None or risk.safest_risk is None:
            yield say("X1", n=n, c=c, x=x)
        else:
            yield say("X2", n=n, c=c, x=x, d=Card(risk.safest), y=_percent(risk.safest_risk))


def _percent(risk: float) -> int:
    return round(100 * risk)


def decision_rows(judged: Judged, look: Look) -> Rows:
    """Return the plays of a decision as a table, the best first, and the reasons below it."""
    ordered = sorted(judged.candidates, key=lambda each: -each.value)
    most = 2 * max(each.samples for each in ordered)
    head = say("X5" if judged.decision == "draw" else "X6", n=most)
    rows: Rows = [[Run(head.text, "bold")], *_table(judged, ordered, look)]
    for play in ordered:
        reasons = " ".join(map(str, _reasons(play)))
        if reasons and (play.asked or play.play == judged.better):
            rows += wrapped(f"{play.play}: {reasons}", look)
    return rows


def _table(judged: Judged, ordered: list[PlayValue], look: Look) -> Rows:
    cells = [[Run(label(each), "dim") for each in _HEADS] + [Run("")]]
    cells += [[Run(cell) for cell in _cells(judged, each)] for each in ordered]
    widths = [max(len(line[at].text) for line in cells) for at in range(len(cells[0]))]
    room = max(look.width - sum(widths) + widths[3] - 2 * len(widths), 12)
    for line in cells[1:]:
        line[3] = Run(clip(line[3].text, room, look))
    return columns([[[cell] for cell in line] for line in cells], right=(0, 1, 2))


def _cells(judged: Judged, play: PlayValue) -> list[str]:
    risk = str(_percent(play.risk))
    marks = ["fig_yours"] if play.asked else []
    if play is judged.candidates[0]:
        return ["0", "", risk, play.play, _labels("fig_played", *marks)]
    if play.play == judged.better and judged.loss:
        marks.insert(0, "fig_best" if _is_best(judged, play) else "fig_better")
    shown, off = rounded(play.value), give_or_take(play.value, play.error)
    return [*estimate_cells(shown, off, "+d"), risk, play.play, _labels(*marks)]


def _labels(*keys: str) -> str:
    return ", ".join(map(label, keys))


def _is_best(judged: Judged, best: PlayValue) -> bool:
    """Return whether a play is better than every other one by more than three errors."""
    others = [each for each in judged.candidates if each is not best]
    return all(each.behind > ERRORS * each.behind_error for each in others)


def _reasons(play: PlayValue) -> list[Sentence]:
    """Return what a play earned more or less than what was played, the largest first."""
    why = play.why
    if why is None:
        return []
    own, others = (why.items, why.items_error), (why.others_items, why.others_items_error)
    return [*item_sentences(*own, *others, play.value)][:_REASONS]
