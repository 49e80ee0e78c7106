"""The mistakes at which a reader guesses: the plays to choose from, and what each is worth."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from canasta_notation.analysis.values import Loss, PlayValue
from canasta_notation.cards import RANK
from canasta_notation.engine.actions import Discard, Lay, LaySpecial, TakePacket
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.page.shown_game import ShownGame
from canasta_notation.page.table_changes import cards_text
from canasta_notation.report.picked_up import with_packet_cards
from canasta_notation.report.played import PlayedDeal
from canasta_notation.story.estimates import ERRORS, stated
from canasta_notation.story.losses import stated_losses

#: The most plays among which a reader chooses.
_PLAYS: Final = 6
#: Steps through the plays, so that their order is fixed and reveals nothing.
_STEP: Final = 7


def questions(game: ShownGame) -> list[list[Any]]:
    """Return the mistakes at which a reader can guess, in the order of the turns.

    A question has the numbers of its deal and its turn, the places of the better and of the played
    option, the hand that can be tapped, for each of its cards the first that counts as the same,
    and the options. Both texts of cards are empty if the question is whether to draw. An option has
    a play as a record spells it, the points for it, None if the question does not count, and how
    much more it was worth than what was played with three errors, both 0 if too close to call.
    """
    found: list[list[Any]] = []
    for played, deal in game.story.deals():
        for loss in sorted(stated_losses(deal, game.play.seat), key=lambda each: each.turn):
            options = _options(loss, len(found))
            plays = [each.play for each in options]
            hand = _hand(game, played, loss)
            found.append(
                [
                    played.number,
                    loss.turn,
                    plays.index(loss.better),
                    plays.index(loss.played),
                    cards_text(hand),
                    cards_text(_alike(game, hand)),
                    [[each.play, _points(loss, each), *_worth(each)] for each in options],
                ]
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


def _hand(game: ShownGame, played: PlayedDeal, loss: Loss) -> tuple[int, ...]:
    """Return the cards from which the player chose what to lay and discard.

    They are those that were left, laid and discarded.
    """
    if loss.decision == "draw":
        return ()
    turn = played.turns[loss.turn - 1]
    cards = Counter(turn.after.hands[game.play.seats.index(loss.seat)].cards)
    for action in with_packet_cards(turn.line.actions, turn.before, turn.after):
        match action:
            case Lay() | LaySpecial():
                cards.update(action.cards)
            case Discard():
                cards[action.card] += 1
            case TakePacket():
                cards.subtract((*action.cards, *action.replacements))
    return tuple(sorted(cards.elements()))


def _alike(game: ShownGame, hand: tuple[int, ...]) -> list[int]:
    """Return for each card of a hand the first that counts as the same."""
    # Of a card counts its rank, or the card itself if suits matter.
    kinds = [card if rules_of(game.play.profile).sequences else RANK[card] for card in hand]
    return [hand[kinds.index(kind)] for kind in kinds]


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


def _worth(option: PlayValue) -> tuple[int, int]:
    """Return how much more a play was worth than what was played, and three errors."""
    amount = stated(option.value, option.error)
    if amount is None:
        return 0, 0
    return (amount.x if option.value > 0 else -amount.x), amount.e
