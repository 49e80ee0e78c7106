"""The mistakes at which a reader guesses: the plays to choose from, and what each is worth."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from canasta_notation.analysis.values import Loss, PlayValue
from canasta_notation.cards import RANK, parse_cards
from canasta_notation.engine.actions import Discard, Lay, LaySpecial, TakeTalon
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.page.shown_game import ShownGame
from canasta_notation.page.table_changes import Texts, cards_text
from canasta_notation.report.played import PlayedDeal
from canasta_notation.story.estimates import ERRORS, stated
from canasta_notation.story.losses import question_sentence, stated_losses
from canasta_notation.story.sentences import Sentence, say
from canasta_notation.story.turn_parts import discarded_in, laid_in

#: The most plays among which a reader chooses.
_PLAYS: Final = 6
#: Steps through the plays, so that their order is fixed and reveals nothing.
_STEP: Final = 7


def questions(game: ShownGame, texts: Texts) -> list[dict[str, Any]]:
    """Return the mistakes at which a reader can guess, in the order of the turns.

    A question has `deal`, `turn` and `seat`, and what is asked as the index of a text. `options`
    have a play as a record spells it, what it is worth, as the index of a text, the points for
    it, null if the question does not count, and the cards that a reader taps for it: those laid, in
    order, then "-" and the one discarded. `better` and `played` are the places of two options.
    `hand` are the cards that can be tapped, and `alike` has for each the first that counts as the
    same; both are empty if the question is whether to draw.
    """
    found: list[dict[str, Any]] = []
    for played, deal in game.story.deals():
        for loss in sorted(stated_losses(deal, game.play.seat), key=lambda each: each.turn):
            options = _options(loss, len(found))
            hand, alike = _hand(game, played, loss)
            plays = [each.play for each in options]
            found.append(
                {
                    "deal": played.number,
                    "turn": loss.turn,
                    "seat": loss.seat,
                    "key": question_sentence(game.story, loss).key,
                    "asked": texts.place(question_sentence(game.story, loss)),
                    "better": plays.index(loss.better),
                    "played": plays.index(loss.played),
                    "hand": cards_text(hand),
                    "alike": cards_text(alike[_kind(game, card)] for card in hand),
                    "options": [
                        [
                            each.play,
                            texts.place(_worth(each)),
                            _points(loss, each),
                            _tapped(game, each.play, alike) if hand else "",
                        ]
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


def _hand(
    game: ShownGame, played: PlayedDeal, loss: Loss
) -> tuple[tuple[int, ...], dict[int, int]]:
    """Return the cards from which the player chose what to lay and discard.

    They are those that were left, laid and discarded. Of each kind, the first card is given too.
    """
    if loss.decision == "draw":
        return (), {}
    turn = played.turns[loss.turn - 1]
    cards = Counter(turn.after.hands[game.play.seats.index(loss.seat)].cards)
    for action in turn.line.actions:
        match action:
            case Lay() | LaySpecial():
                cards.update(action.cards)
            case Discard():
                cards[action.card] += 1
            case TakeTalon():
                cards.subtract((*action.cards, *action.replacements))
    hand = tuple(sorted(cards.elements()))
    return hand, {_kind(game, card): card for card in reversed(hand)}


def _kind(game: ShownGame, card: int) -> int:
    """Return what counts of a card: its rank, or the card itself if suits matter."""
    return card if rules_of(game.play.profile).sequences else RANK[card]


def _tapped(game: ShownGame, play: str, alike: dict[int, int]) -> str:
    """Return what a reader taps for a play, each card as the first of its kind."""
    laid, discarded = (
        cards_text(sorted(alike.get(_kind(game, card), card) for card in parse_cards(cards)))
        for cards in (laid_in(play), discarded_in(play))
    )
    return f"{laid}-{discarded}"


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
