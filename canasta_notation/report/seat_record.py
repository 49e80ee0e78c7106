"""The record that one seat could have written: its own hand, what lies open, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from canasta_notation.cards import RANK, RED_THREE, UNKNOWN
from canasta_notation.notation.document import (
    Deal,
    EndLine,
    Game,
    HandLine,
    LeftLine,
    MeldsLine,
    PenaltyLine,
    ScoreLine,
    Tag,
    ThreesLine,
    TotalLine,
    Turn,
    UpLine,
)
from canasta_notation.replay.steps import Step

_Line = TypeVar(
    "_Line",
    Tag,
    HandLine,
    UpLine,
    PenaltyLine,
    EndLine,
    MeldsLine,
    ThreesLine,
    LeftLine,
    ScoreLine,
    TotalLine,
)


def seat_record(game: Game, seat: str, full: Iterable[Step], seen: Iterable[Step]) -> Game:
    """Return a game as a seat could write it down, without comments.

    `full` are the game's steps with all hands, `seen` are the steps as the seat sees them. Of a
    deal that was not replayed to its end only the scores are kept, because it is not known what
    else the seat could see.
    """
    turns = {step.line.line: step.line for step in seen if step.line is not None}
    tabled = {
        step.deal: {three for side in step.state.sides for three in side.threes}
        for step in full
        if step.action < 0 and step.turn == 0
    }
    deals = (
        _deal(deal, seat, turns, tabled.get(at, set())) for at, deal in enumerate(game.deals, 1)
    )
    tags = tuple(_silent(tag) for tag in game.tags)
    return replace(game, tags=tags, deals=tuple(deals), comments=())


def _deal(deal: Deal, seat: str, turns: dict[int, Turn], threes: set[int]) -> Deal:
    play = [
        _silent(line) if isinstance(line, PenaltyLine) else turns.get(line.line)
        for line in deal.play
    ]
    scores = tuple(_silent(line) for line in deal.scores)
    total = deal.total and _silent(deal.total)
    if None in play:
        return Deal(deal.number, deal.dealer, scores=scores, total=total, span=deal.span)
    return replace(
        deal,
        hands=tuple(_hand(line, seat, threes) for line in deal.hands),
        up=deal.up and _silent(deal.up),
        stock=None,
        talons=(),
        play=tuple(line for line in play if line is not None),
        end=deal.end and _silent(deal.end),
        melds=tuple(_silent(line) for line in deal.melds),
        threes=tuple(_silent(line) for line in deal.threes),
        left=tuple(_silent(line) for line in deal.left),
        scores=scores,
        total=total,
        before=(),
        comment=None,
    )


def _silent(line: _Line) -> _Line:
    """Return a line without its comments."""
    return replace(line, before=(), comment=None)


def _hand(line: HandLine, seat: str, threes: set[int]) -> HandLine:
    """Return a hand as dealt; for another seat, only the threes that were tabled."""
    if line.seat == seat:
        return _silent(line)
    shown = tuple(card for card in line.cards if card in threes or RANK[card] == RED_THREE)
    pulled = tuple(card if card in threes else UNKNOWN for card in line.replacements)
    return replace(_silent(line), cards=shown, rest_unknown=True, replacements=pulled)
