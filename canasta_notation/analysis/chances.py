"""What each turn could have done by the rules and did not, found by the search of `legal`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from canasta_notation.cards import (
    CANASTA_SIZE,
    JOKER_RANK,
    KIND,
    RANK,
    TWO,
    UNKNOWN_RANK,
)
from canasta_notation.engine.actions import Take
from canasta_notation.engine.hands import free_cards
from canasta_notation.engine.state import hand_states
from canasta_notation.engine.table import NO, OUT, SPECIAL, Table
from canasta_notation.engine.take import takes_alone
from canasta_notation.notation.document import Game, Turn
from canasta_notation.replay.moment import Moment
from canasta_notation.search.able import able_to_take, find_way
from canasta_notation.search.ending import find_leavings, find_opening
from canasta_notation.search.found import Ending, GroupChoice, TakeWay
from canasta_notation.search.legal import canasta_groups

#: The kinds of chances, in the order in which they are shown.
CHANCES = ("out", "canasta", "open", "take")


@dataclass(slots=True)
class Missed:
    """What a turn could have done and did not: a way to take the pile, to open and to go out, and
    the canastas that one group each would have made, a natural one first.

    `pile` is how many cards of the pile would have come, None if that is not known. `known` says
    that the hand of the seat was known, so that nothing is missing here.
    """

    take: TakeWay | None = None
    pile: int | None = None
    opening: Ending | None = None
    out: Ending | None = None
    canastas: tuple[GroupChoice, ...] = ()
    known: bool = True

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of chances, as `CHANCES` names them."""
        found = {
            "out": self.out,
            "canasta": self.canastas,
            "open": self.opening,
            "take": self.take,
        }
        return tuple(kind for kind in CHANCES if found[kind])


class Chances:
    """The observer of a replay that finds the missed chances of each turn.

    Chances that depend on unwritten cards are left out.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._found: dict[tuple[int, int], Missed] = defaultdict(Missed)

    def of(self, deal: int, turn: int) -> Missed:
        """Return the missed chances of a turn; both count from 1."""
        return self._found.get((deal, turn), Missed(known=False))

    def observe(self, moment: Moment) -> None:
        """Look for chances."""
        deal, play = moment.deal, moment.table
        if moment.is_within_turn:
            if moment.action == 0:
                _after_draw(self._found[deal, play.turn], play)
            return
        if moment.action is not None:
            _leave_out_done(self._found[deal, play.turn], play)
        following = self._following(moment)
        if following is not None and not play.ended:
            self._found[deal, play.turn + 1] = _before(play, following)

    def _following(self, moment: Moment) -> Turn | None:
        """Return the turn that follows a moment between two turns."""
        begin = 0 if moment.place is None else moment.place + 1
        lines = self._game.deals[moment.deal - 1].play[begin:]
        return next((each for each in lines if isinstance(each, Turn)), None)


def _before(play: Table, turn: Turn) -> Missed:
    """Return what is found before a turn: a way to take the pile, if it is not taken."""
    missed = Missed()
    if play.due < 0:
        missed.known = False
        return missed
    missed.known = free_cards(play, play.due) == 0
    taken = any(isinstance(action, Take) for action in turn.actions)
    if not taken and able_to_take(play, play.due) != NO:
        missed.take = find_way(play)
        alone = missed.take is not None and takes_alone(play.rules, missed.take.onto)
        most = min(play.pile_size, play.rules.most_taken)
        missed.pile = 1 if alone else None if play.pile_loose else most
    return missed


def _after_draw(missed: Missed, play: Table) -> None:
    """Note what could be done once the seat has drawn a card or taken the pile."""
    missed.known = missed.known and free_cards(play, play.seat) == 0
    way = next(find_leavings(play), None)
    missed.out = way if way is not None and way.certain else None
    if not (play.opened_before or play.took):
        missed.opening = find_opening(play)
    missed.canastas = tuple(_canastas(play))


def _canastas(play: Table) -> Iterator[GroupChoice]:
    """Yield a group for each canasta within reach; search only if the cards suffice for one."""
    if not _may_make_canasta(play):
        return
    best: dict[int, GroupChoice] = {}
    groups = [each for each in canasta_groups(play) if each.canasta and each.certain]
    for group in sorted(groups, key=lambda each: (each.canasta != "natural", len(each.cards))):
        best.setdefault(group.rank, group)
    yield from (best[place] for place in sorted(best))


def _may_make_canasta(play: Table) -> bool:
    """Return whether, with all cards of its kind and all wild cards, a meld would be a canasta."""
    hand = hand_states(play)[play.seat].cards
    kinds = Counter(play.rules.set_of[RANK[card]] for card in hand)
    wild = kinds[TWO] + kinds[JOKER_RANK]
    if play.rules.sequences:
        of_suit = play.rules.sequence_of
        kinds.update(of_suit[card] for card in hand if of_suit[card] != UNKNOWN_RANK)
    sizes = play.meld_sizes[play.side * play.places : (play.side + 1) * play.places]
    return any(
        size < CANASTA_SIZE <= size + kinds[KIND[place]] + wild for place, size in enumerate(sizes)
    )


def _leave_out_done(missed: Missed, play: Table) -> None:
    """Leave out what the turn that has just ended did."""
    base, sizes = play.side * play.places, play.meld_sizes
    if play.took:
        missed.take = None
    if play.touches:
        missed.opening = None
    if play.ended in (OUT, SPECIAL):
        missed.opening = missed.out = None
        missed.canastas = ()
    missed.canastas = tuple(
        group for group in missed.canastas if sizes[base + group.rank] < CANASTA_SIZE
    )
