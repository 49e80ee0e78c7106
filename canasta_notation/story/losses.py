"""Sentences about mistakes and missed chances."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from canasta_notation.analysis.analyzed import AnalyzedDeal, Chance
from canasta_notation.analysis.values import Loss
from canasta_notation.cards import CODE
from canasta_notation.story.estimates import ERRORS, Stated, stated
from canasta_notation.story.sentences import Card, Melds, Sentence, say
from canasta_notation.story.story_game import StoryGame
from canasta_notation.story.turn_parts import discarded_in, goes_out, laid_in

#: A risk is a reason if the better play lowers it by at least this much.
_LOWER_RISK: Final = 0.05
#: An item of the score is named if it is at least this part of what a play was worth.
_PART: Final = 0.2
#: The sentences about an item of the score that speak for a play.
_GAINS: Final = ("Y5", "Y6")
_CANASTAS: Final = {"natural": "H5", "mixed": "H6", "wild": "H7", "sequence": "H8"}


def stated_losses(deal: AnalyzedDeal, seat: str = "") -> list[Loss]:
    """Return the mistakes of a deal that can be stated; with `seat`, only those of that seat."""
    losses = deal.values.losses if deal.values else ()
    return [each for each in losses if seat in ("", each.seat) and stated(each.loss, each.error)]


def loss_sentence(game: StoryGame, deal: AnalyzedDeal, loss: Loss) -> Sentence:
    """Return what a mistake was, by how much, and what was better."""
    n, (x, e) = game.player(loss.seat), _amount(loss)
    if loss.decision == "draw":
        return say("L5" if loss.played == "^" else "L6", n=n, x=x, e=e)
    if goes_out(loss.better):
        return say("L1", n=n, x=x, e=e)
    laid = laid_in(loss.better)
    if laid and not _opened(game, deal, loss):
        return say("L2", n=n, x=x, e=e)
    c, d = discarded_in(loss.played), discarded_in(loss.better)
    if c and d and c != d and laid == laid_in(loss.played):
        return say("L3", n=n, x=x, e=e, c=Card(CODE[c]), d=Card(CODE[d]))
    return say("L4", n=n, x=x, e=e)


def mark_sentence(loss: Loss) -> Sentence:
    """Return what kind of mistake it was, and what it cost."""
    x, e = _amount(loss)
    return say("N1" if loss.kind == "blunder" else "N2", x=x, e=e)


def _amount(loss: Loss) -> Stated:
    """Return a loss as it is stated. Not checked: that it is one of `stated_losses`."""
    found = stated(loss.loss, loss.error)
    assert found is not None, "a loss that is shown can be stated"
    return found


def _opened(game: StoryGame, deal: AnalyzedDeal, loss: Loss) -> bool:
    """Return whether the side had opened before the turn."""
    side = deal.facts.sides[game.play.sides[game.side_of(loss.seat)]]
    return side.opened_at is not None and side.opened_at < loss.turn


def reason_sentence(game: StoryGame, deal: AnalyzedDeal, loss: Loss) -> Sentence:
    """Return why the better play was better, if a reason exceeds three errors."""
    seats = game.play.seats
    n = game.player(seats[(seats.index(loss.seat) + 1) % len(seats)])
    if loss.decision == "turn" and loss.pile and _risk_stands(loss):
        x, y = round(100 * loss.risk), round(100 * loss.risk_better)
        return say("Y1", n=n, c=loss.pile, x=x, y=y)
    for chance in deal.chances:
        if chance.turn == loss.turn and chance.kind == "canasta" and chance.rank is not None:
            return say("Y2", r=Melds(chance.rank))
    for pile in deal.facts.piles:
        if pile.turn == loss.turn + 1 and pile.cards is not None and loss.decision == "turn":
            return say("Y3", n=game.player(pile.seat), c=pile.cards)
    return item_sentence(loss) or say("Y4")


def item_sentence(loss: Loss) -> Sentence | None:
    """Return by which item of the score the better play gained most, None if none stands."""
    own = {item: -points for item, points in loss.items.items()}
    others = {item: -points for item, points in loss.others.items()}
    found = item_sentences(own, loss.items_error, others, loss.others_error, loss.loss)
    return next((each for each in found if each.key in _GAINS), None)


def item_sentences(
    own: Mapping[str, float],
    own_error: Mapping[str, float],
    others: Mapping[str, float],
    others_error: Mapping[str, float],
    value: float,
) -> Iterator[Sentence]:
    """Yield what a play brings more or less in items of the score, the largest first.

    `own` is how much more it earned its side, by item, and `others` is the same for the mean of the
    others. An item is named if it exceeds three errors and is a fifth of the play's `value`.
    """
    found = [
        (points, errors.get(item, 0.0), item, keys)
        for items, errors, keys in (
            (own, own_error, ("Y5", "Y7")),
            (others, others_error, ("Y8", "Y6")),
        )
        for item, points in items.items()
    ]
    for points, error, item, keys in sorted(found, key=lambda each: -abs(each[0])):
        amount = stated(points, error)
        if amount is not None and abs(points) >= _PART * abs(value):
            yield say(keys[points < 0], x=amount.x, e=amount.e, i=say(f"item_{item}"))


def _risk_stands(loss: Loss) -> bool:
    """Return whether the better play lowers the risk, by more than three errors."""
    error = math.hypot(loss.risk_error, loss.risk_better_error)
    return loss.risk - loss.risk_better > max(_LOWER_RISK, ERRORS * error)


def chance_sentence(game: StoryGame, chance: Chance) -> Sentence:
    """Return what a turn could have done."""
    n = game.player(chance.seat)
    match chance.kind:
        case "out":
            return say("H1", n=n)
        case "open":
            return say("H2", n=n)
        case "canasta":
            return say(_CANASTAS[chance.canasta or "mixed"], n=n, r=Melds(chance.rank or 0))
        case _ if chance.cards is None:
            return say("H4", n=n)
        case _:
            return say("H3", n=n, c=chance.cards)
