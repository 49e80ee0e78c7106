"""The highlights of a deal, to which buttons and links lead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from canasta_notation.report.played import PlayedDeal, PlayedTurn
from canasta_notation.report.walker import happens
from canasta_notation.story.notes import Note
from canasta_notation.story.story_game import StoryGame

#: A turn with what everyone at the table saw of it, and what only the holder of the hand can know,
#: its mark last: kinds of events, for each of which there is a word, and signs of annotations.
Highlight = tuple[int, str, str]
_GLYPHS: Final = ("!!", "!?", "?!", "??", "!", "?")


def highlights(game: StoryGame, deal: PlayedDeal, notes: Sequence[Note]) -> list[Highlight]:
    """Return takes, openings, canastas, marks, findings, missed chances, mistakes of a deal."""
    found = (
        (turn.turn, " ".join(_seen(game, turn)), " ".join(_known(turn, note)))
        for turn, note in zip(deal.turns, notes, strict=True)
    )
    return [each for each in found if each[1] or each[2]]


def _seen(game: StoryGame, turn: PlayedTurn) -> Iterator[str]:
    side = game.side_of(turn.line.seat)
    if happens("take", turn):
        yield "take"
    if turn.after.sides[side].opened and not turn.before.sides[side].opened:
        yield "open"
    if happens("canasta", turn):
        yield "canasta"
    yield from (glyph for glyph in turn.line.annotations if glyph in _GLYPHS)


def _known(turn: PlayedTurn, note: Note) -> Iterator[str]:
    yield from dict.fromkeys(finding.severity for finding in turn.findings)
    if note.mark:
        yield note.mark
