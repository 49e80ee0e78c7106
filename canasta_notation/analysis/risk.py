"""The risk of a discard: the chance that the next seat can take the pile.

It is the chance as the seat that discards could know it: the cards that it cannot see are random in
the stock and in the other hands, and cards that a seat took openly with a pile are known. If the
next side has opened and the next hand keeps enough cards to continue, a take depends only on the
naturals of the top's rank and the wild cards in the hand, so the chance is counted exactly.
Otherwise hands are dealt at random, and `players.takers` says which of them can legally take the
pile.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from math import comb, sqrt
from typing import Final, NamedTuple

from canasta_notation.cards import BLACK_THREE, CODES, JOKER_RANK, RANK, TWO
from canasta_notation.counts import i64, vec
from canasta_notation.engine.state import hand_states
from canasta_notation.engine.table import AS_BOOL, NO, YES, Table
from canasta_notation.players.candidates import copy_to_try
from canasta_notation.players.figures import GREEDY, figures_of
from canasta_notation.players.hidden import Hidden, as_seen, hidden_from, stream_of
from canasta_notation.players.takers import Takers, counting_decides, take_needs
from canasta_notation.replay.moment import Moment
from canasta_notation.rules import Profile
from canasta_notation.search.able import able_to_take, barred

#: How many hands are dealt if counting does not decide.
SAMPLES: Final = 200


class Odds(NamedTuple):
    """The chance of a take, from 0 to 1, and its standard error: 0 if it was counted.

    Both are None if the search reached its limit.
    """

    risk: float | None
    error: float | None


_SAFE: Final = Odds(0, 0)
_OPEN: Final = Odds(None, None)


@dataclass(frozen=True, slots=True)
class Risk:
    """A discard and its risk, from 0 to 1; None if the hand of the seat is not known.

    `card` is the code of the discard. `error` is the standard error of the risk: 0 if it was
    counted. `safest` is the code of another card of the hand with the smallest risk, `safest_risk`
    its risk and `safest_error` the error; None if there is none. `takeable` says whether the
    next seat could actually take the pile, None if that is not known.
    """

    turn: int
    seat: str
    card: int
    risk: float | None
    error: float | None
    safest: int | None
    safest_risk: float | None
    safest_error: float | None
    takeable: bool | None


class Risks:
    """Observes a replay and finds the risk of each discard; `seed` decides the samples."""

    def __init__(self, profile: Profile, seed: int = 0) -> None:
        self._seed = seed
        #: The player that takes every pile that it can, as far as it sees.
        self._greedy = figures_of(GREEDY, profile)
        self._found: dict[int, list[Risk]] = {}
        #: Whether the pile was frozen before the turn.
        self._frozen = NO

    def of(self, deal: int) -> tuple[Risk, ...]:
        """Return the discards of a deal (from 1), with their risks."""
        return tuple(self._found.get(deal, ()))

    def observe(self, moment: Moment) -> None:
        """Note a discard."""
        deal, play = moment.deal, moment.table
        if moment.is_within_turn:
            return
        if moment.line is None:
            self._found[deal] = []
        elif moment.ended_turn and play.discarded >= 0 and not play.ended:
            self._found[deal].append(self._risk(play, deal))
        self._frozen = play.frozen_by_card

    def _risk(self, play: Table, deal: int) -> Risk:
        rules, seat, card = play.rules, play.rules.seats[play.seat], play.discarded
        takeable = AS_BOOL[able_to_take(play, play.due)] if play.due >= 0 else None
        nothing = Risk(play.turn, seat, card, None, None, None, None, None, takeable)
        seen = play if play.knowledge is None else as_seen(play, play.seat)
        if seen is None or play.due < 0:
            return nothing
        before = NO if play.took and not play.taken.alone else self._frozen
        tops = {card: play.frozen_by_card}
        by_rank = {RANK[other]: other for other in hand_states(play)[play.seat].cards}
        by_rank.pop(RANK[card], None)
        for other in by_rank.values():
            if rules.plain_discard[other]:
                tops[other] = before
            elif RANK[other] in (BLACK_THREE, TWO, JOKER_RANK) and not rules.bans:
                tops[other] = YES
        hidden = hidden_from(seen, play.seat)
        cards = Cards(hidden, seen)
        if not 0 <= cards.unknown <= cards.pool.total():
            return nothing
        odds = {top: _counted(seen, cards, top, frozen) for top, frozen in tops.items()}
        frozen = tops.pop(card)
        stream = stream_of(self._seed, deal, play.turn, "risk")
        takers = Takers(copy_to_try(seen), hidden, self._greedy, stream, SAMPLES)
        risk, error = odds.pop(card) or _sampled(takers, card, frozen)
        safest = _safest(takers, tops, odds, rules.card_points)
        if safest is None:
            return replace(nothing, risk=risk, error=error)
        least = odds[safest] or _sampled(takers, safest, tops[safest])
        return Risk(play.turn, seat, card, risk, error, safest, *least, takeable)


def _sampled(takers: Takers, top: int, frozen: int) -> Odds:
    """Return the odds of a take of this top card, from the sampled hands that can take the pile."""
    taken = takers.able(top, frozen)
    return _OPEN if taken < 0 else _estimated(taken)


def _safest(
    takers: Takers, tops: dict[int, int], odds: dict[int, Odds | None], points: vec[i64]
) -> int | None:
    """Return the card with the smallest odds, or the one that the fewest hands could take.

    Returns None if there are no cards to compare. `points` are those of each card.
    """
    counted = {top: each.risk for top, each in odds.items() if each and each.risk is not None}
    if len(counted) < len(tops) and 0 not in counted.values():
        counted = {top: takers.sufficient(top, frozen) / SAMPLES for top, frozen in tops.items()}
    return min(counted, key=lambda top: (counted[top], points[top]), default=None)


class Cards:
    """What the hand of the seat due may hold, by rank: hidden cards, and cards known to be in it.

    `unknown` is how many of the hidden cards it holds.
    """

    def __init__(self, hidden: Hidden, play: Table) -> None:
        self.pool, self.known = Counter[int](), Counter[int]()
        for code in range(CODES):
            if not play.rules.tabled[RANK[code]]:
                self.pool[RANK[code]] += hidden.pool[code]
            self.known[RANK[code]] += hidden.known[play.due * CODES + code]
        self.unknown = play.hand_sizes[play.due] - self.known.total()


def _counted(play: Table, cards: Cards, top: int, frozen: int) -> Odds | None:
    """Return the odds that the next seat can take the pile with this top, if counting decides."""
    rank = RANK[top]
    if barred(play, play.due, rank):
        return _SAFE
    if not counting_decides(play, frozen):
        return None
    joins, pair, with_wild = take_needs(play, top, frozen)
    if joins:
        return Odds(1, 0)
    enough = [(2, 0)] * pair + [(1, 1)] * with_wild
    pool, known, unknown, total = cards.pool, cards.known, cards.unknown, cards.pool.total()
    held = known[rank], known[TWO] + known[JOKER_RANK]
    naturals, wilds = pool[rank], pool[TWO] + pool[JOKER_RANK]
    ways = 0
    for more in range(min(naturals, unknown) + 1):
        for wild in range(min(wilds, unknown - more) + 1):
            if any(held[0] + more >= a and held[1] + wild >= b for a, b in enough):
                rest = comb(total - naturals - wilds, unknown - more - wild)
                ways += comb(naturals, more) * comb(wilds, wild) * rest
    return Odds(ways / comb(total, unknown), 0)


def _estimated(taken: int) -> Odds:
    """Return the odds of a take in `taken` of the samples.

    The error is that of a sample with one more take and one more other hand, so it is never 0.
    """
    about = (taken + 1) / (SAMPLES + 2)
    return Odds(taken / SAMPLES, round(sqrt(about * (1 - about) / SAMPLES), 4))
