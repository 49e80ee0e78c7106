"""The cover of a game: who won, why, and the moments that decided it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from canasta_notation.analysis.analyzed import AnalyzedDeal
from canasta_notation.analysis.facts import PileTaken
from canasta_notation.analysis.values import Loss
from canasta_notation.engine.actions import Discard
from canasta_notation.engine.state import State
from canasta_notation.report.played import PlayedDeal
from canasta_notation.story.deals import LARGE_PILE, largest_losses
from canasta_notation.story.estimates import stated
from canasta_notation.story.losses import loss_sentence
from canasta_notation.story.sentences import Card, Names, Sentence, say
from canasta_notation.story.story_game import StoryGame
from canasta_notation.story.turn_parts import play_parts

#: The most moments on a cover, and the most cards in the picture of one.
_MOMENTS: Final = 3
_FAN: Final = 6


@dataclass(frozen=True, slots=True)
class Half:
    """One half of the picture of a moment: a player or a word, what is done there, cards."""

    name: str | Sentence
    labels: tuple[Sentence, ...]
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DecidingMoment:
    """A moment that decided a game: its deal and turn, its sentence, and its weight.

    The turn of a take is that of the discard before it. `pair` are the halves of its picture: the
    discard and the take, or what was played and what was better. `loss` is None for a take.
    """

    deal: int
    turn: int
    sentence: Sentence
    weight: float
    pair: tuple[Half, Half]
    loss: Loss | None = None


@dataclass(frozen=True, slots=True)
class Cover:
    """Who won a game and why. `result` and `why` are None if there is nothing to say.

    `totals` are in the order of the sides, None if one is not known.
    """

    headline: Sentence
    result: Sentence | None
    why: Sentence | None
    totals: tuple[int, ...] | None
    moments: tuple[DecidingMoment, ...]


def cover(game: StoryGame) -> Cover:
    """Return the cover of a game."""
    outcome = game.play.report.result
    known = [outcome.totals.get(side) for side in game.play.sides]
    totals = [total for total in known if total is not None]
    moments = tuple(deciding_moments(game)) if not game.play.seat else ()
    if len(totals) < len(known) or not totals:
        w, left = game.side(0), Names(tuple(map(game.side, game.others(0))))
        return Cover(say("B6", w=w, l=left), None, None, None, moments)
    order = tuple(sorted(range(len(totals)), key=lambda at: (-totals[at], at)))
    return Cover(
        _headline(game, order, totals),
        _result(game, order, totals),
        _why(game, order[0]) if outcome.winner is not None else None,
        tuple(totals),
        moments,
    )


def _headline(game: StoryGame, order: tuple[int, ...], totals: list[int]) -> Sentence:
    w, left = game.side(order[0]), Names(tuple(map(game.side, order[1:])))
    outcome = game.play.report.result
    if outcome.winner is not None:
        return say("B1", w=w, l=left)
    if totals[order[0]] == totals[order[1]]:
        second = game.side(order[1])
        if outcome.finished:
            return say("B2", w=w, l=second, x=totals[order[0]])
        return say("B5", w=w, l=second)
    return say("B4" if len(game.play.sides[order[0]]) == 1 else "B3", w=w, l=left)


def _result(game: StoryGame, order: tuple[int, ...], totals: list[int]) -> Sentence:
    figures = [totals[at] for at in order]
    if game.two:
        return say("R1", p=figures[0], q=figures[1])
    return say("R2", p=figures[0], q=figures[1], r=figures[2])


def _why(game: StoryGame, winner: int) -> Sentence | None:
    """Return how the winner took the lead, None if the totals do not show it."""
    known = [game.totals(deal) for deal in game.play.report.deals]
    totals = [each for each in known if each is not None]
    if len(totals) < len(known) or len(totals) < 2:
        return None
    leads = [_margin(game, each, winner) for each in totals]
    w = game.side(winner)
    behind = max((at for at, lead in enumerate(leads) if lead < 0), default=None)
    if behind is None:
        if all(lead > 0 for lead in leads):
            return say("C2", w=w)
        return say("C4" if len(game.play.sides[winner]) == 1 else "C3", w=w)
    if any(lead <= 0 for lead in leads[behind + 1 :]):
        return None
    leader = max(game.others(winner), key=lambda at: totals[behind][at])
    scores = game.scores(game.play.report.deals[behind + 1])
    x = _margin(game, totals[behind], leader)
    y = _margin(game, scores, winner) if scores is not None else 0
    if x <= 0 or y <= 0:
        return None
    return say("C1", l=game.side(leader), x=x, d=behind + 1, w=w, k=behind + 2, y=y)


def _margin(game: StoryGame, points: list[int], at: int) -> int:
    """Return how many points a side is ahead of the best of the others."""
    return points[at] - max(points[other] for other in game.others(at))


# --- moments --------------------------------------------------------------------------------------


def deciding_moments(game: StoryGame) -> list[DecidingMoment]:
    """Return the moments that decided a game, at most one for each deal, the largest first."""
    found: list[DecidingMoment] = []
    for played, deal in game.deals():
        found += _takes(game, played, deal)
        for loss in largest_losses(deal):
            sentence = loss_sentence(game, deal, loss)
            pair = _plays(game, played, loss)
            found.append(DecidingMoment(played.number, loss.turn, sentence, loss.loss, pair, loss))
    chosen: dict[int, DecidingMoment] = {}
    for each in sorted(found, key=lambda each: -each.weight):
        chosen.setdefault(each.deal, each)
    return [*chosen.values()][:_MOMENTS]


def _takes(game: StoryGame, played: PlayedDeal, deal: AnalyzedDeal) -> Iterator[DecidingMoment]:
    """Yield the takes of large piles, each at the discard before it."""
    for pile in deal.facts.piles:
        if pile.cards is None or pile.cards < LARGE_PILE or not 1 < pile.turn <= played.last:
            continue
        before = played.turns[pile.turn - 2].line
        discards = [each.card for each in before.actions if isinstance(each, Discard)]
        if not discards:
            continue
        a, b, n = game.player(before.seat), game.player(pile.seat), pile.cards
        top = played.turns[pile.turn - 2].after.pile[-_FAN:]
        pair = (
            Half(a, (say("discards"),), (discards[0],)),
            Half(b, (say("takes", n=n),), top),
        )
        found = _take(game, played, deal, pile)
        if found is not None:
            keys, weight, more = found
            last = pile.turn == played.last and played.report.by == pile.seat
            sentence = say(keys[last], a=a, b=b, c=Card(discards[0]), n=n, **more)
            yield DecidingMoment(played.number, pile.turn - 1, sentence, weight, pair)


def _take(
    game: StoryGame, played: PlayedDeal, deal: AnalyzedDeal, pile: PileTaken
) -> tuple[tuple[str, str], float, dict[str, object]] | None:
    """Return the sentence of a take, how much it weighs, and its figures, or None without one.

    The second of the two keys is for a take by the player who went out with it.
    """
    if deal.values is None:
        gain = _gain(game, played, pile)
        return (("M1", "M2"), gain, {}) if gain is not None and gain > 0 else None
    change = game.change(deal.values, pile.turn, swing=True)
    amount = stated(change.points, change.error) if change is not None and change.stands else None
    if change is None or amount is None:
        return None
    more: dict[str, object] = {"x": amount.x, "e": amount.e, "s": game.side(change.side)}
    return ("M3", "M4"), change.points, more


def _plays(game: StoryGame, played: PlayedDeal, loss: Loss) -> tuple[Half, Half]:
    """Return the picture of a mistake: what was played, and what was better."""
    pile = played.turns[loss.turn - 1].before.pile[-_FAN:]
    halves = []
    for play in (loss.played, loss.better):
        parts = play_parts(play)
        cards = [card for part in parts for card in part.cards]
        labels = tuple(part.label for part in parts if part.label)
        halves.append((labels, pile if play == "^" else cards))
    (_, did), (words, better) = halves
    done = say({"+": "drew", "^": "took"}.get(loss.played, "played"))
    return (
        Half(game.player(loss.seat), (done,), tuple(did[-1:])),
        Half(say("better"), words, tuple(better[:_FAN])),
    )


def _gain(game: StoryGame, played: PlayedDeal, pile: PileTaken) -> int | None:
    """Return how many points on the table the take gained for its side against the others."""
    side = game.side_of(pile.seat)
    turn = played.turns[pile.turn - 1]
    before, after = _ahead(game, turn.before, side), _ahead(game, turn.after, side)
    return None if before is None or after is None else after - before


def _ahead(game: StoryGame, state: State, side: int) -> int | None:
    points = [each.points for each in state.sides]
    known = [each for each in points if each is not None]
    if len(known) < len(points):
        return None
    return _margin(game, known, side)
