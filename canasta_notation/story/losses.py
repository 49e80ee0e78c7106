"""Sentences about mistakes and missed chances."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from canasta_notation.analysis.analyzed import AnalyzedDeal, Chance
from canasta_notation.analysis.values import Loss
from canasta_notation.cards import CODE, JOKER_RANK, RANK, TWO
from canasta_notation.language.sentences import Card, Melds, Sentence, say
from canasta_notation.story.estimates import ERRORS, Stated, stated
from canasta_notation.story.story_game import StoryGame
from canasta_notation.story.turn_parts import (
    discarded_in,
    goes_out,
    laid_in,
    lays_special,
)

#: A risk is a reason if the better play lowers it by at least this much.
_LOWER_RISK: Final = 0.05
#: An item of the score is named if it is at least this part of what a play was worth.
_PART: Final = 0.2
#: A pile can be the reason if it is worth at least this part of the loss, at one limit of a mistake
#: for each card.
_MOST: Final = 0.5
#: The sentences about an item of the score that speak for a play.
_OWN_MORE: Final = "Y5"
_OTHERS_LESS: Final = "Y6"
_GAINS: Final = (_OWN_MORE, _OTHERS_LESS)
#: The sentence of a mistake that names both discards, because the plays lay the same.
_OTHER_DISCARD: Final = "L3"
#: The sentence of any other mistake.
_ANY: Final = "L4"
_WILD: Final = (TWO, JOKER_RANK)
_CANASTAS: Final = {"natural": "H5", "semi": "H6", "mixed": "H6", "wild": "H7", "sequence": "H8"}


def stated_losses(deal: AnalyzedDeal, seat: str = "") -> list[Loss]:
    """Return the mistakes of a deal that can be stated; with `seat`, only those of that seat."""
    losses = deal.values.losses if deal.values else ()
    return [each for each in losses if seat in ("", each.seat) and stated(each.loss, each.error)]


def loss_sentence(game: StoryGame, deal: AnalyzedDeal, loss: Loss) -> Sentence:
    """Return what a mistake was, by how much, and how what was better differs from it."""
    n, (x, e) = game.player(loss.seat), _amount(loss)
    key = _key(loss, opened=_opened(game, deal, loss))
    if key == _OTHER_DISCARD:
        c, d = (Card(CODE[discarded_in(each)]) for each in (loss.played, loss.better))
        return say(key, n=n, x=x, e=e, c=c, d=d)
    return say(key, n=n, x=x, e=e)


def _key(loss: Loss, *, opened: bool) -> str:
    """Return the sentence of a mistake: the first thing that one of its two plays does alone."""
    played, better = loss.played, loss.better
    if loss.decision == "draw":
        return "L5" if played == "^" else "L6"
    if lays_special(played):
        return _ANY
    if lays_special(better):
        return "L13"
    if goes_out(better) != goes_out(played):
        return "L1" if goes_out(better) else "L7"
    before, after = laid_in(played), laid_in(better)
    if not opened and bool(before) != bool(after):
        return "L2" if after else "L8"
    discards = {discarded_in(played), discarded_in(better)}
    if before == after and len(discards - {""}) > 1:
        return _OTHER_DISCARD
    return _ANY if opened else _other_opening(_ranks(before), _ranks(after))


def _other_opening(played: Counter[int], better: Counter[int]) -> str:
    """Return how an opening differs from a better one, by the ranks that each lays."""
    if played == better:
        return _ANY
    if better < played:
        return "L9"
    if played < better:
        return "L10"
    wilds, fewer = (sum(cards[rank] for rank in _WILD) for cards in (played, better))
    return "L11" if fewer < wilds else "L12"


def _ranks(laid: Iterable[tuple[str, tuple[int, ...]]]) -> Counter[int]:
    return Counter(RANK[card] for _, cards in laid for card in cards)


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
    """Return whether the side had opened before the decision: earlier, or by taking the pile."""
    side = deal.facts.sides[game.play.sides[game.side_of(loss.seat)]]
    took = any(pile.turn == loss.turn for pile in deal.facts.piles)
    return took or (side.opened_at is not None and side.opened_at < loss.turn)


def reason_sentence(game: StoryGame, loss: Loss) -> Sentence:
    """Return why the better play was better, or that no reason stands out.

    It depends only on what the seat could know when it decided.
    """
    gain = _largest_gain(loss)
    if _saves_pile(game, loss) and (gain is None or gain.key == _OTHERS_LESS):
        seats = game.play.seats
        n = game.player(seats[(seats.index(loss.seat) + 1) % len(seats)])
        x, y = round(100 * loss.risk), round(100 * loss.risk_better)
        return say("Y1", n=n, c=loss.pile, x=x, y=y)
    return item_sentence(loss) or say("Y4")


def item_sentence(loss: Loss) -> Sentence | None:
    """Return by which item of the score the better play gained most, None if that is unsure."""
    gain = _largest_gain(loss)
    return gain.sentence(loss.loss) if gain is not None else None


def _saves_pile(game: StoryGame, loss: Loss) -> bool:
    """Return whether the better play lowers the risk by more than three errors.

    The pile must also be large enough to be the reason, and no pile is taken after a play that ends
    the deal.
    """
    limits = game.analysis.limits
    error = math.hypot(loss.risk_error, loss.risk_better_error)
    lower = loss.risk - loss.risk_better
    if limits is None or loss.decision != "turn" or _ends(loss.played) or _ends(loss.better):
        return False
    if lower <= max(_LOWER_RISK, ERRORS * error):
        return False
    return lower * loss.pile * limits.mistake >= _MOST * loss.loss


def _ends(play: str) -> bool:
    return goes_out(play) or lays_special(play)


class _ItemPart(NamedTuple):
    """A part of what a play was worth: the key of its sentence, an item, points, and the error."""

    key: str
    item: str
    points: float
    error: float

    def sentence(self, value: float) -> Sentence | None:
        """Return it in words, None if it is within its error or a small part of a `value`."""
        amount = stated(self.points, self.error)
        if amount is None or abs(self.points) < _PART * abs(value):
            return None
        return say(self.key, x=amount.x, e=amount.e, i=say(f"item_{self.item}"))


def _largest_gain(loss: Loss) -> _ItemPart | None:
    """Return the item of the score by which the better play gained most, None if there is none."""
    own = {item: -points for item, points in loss.items.items()}
    others = {item: -points for item, points in loss.others.items()}
    found = _parts(own, loss.items_error, others, loss.others_error)
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
    for each in _parts(own, own_error, others, others_error):
        sentence = each.sentence(value)
        if sentence is not None:
            yield sentence


def _parts(
    own: Mapping[str, float],
    own_error: Mapping[str, float],
    others: Mapping[str, float],
    others_error: Mapping[str, float],
) -> list[_ItemPart]:
    """Return the parts of what a play was worth, the largest first."""
    found = [
        _ItemPart(keys[points < 0], item, points, errors.get(item, 0.0))
        for items, errors, keys in (
            (own, own_error, (_OWN_MORE, "Y7")),
            (others, others_error, ("Y8", _OTHERS_LESS)),
        )
        for item, points in items.items()
    ]
    return sorted(found, key=lambda each: -abs(each.points))


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
