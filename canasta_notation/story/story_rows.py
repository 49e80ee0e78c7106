"""A game in sentences, as text: who won and why, what decided it, and the story of each deal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from canasta_notation.analysis.analyzed import AnalyzedDeal
from canasta_notation.analysis.values import Loss
from canasta_notation.language.sentences import label, say
from canasta_notation.render.paint import Look, Rows, Run, row, wrap
from canasta_notation.report.played import PlayedDeal
from canasta_notation.story.cover import cover
from canasta_notation.story.deals import StoryRow, deal_story, more_chances, more_losses
from canasta_notation.story.losses import reason_sentence
from canasta_notation.story.story_game import StoryGame
from canasta_notation.story.turn_parts import parts_text, play_parts

_INDENT: Final = "  "
#: The marks that are written before the sentence of a turn.
_MARKS: Final = ("blunder", "mistake", "chance")
#: The sentences of a mistake that already name what was played and what was better.
_BOTH_PLAYS: Final = ("L3", "L5", "L6")
#: What replaces each sign if the output is ASCII.
_ASCII: Final = str.maketrans(
    {"♠": "s", "♥": "h", "♦": "d", "♣": "c", "\N{MINUS SIGN}": "-", "±": "+/-", "…": "..."}
)


def story_rows(game: StoryGame, look: Look, deal: int | None = None) -> Rows:
    """Return the story of a game in the current language.

    With `deal`, only the story of that deal, which is the only one analyzed. Not checked: that the
    game has the deal.
    """
    rows = head_rows(game, look)
    if deal is None:
        rows += _cover(game, look)
        deals = list(game.deals())
    else:
        deals = [(game.play.deals[deal - 1], game.analysis.deals[0])]
    for played, analyzed in deals:
        rows += [row(), [Run(say("deal", n=played.number).text, "bold")]]
        for turn, text in _lines(game, played, analyzed):
            rows += hanging(turn, text, look)
    return [*rows, row()]


def head_rows(game: StoryGame, look: Look) -> Rows:
    """Return the lines above the stories of a game: its file, its rules, and its errors."""
    play = game.play
    file = say("title_file", e=play.file, n=play.report.game)
    rules = say("rules", r=play.report.rules_text or play.profile.name)
    rows: Rows = [[Run(line, "bold")] for line in lines(f"{file}, {rules}", look)]
    return [*rows, *wrapped(say("K2", n=play.errors).text, look)] if play.errors else rows


def _cover(game: StoryGame, look: Look) -> Rows:
    """Return who won and why, what decided it, and the costliest play."""
    front = cover(game)
    rows: Rows = [row(), *([Run(line, "bold")] for line in lines(front.headline.text, look))]
    for sentence in filter(None, (front.result, front.why)):
        rows += wrapped(sentence.text, look)
    for heading, moments in groupby(front.moments, key=lambda each: each.heading):
        rows += [row(), [Run(label(heading), "bold")]]
        for each in moments:
            place = say("deal_turn", d=each.deal, t=each.turn)
            rows += wrapped(f"{place}: {each.sentence}", look)
    return rows


def _lines(game: StoryGame, played: PlayedDeal, deal: AnalyzedDeal) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a deal, each with the number of its turn, "" without one."""
    story = deal_story(game, played, deal)
    yield "", story.headline.text
    rows = [*more_chances(game, deal, story), *story.rows]
    for each in sorted(rows, key=lambda each: each.turn):
        yield f"{each.turn:>3}" if each.turn else "", _marked(each)
        if each.loss is not None:
            for text in _better(game, deal, each.loss, each.sentence.key):
                yield "   ", text
    closing = (*more_losses(deal, game.play.seat), *story.closing)
    yield from (("", sentence.text) for sentence in closing)


def _marked(each: StoryRow) -> str:
    mark = f"{label(each.mark)}: " if each.mark in _MARKS else ""
    return f"{mark}{each.sentence}"


def _better(game: StoryGame, deal: AnalyzedDeal, loss: Loss, key: str) -> Iterator[str]:
    """Yield what would have been better than a mistake, and why; `key` is that of its sentence."""
    if key not in _BOTH_PLAYS:
        for heading, play in (("played_play", loss.played), ("better_play", loss.better)):
            yield f"{label(heading)}: {parts_text(play_parts(play))}."
    yield reason_sentence(game, loss).text


# --- text -----------------------------------------------------------------------------------------


def wrapped(text: str, look: Look) -> Rows:
    """Return a sentence of a story as lines; all but the first are indented further."""
    parts = lines(text, look, 2 * len(_INDENT))
    return [row(_INDENT * (1 if at == 0 else 2) + line) for at, line in enumerate(parts)]


def hanging(turn: str, text: str, look: Look) -> Rows:
    """Return a sentence as lines beside the number of a turn, or "" for no number."""
    if not turn:
        return wrapped(text, look)
    parts = lines(text, look, len(turn) + 2 * len(_INDENT))
    blank = " " * len(turn)
    return [
        row(f"{_INDENT}{blank if at else turn}{_INDENT}{line}") for at, line in enumerate(parts)
    ]


def lines(text: str, look: Look, taken: int = 0) -> list[str]:
    """Return a text as lines that leave `taken` cells free."""
    return wrap(text if look.unicode else text.translate(_ASCII), look.width - taken)
