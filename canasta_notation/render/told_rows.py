"""A game told in sentences, as text: who won and why, the story of each deal, what to practise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from canasta_notation.analysis.analyzed import PlayerFigures
from canasta_notation.render.analysis_rows import wrapped
from canasta_notation.render.paint import Look, Rows, Run, row
from canasta_notation.story.cover import cover
from canasta_notation.story.deals import DealStory, deal_story, every_story
from canasta_notation.story.practising import practice_sentences
from canasta_notation.story.sentences import label, say
from canasta_notation.story.told_game import ToldGame


def told_rows(told: ToldGame, look: Look, deal: int | None = None) -> Rows:
    """Return a game in the language that is spoken; with `deal`, the only one analyzed, its story.

    Not checked: that the game has the deal.
    """
    front = cover(told) if deal is None else None
    rows: Rows = [[Run(front.headline.text, "bold")]] if front else []
    for sentence in filter(None, (front.result, front.why)) if front else ():
        rows += wrapped(sentence.text, look)
    if deal is None:
        stories = every_story(told)
    else:
        stories = [deal_story(told, told.play.deals[deal - 1], told.analysis.deals[0])]
    for story in stories:
        rows += [row(), [Run(say("deal", n=story.number).text, "bold")]]
        for line in _lines(story):
            rows += wrapped(line, look)
    return [*rows, row()]


def _lines(story: DealStory) -> Iterator[str]:
    """Yield the sentences of a deal, those of a turn with its number."""
    yield story.headline.text
    for event in story.events:
        yield f"{event.turn:>3}  {event.sentence}" if event.turn else event.sentence.text
    yield from (sentence.text for sentence in story.closing)


def practice_rows(players: Sequence[PlayerFigures], look: Look) -> Rows:
    """Return what players can practise, in the language that is spoken; nothing without values."""
    sentences = practice_sentences(players)
    rows: Rows = [[Run(label("practise"), "bold")]] if sentences else []
    for sentence in sentences:
        rows += wrapped(sentence.text, look)
    return rows
