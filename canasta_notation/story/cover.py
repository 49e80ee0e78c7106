"""The cover of a game: who won, why, what decided it, and the costliest play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from canasta_notation.analysis.analyzed import AnalyzedDeal
from canasta_notation.analysis.facts import PileTaken
from canasta_notation.analysis.values import Loss
from canasta_notation.engine.actions import Discard
from canasta_notation.engine.state import State
from canasta_notation.language.sentences import Card, Names, Sentence, say
from canasta_notation.report.played import PlayedDeal
from canasta_notation.story.deals import (
    LARGE_PILE,
    largest_change,
    largest_losses,
    swing_sentence,
)
from canasta_notation.story.estimates import stated
from canasta_notation.story.headline import headline
from canasta_notation.story.losses import loss_sentence
from canasta_notation.story.story_game import Change, StoryGame
from canasta_notation.story.turn_parts import play_parts, turn_parts

#: The most moments on a cover, and the most cards in the picture of one.
_MOMENTS: Final = 3
_FAN: Final = 6
#: The sentence that names the deal in which the winner took the lead.
_TOOK_LEAD: Final = "C1"
#: The label above the moment that decided the game.
_DECIDED: Final = "what_decided"


@dataclass(frozen=True, slots=True)
class Half:
    """One half of the picture of a moment: a player or a word, what is done there, cards."""

    name: str | Sentence
    labels: tuple[Sentence, ...]
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DecidingMoment:
    """A moment of a game: its deal and turn, its sentence, its weight, and the label above it.

    The label is "what_decided", "biggest_turns" or "costliest_play". The turn of a take is that of
    the discard before it, unless the take decided the game. `halves` are those of its picture: the
    discard and the take, what was played and what was better, or only what was played. `loss` is
    None for a take and for a change of the value.
    """

    deal: int
    turn: int
    sentence: Sentence
    weight: float
    halves: tuple[Half, ...]
    loss: Loss | None = None
    heading: str = "biggest_turns"


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
    if len(totals) < len(known) or not totals:
        w, left = game.side(0), Names(tuple(map(game.side, game.others(0))))
        return Cover(say("B6", w=w, l=left), None, None, None, _moments(game, None))
    order = tuple(sorted(range(len(totals)), key=lambda at: (-totals[at], at)))
    why = _why(game, order[0]) if outcome.winner is not None else None
    return Cover(
        headline(game.sides, len(game.play.sides[0]), totals, outcome),
        _result(game, order, totals),
        why,
        tuple(totals),
        _moments(game, why),
    )


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
    return say(_TOOK_LEAD, l=game.side(leader), x=x, d=behind + 1, w=w, k=behind + 2, y=y)


def _margin(game: StoryGame, points: list[int], at: int) -> int:
    """Return how many points a side is ahead of the best of the others."""
    return points[at] - max(points[other] for other in game.others(at))


# --- moments --------------------------------------------------------------------------------------


def _moments(game: StoryGame, why: Sentence | None) -> tuple[DecidingMoment, ...]:
    """Return the moments of a game: what decided it, else the biggest turns; the costliest play.

    `why` says how the winner took the lead.
    """
    if game.play.seat:
        return ()
    first = _decided(game, why)[:1] or _biggest_turns(game)
    shown = [each.loss for each in first]
    costliest = [each for each in _costliest(game) if each.loss not in shown]
    return (*first[: _MOMENTS - len(costliest)], *costliest)


def _decided(game: StoryGame, why: Sentence | None) -> list[DecidingMoment]:
    """Return the turns of deals that turned towards the winners of the game, the largest first.

    If the winners took the lead in one deal, as `why` says, they are turns of that deal.
    """
    winner = game.play.report.result.winner
    if winner is None:
        return []
    at = game.play.sides.index(winner)
    lead = dict(why.values)["k"] if why is not None and why.key == _TOOK_LEAD else None
    found = []
    for played, deal in game.deals():
        swing = largest_change(game, deal)
        if swing is not None and swing[1].side == at and lead in (None, played.number):
            found.append(_turned(game, played, deal, *swing))
    return _largest_first(found)


def _turned(
    game: StoryGame, played: PlayedDeal, deal: AnalyzedDeal, turn: int, change: Change
) -> DecidingMoment:
    """Return a turn that changed the value: as a take, as a mistake of the others, or as it was."""
    game = game.at(played.number)
    for pile in deal.facts.piles:
        two = game.change(deal.values, pile.turn, swing=True)
        if pile.turn - 1 <= turn <= pile.turn and two is not None and two.side == change.side:
            for each in _takes(game, played, deal, (pile,)):
                return replace(each, turn=turn, weight=change.points, heading=_DECIDED)
    # The side that gained made no mistake in this turn, or the change would not be the largest.
    for loss in largest_losses(deal):
        if loss.turn == turn:
            mistake = _mistake(game, played, deal, loss)
            return replace(mistake, weight=change.points, heading=_DECIDED)
    sentence = swing_sentence(game, played, deal, turn, change)
    half = _played(game, played, turn)
    return DecidingMoment(played.number, turn, sentence, change.points, (half,), heading=_DECIDED)


def _played(game: StoryGame, played: PlayedDeal, turn: int) -> Half:
    """Return the picture of a turn: what everyone saw of it."""
    line = played.turns[turn - 1]
    seat = line.line.seat
    parts = [each for each in turn_parts(line, game.side_of(seat)) if not each.own]
    cards = [card for part in parts for card in part.cards]
    labels = tuple(part.label for part in parts if part.label)
    return Half(game.player(seat), labels, tuple(cards[:_FAN]))


def _biggest_turns(game: StoryGame) -> list[DecidingMoment]:
    """Return the takes of large piles that gained most, at most one for each deal."""
    found = [
        each
        for played, deal in game.deals()
        for each in _largest_first(_takes(game, played, deal, deal.facts.piles))[:1]
    ]
    return _largest_first(found)[:_MOMENTS]


def _costliest(game: StoryGame) -> list[DecidingMoment]:
    """Return the mistake of the game that cost most, if there is one."""
    found = [
        _mistake(game, played, deal, loss)
        for played, deal in game.deals()
        for loss in largest_losses(deal)[:1]
    ]
    return _largest_first(found)[:1]


def _mistake(game: StoryGame, played: PlayedDeal, deal: AnalyzedDeal, loss: Loss) -> DecidingMoment:
    game = game.at(played.number)
    sentence, halves = loss_sentence(game, deal, loss), _plays(game, played, loss)
    return DecidingMoment(
        played.number, loss.turn, sentence, loss.loss, halves, loss, "costliest_play"
    )


def _largest_first(moments: Iterable[DecidingMoment]) -> list[DecidingMoment]:
    return sorted(moments, key=lambda each: -each.weight)


def _takes(
    game: StoryGame, played: PlayedDeal, deal: AnalyzedDeal, piles: Iterable[PileTaken]
) -> Iterator[DecidingMoment]:
    """Yield the takes of large piles, each at the discard before it."""
    game = game.at(played.number)
    for pile in piles:
        if pile.cards is None or pile.cards < LARGE_PILE or not 1 < pile.turn <= played.last:
            continue
        before = played.turns[pile.turn - 2].line
        discards = [each.card for each in before.actions if isinstance(each, Discard)]
        if not discards:
            continue
        a, b, n = game.player(before.seat), game.player(pile.seat), pile.cards
        top = played.turns[pile.turn - 2].after.pile[-_FAN:]
        halves = (
            Half(a, (say("discards"),), (discards[0],)),
            Half(b, (say("takes", n=n),), top),
        )
        found = _take(game, played, deal, pile)
        if found is not None:
            keys, weight, more = found
            last = pile.turn == played.last and played.report.by == pile.seat
            sentence = say(keys[last], a=a, b=b, c=Card(discards[0]), n=n, **more)
            yield DecidingMoment(played.number, pile.turn - 1, sentence, weight, halves)


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
