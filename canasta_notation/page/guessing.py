"""The mistakes at which a reader guesses: the plays to choose from, and what each is worth."""

from __future__ import annotations

from typing import Any, Final

from canasta_notation.analysis.values import Loss, PlayValue
from canasta_notation.page.shown_game import ShownGame
from canasta_notation.page.table_changes import Texts
from canasta_notation.story.estimates import ERRORS, stated
from canasta_notation.story.losses import question_sentence, told_losses
from canasta_notation.story.sentences import Sentence, say

#: The most plays among which a reader chooses.
_PLAYS: Final = 6
#: Steps through the plays, so that their order says nothing and stays as it is.
_STEP: Final = 7


def questions(game: ShownGame, texts: Texts) -> list[dict[str, Any]]:
    """Return the mistakes at which a reader can guess, in the order of the turns.

    A question has `deal`, `turn` and `seat`, and what is asked as the index of a text. `options`
    have a play as a record spells it, what it is worth, as the index of a text, and the points for
    it, null if the question does not count. `better` and `played` are the places of two options.
    """
    found: list[dict[str, Any]] = []
    for played, deal in game.told.deals():
        for loss in sorted(told_losses(deal, game.play.seat), key=lambda each: each.turn):
            options = _options(loss, len(found))
            plays = [each.play for each in options]
            found.append(
                {
                    "deal": played.number,
                    "turn": loss.turn,
                    "seat": loss.seat,
                    "key": question_sentence(game.told, loss).key,
                    "asked": texts.place(question_sentence(game.told, loss)),
                    "better": plays.index(loss.better),
                    "played": plays.index(loss.played),
                    "options": [
                        [each.play, texts.place(_worth(each)), _points(loss, each)]
                        for each in options
                    ],
                }
            )
    return found


def _options(loss: Loss, number: int) -> list[PlayValue]:
    """Return the plays to choose from, in an order that depends on the number of the question."""
    known = {each.play: each for each in loss.candidates}
    played = PlayValue(loss.played, 0, 0, loss.loss, loss.error, 0, 0, 0)
    better = PlayValue(loss.better, loss.loss, loss.error, 0, 0, 0, 0, 0)
    first = [known.get(loss.better, better), known.get(loss.played, played)]
    rest = [each for each in loss.candidates if each.play not in (loss.better, loss.played)]
    plays = sorted([*first, *rest][:_PLAYS], key=lambda each: each.play)
    turned = (number * _STEP + loss.turn) % len(plays)
    return plays[turned:] + plays[:turned]


def _points(loss: Loss, option: PlayValue) -> int | None:
    """Return the points for a play, None if it is too close to call."""
    beats = option.value > ERRORS * option.error
    if option.play == loss.played:
        return 0
    if option.play == loss.better:
        return 2
    if beats:
        return 1 if option.behind > ERRORS * option.behind_error else 2
    return 0 if option.value < -ERRORS * option.error else None


def _worth(option: PlayValue) -> Sentence:
    """Return how much more or less a play was worth than what was played."""
    amount = stated(option.value, option.error)
    if amount is None:
        return say("A6")
    return say("A4" if option.value > 0 else "A5", x=amount.x, e=amount.e)
