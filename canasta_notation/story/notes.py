"""The note on a turn: its kind, and the sentences about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from canasta_notation.analysis.analyzed import AnalyzedDeal
from canasta_notation.analysis.chances import CHANCES
from canasta_notation.analysis.values import Loss
from canasta_notation.language.sentences import Sentence, say
from canasta_notation.report.played import PlayedDeal
from canasta_notation.story.deals import DealStory
from canasta_notation.story.estimates import stated
from canasta_notation.story.losses import (
    chance_sentence,
    mark_sentence,
    reason_sentence,
    stated_losses,
)
from canasta_notation.story.story_game import StoryGame

#: The most missed chances that fit into a note.
_CHANCES: Final = 2


@dataclass(frozen=True, slots=True)
class Note:
    """The note on a turn. `mark` is "blunder", "mistake", "chance" or "".

    `ended` says how the deal or the match ended, for its last turn. `loss` is the mistake, with
    `cost` and `reason`. `said` has further sentences: a missed chance, or how the value changed.
    """

    mark: str
    ended: Sentence | None
    loss: Loss | None
    cost: Sentence | None
    reason: Sentence | None
    said: tuple[Sentence, ...]


def turn_notes(
    game: StoryGame, played: PlayedDeal, deal: AnalyzedDeal, story: DealStory
) -> list[Note]:
    """Return the note on each turn of a deal, whose story is given."""
    game, view = game.at(played.number), game.play.seat
    losses = {each.turn: each for each in stated_losses(deal, view)}
    notes = [_note(game, deal, turn.turn, losses.get(turn.turn)) for turn in played.turns]
    if notes:
        notes[-1] = replace(notes[-1], ended=_ended(game, played, story))
    return notes


def _note(game: StoryGame, deal: AnalyzedDeal, turn: int, loss: Loss | None) -> Note:
    if loss is not None:
        cost, reason = mark_sentence(loss), reason_sentence(game, loss)
        return Note(loss.kind, None, loss, cost, reason, ())
    view = game.play.seat
    chances = [each for each in deal.chances if each.turn == turn and view in ("", each.seat)]
    if chances:
        chances.sort(key=lambda each: CHANCES.index(each.kind))
        said = tuple(chance_sentence(game, each) for each in chances[:_CHANCES])
        return Note("chance", None, None, None, None, said)
    return Note("", None, None, None, None, _moved(game, deal, turn))


def _ended(game: StoryGame, played: PlayedDeal, story: DealStory) -> Sentence | None:
    """Return who won the match, or else the deal, if this is its end."""
    outcome = game.play.report.result
    if played.number == len(game.play.deals) and outcome.winner is not None:
        totals = [outcome.totals.get(side) for side in game.play.sides]
        known = [total for total in totals if total is not None]
        if len(known) == len(totals):
            at = game.play.sides.index(outcome.winner)
            best = max(known[other] for other in game.others(at))
            w, x = game.side(at), known[at] - best
            if game.two:
                return say("E1", w=w, x=x, p=known[at], q=best)
            return say("E2", w=w, x=x, p=known[at])
    return story.headline if played.report.ended else None


def _moved(game: StoryGame, deal: AnalyzedDeal, turn: int) -> tuple[Sentence, ...]:
    """Return how a turn changed the value of the deal; nothing once it is known exactly."""
    change = game.change(deal.values, turn)
    if change is None or change.error == 0:
        return ()
    amount = stated(change.points, change.error) if change.stands else None
    if amount is None:
        return (say("T2"),)
    return (say("T1", x=amount.x, s=game.side(change.side), e=amount.e),)
