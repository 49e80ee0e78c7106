"""The risk of a discard: the chance that the next seat can take the pile.

It is the chance as the seat that discards could know it: the cards that it cannot see lie at random
in the stock and in the other hands, and cards that a seat took openly with a pile are known. Only
what counting decides is given: the next side has opened, its hand keeps enough cards to go on, and
every card of the record is written. Then a take depends on how many naturals of the top's rank and
whether a wild card are in the hand; the search says which of these suffice.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import comb

from canasta_notation.cards import (
    BLACK_THREE,
    FOUR,
    JOKER_RANK,
    POINTS,
    RANK,
    RANKS,
    TWO,
    UNKNOWN_RANK,
)
from canasta_notation.engine.actions import Discard, Lay
from canasta_notation.engine.state import hand_states
from canasta_notation.engine.table import AS_BOOL, NO, YES, Table, pile_of
from canasta_notation.notation.document import Game, Turn
from canasta_notation.search.able import able_to_take, takes_with

#: The fewest cards of the next hand with which a take never depends on how its turn can end.
_FEWEST = 5


@dataclass(frozen=True, slots=True)
class Risk:
    """A discard and its risk, from 0 to 1; None if counting does not decide it.

    `safest` is another card of the hand with the smallest risk, and `safest_risk` its risk; None if
    there is none, or if not all are decided. `takeable` says whether the next seat could take the
    pile in fact, None if that is not known.
    """

    turn: int
    seat: str
    card: int
    risk: float | None
    safest: int | None
    safest_risk: float | None
    takeable: bool | None


class OpenCards:
    """The cards that everyone knows to be in a hand: by seat, those that it took with a pile and
    has not played. A card that may be one of them counts as played from them.
    """

    def __init__(self, play: Table) -> None:
        """Begin with the table as dealt."""
        self.of: list[Counter[int]] = [Counter() for _ in range(play.rules.players)]
        self._pile = pile_of(play)

    def note(self, play: Table, turn: Turn) -> None:
        """Note a turn that has ended."""
        known = self.of[play.seat]
        if play.took:
            known.update(card for card in self._pile[:-1] if not play.rules.tabled[RANK[card]])
        for action in turn.actions:
            if isinstance(action, Lay):
                known.subtract(action.cards)
            elif isinstance(action, Discard):
                known.subtract((action.card,))
        self.of[play.seat] = +known
        self._pile = pile_of(play)


class Risks:
    """The observer of a replay that finds the risk of each discard."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._found: dict[int, list[Risk]] = {}
        self._open: OpenCards
        #: Whether the pile was frozen before the turn.
        self._frozen = NO

    def of(self, deal: int) -> tuple[Risk, ...]:
        """Return the discards of a deal, from 1."""
        return tuple(self._found.get(deal, ()))

    def observe(self, at: int, play: Table, line: int, action: int) -> None:
        """Note a discard; see `replay.deal_state.Observer`."""
        row = self._game.deals[at].play[line] if line >= 0 else None
        if line < 0:
            self._open = OpenCards(play)
            self._found[at + 1] = []
        elif isinstance(row, Turn) and action == len(row.actions) - 1:
            self._open.note(play, row)
            if play.discarded >= 0 and not play.ended:
                self._found[at + 1].append(self._risk(play))
        elif isinstance(row, Turn):
            return
        self._frozen = play.frozen_by_card

    def _risk(self, play: Table) -> Risk:
        rules, seat, card = play.rules, play.rules.seats[play.seat], play.discarded
        takeable = AS_BOOL[able_to_take(play, play.due)] if play.due >= 0 else None
        if play.knowledge is not None or play.due < 0:
            return Risk(play.turn, seat, card, None, None, None, takeable)
        hidden = self._hidden(play)
        risk = self._chance(play, hidden, card, play.frozen_by_card)
        before = NO if play.took else self._frozen
        others: dict[int, float | None] = {}
        by_rank = {RANK[other]: other for other in hand_states(play)[play.seat].cards}
        by_rank.pop(RANK[card], None)
        for other in by_rank.values():
            if rules.plain_discard[other]:
                others[other] = self._chance(play, hidden, other, before)
            elif RANK[other] in (BLACK_THREE, TWO, JOKER_RANK) and not rules.bans:
                others[other] = self._chance(play, hidden, other, YES)
        known = {other: chance for other, chance in others.items() if chance is not None}
        if not known or len(known) < len(others):
            return Risk(play.turn, seat, card, risk, None, None, takeable)
        safest = min(known, key=lambda other: (known[other], POINTS[other]))
        return Risk(play.turn, seat, card, risk, safest, known[safest], takeable)

    def _hidden(self, play: Table) -> Counter[int]:
        """Return how many cards of each rank lie where the seat cannot see them.

        Threes that are tabled do not stay in hands, so they are left out.
        """
        rules = play.rules
        hidden = Counter({rank: rules.rank_copies[rank] for rank in range(UNKNOWN_RANK)})
        seen = [*hand_states(play)[play.seat].cards, *pile_of(play)]
        for seat, cards in enumerate(self._open.of):
            seen += cards.elements() if seat != play.seat else ()
        hidden.subtract(RANK[card] for card in seen)
        for at in range(len(play.naturals)):
            hidden[at % RANKS] -= play.naturals[at]
            hidden[TWO] -= play.twos[at]
            hidden[JOKER_RANK] -= play.jokers[at]
        return Counter({rank: hidden[rank] for rank in hidden if not rules.tabled[rank]})

    def _chance(self, play: Table, hidden: Counter[int], top: int, frozen: int) -> float | None:
        """Return the chance that the next seat can take the pile with this top."""
        rank, rules = RANK[top], play.rules
        if not FOUR <= rank < TWO:
            return 0.0
        opened = play.opened >> rules.side_of[play.due] & 1
        if not (opened and rules.counted_takes) or play.hand_sizes[play.due] < _FEWEST:
            return None
        known = Counter(RANK[card] for card in self._open.of[play.due].elements())
        unknown = play.hand_sizes[play.due] - known.total()
        if unknown < 0 or hidden.total() < unknown:
            return None
        held = known[rank], known[TWO] + known[JOKER_RANK]
        if takes_with(play, 0, 0, top, frozen):
            return 1.0
        enough = [each for each in ((2, 0), (1, 1)) if takes_with(play, *each, top, frozen)]
        naturals, wilds = hidden[rank], hidden[TWO] + hidden[JOKER_RANK]
        ways = 0
        for more in range(min(naturals, unknown) + 1):
            for wild in range(min(wilds, unknown - more) + 1):
                if any(held[0] + more >= a and held[1] + wild >= b for a, b in enough):
                    rest = comb(hidden.total() - naturals - wilds, unknown - more - wild)
                    ways += comb(naturals, more) * comb(wilds, wild) * rest
        return ways / comb(hidden.total(), unknown)
