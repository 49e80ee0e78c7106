"""The key moments of a deal, to which buttons and links lead, and where the first error is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from canasta_notation.page.story import Story
from canasta_notation.report.played import PlayedDeal, PlayedTurn
from canasta_notation.report.walker import happens

#: A turn with what everyone at the table saw of it, and what only the holder of the hand can know.
Moment = tuple[int, str, str]
_GLYPHS: Final = ("!!", "!?", "?!", "??", "!", "?")


def moments(game: Story, deal: PlayedDeal) -> list[Moment]:
    """Return takes, openings, canastas, marks, findings, missed chances, mistakes of a deal."""
    found = (
        (turn.turn, ", ".join(_seen(game, turn)), ", ".join(_known(game, turn)))
        for turn in deal.turns
    )
    return [moment for moment in found if moment[1] or moment[2]]


def first_error(game: Story) -> tuple[int, int] | None:
    """Return the deal and the turn of the first error, None without one.

    The turn is 0 for an error of no turn; the deal is 1 for an error of no deal.
    """
    if any(each.severity == "error" for each in game.play.early):
        return 1, 0
    for deal in game.play.deals:
        if any(each.severity == "error" for each in deal.early):
            return deal.number, 0
        for turn in deal.turns:
            if any(each.severity == "error" for each in turn.findings):
                return deal.number, turn.turn
        if any(each.severity == "error" for each in deal.late):
            return deal.number, 0
    return (1, 0) if any(each.severity == "error" for each in game.play.late) else None


def _seen(game: Story, turn: PlayedTurn) -> Iterator[str]:
    side = game.play.profile.side_of(turn.line.seat)
    if happens("take", turn):
        yield "takes the pile"
    if turn.after.sides[side].opened and not turn.before.sides[side].opened:
        yield "opens"
    if happens("canasta", turn):
        yield "makes a canasta"
    yield from (glyph for glyph in turn.line.annotations if glyph in _GLYPHS)


def _known(game: Story, turn: PlayedTurn) -> Iterator[str]:
    severities = [finding.severity for finding in turn.findings]
    yield from dict.fromkeys(severities)
    if any(game.missed(turn)):
        yield "missed chance"
    yield from (kind.lower() for kind, _ in game.mistakes(turn))
