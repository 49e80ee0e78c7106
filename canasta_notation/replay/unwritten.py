"""What counting cannot settle: unwritten discards that went into a hand with the pile.

The two hands that such a card passed through can show what it was. So the search tries every card
that it can have been, and the engine counts the rest. If a choice does not fit, the search changes
the latest choice first. It ends when its choices fit the whole play, or after a limited number of
turns in a game; what it has not settled by then stays open.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from canasta_notation.arrays import array
from canasta_notation.cards import CODES, EXACT, RANK, SINGLE_CARDS, UNKNOWN
from canasta_notation.engine.actions import Discard, Lay, Take
from canasta_notation.engine.hands import hand_counts
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.table import Table, copy_table
from canasta_notation.engine.turn import begin_turn, perform
from canasta_notation.engine.turn_end import end_turn
from canasta_notation.notation.document import Deal, PenaltyLine, Turn
from canasta_notation.replay.deal_replay import DealReplay, line_number
from canasta_notation.rules import Profile

#: Instead of an action: the turn is impossible.
_FAULT: Final = -1
_NO_LINE: Final = -1
#: The findings that say that a card cannot be there.
_CARDS: Final = frozenset(("not-in-hand", "deck-count"))
#: More copies of a card than any deal needs.
_ENDLESS: Final = 1 << 20
#: A line of the play, from 0, and an action of its turn.
_Place = tuple[int, int]


class Impossible(NamedTuple):
    """The first line of the play, from 0, that fits no choice of the unwritten discards.

    `code` is `not-in-hand` if no choice would fit even with unlimited copies of each card, else
    `deck-count`; `turns` are the turns of the unwritten discards before the line.
    """

    line: int
    code: str
    turns: tuple[int, ...]


#: What searches found, and the turns that each left in the budget. A command may replay a deal
#: several times.
_found: dict[tuple[Deal, Profile, int, tuple[int, ...], int], tuple[Impossible | None, int]] = {}
_KEPT: Final = 32


def first_impossible(replay: DealReplay) -> Impossible | None:
    """Return the first impossible line, None if there is none or the search did not find it.

    Not checked: that the deal is set up and that none of its turns has been played.
    """
    if not replay.play.knowable or not takes_unwritten(replay.deal.play):
        return None
    budget = replay.context.budget
    totals = tuple(replay.standing.totals)
    key = replay.deal, replay.profile, replay.dealer, totals, budget.turns
    known = _found.get(key)
    if known is None:
        known = _search(replay), budget.turns
        if len(_found) >= _KEPT:
            _found.clear()
        _found[key] = known
    found, budget.turns = known
    return found


def _search(replay: DealReplay) -> Impossible | None:
    """Search for the first impossible line."""
    search = _Search(replay)
    if not search.takers:
        return None
    line = search.first_fault(copy_table(replay.play))
    if line is None:
        return None
    endless = copy_table(replay.play)
    endless.rules = _endless(replay.profile)
    code = "not-in-hand" if search.first_fault(endless) == line else "deck-count"
    turns = tuple(search.turns[at] for at, _ in search.takers if at < line)
    return Impossible(line, code, turns)


def takes_unwritten(play: Iterable[Turn | PenaltyLine]) -> bool:
    """Return whether a turn takes the pile with an unwritten discard in it."""
    piled = False
    for line in play:
        for action in line.actions if isinstance(line, Turn) else ():
            if isinstance(action, Take) and piled:
                return True
            piled = piled or (isinstance(action, Discard) and not EXACT[action.card])
    return False


def _endless(profile: Profile) -> Rules:
    """Return rules under which the deck never lacks a card."""
    rules = Rules(profile)
    rules.copies = rules.rank_copies = rules.exact_copies = array([_ENDLESS] * CODES)
    rules.deck_size = _ENDLESS * CODES
    return rules


class _Search:
    """The unwritten discards of a deal that were taken with the pile, and what they can be."""

    def __init__(self, replay: DealReplay) -> None:
        unread = replay.first_unread
        self.budget = replay.context.budget
        self.seats = replay.rules.seats
        self.tabled = replay.rules.tabled
        #: The lines that are replayed, and the number of turns up to each.
        self.play = [
            line for line in replay.deal.play if unread is None or line_number(line) < unread
        ]
        self.turns: list[int] = []
        #: By the place of each such discard, the seat that took it.
        self.takers: dict[_Place, int] = {}
        #: The lines that take such a discard as the top.
        self.tops: set[int] = set()
        #: By seat and card, the last line at which the card left the hand.
        self.last: dict[tuple[int, int], int] = {}
        self._look_through()

    def _look_through(self) -> None:
        pile: list[_Place] = []
        turns = 0
        top_open = False
        for at, line in enumerate(self.play):
            turns += isinstance(line, Turn)
            self.turns.append(turns)
            if isinstance(line, PenaltyLine):
                continue
            seat = self.seats.find(line.seat)
            for index, action in enumerate(line.actions):
                match action:
                    case Take():
                        self.takers.update((place, seat) for place in pile)
                        pile.clear()
                        if top_open:
                            self.tops.add(at)
                    case Lay():
                        self.last.update(((seat, card), at) for card in action.cards)
                    case Discard():
                        self.last[seat, action.card] = at
                        top_open = not EXACT[action.card]
                        if top_open:
                            pile.append((at, index))

    def first_fault(self, table: Table) -> int | None:
        """Return the first line that fits no choice; None if there is none or it is not known."""
        deepest = _NO_LINE
        forks: list[tuple[Table, _Place, list[int]]] = []
        stop = self._play_on(table, (0, 0))
        while stop is not None:
            line, action = stop
            if action == _FAULT:
                deepest = max(deepest, line)
            else:
                forks.append((table, stop, self._choices(table, stop)))
            while forks and not forks[-1][2]:
                forks.pop()
            if not forks:
                return deepest
            before, place, choices = forks[-1]
            table = copy_table(before)
            stop = self._play_on(table, place, choices.pop())
        return None

    def _choices(self, table: Table, place: _Place) -> list[int]:
        """Return the cards that an unwritten discard can be, the likeliest last.

        A card is likely if its hand has it and does not need it later, and if its taker needs it.
        """
        line, index = place
        turn = self.play[line]
        assert isinstance(turn, Turn)
        discard = turn.actions[index]
        assert isinstance(discard, Discard)
        seat, taker = table.seat, self.takers[place]
        cards = [
            card
            for card in SINGLE_CARDS
            if not self.tabled[RANK[card]]
            and (discard.card == UNKNOWN or RANK[card] == RANK[discard.card])
        ]
        held = hand_counts(table, seat)

        def likely(card: int) -> tuple[bool, bool, bool]:
            needed = self.last.get((seat, card), _NO_LINE) > line
            return not needed, self.last.get((taker, card), _NO_LINE) > line, held[card] > 0

        return sorted(cards, key=likely)

    def _play_on(self, table: Table, place: _Place, card: int | None = None) -> _Place | None:
        """Play on from a place, discarding `card` there; return where the play stops.

        Returns the place of the next choice, or a line and _FAULT; None if everything was played,
        the rest is not checked, or the search has used up its turns.
        """
        line, first = place
        for at in range(line, len(self.play)):
            turn = self.play[at]
            if isinstance(turn, PenaltyLine):
                continue
            if self.budget.turns == 0 or turn.seat not in self.seats:
                return None
            self.budget.turns -= 1
            if card is None and not begin_turn(table, self.seats.index(turn.seat)):
                return None
            for index in range(first, len(turn.actions)):
                if card is not None:
                    perform(table, Discard(card), at=index)
                    card = None
                elif (at, index) in self.takers:
                    return (at, _FAULT) if self._is_fault(table, at) else (at, index)
                else:
                    perform(table, turn.actions[index], at=index)
                if not table.knowable:
                    break
            if table.knowable:
                end_turn(table, turn.out)
            if self._is_fault(table, at):
                return at, _FAULT
            if not table.knowable:
                return None
            first = 0
        return None

    def _is_fault(self, table: Table, line: int) -> bool:
        """Return whether the last turn is impossible; forget its other violations."""
        codes = {violation.code for violation in table.violations}
        table.violations.clear()
        table.doubts.clear()
        return not codes.isdisjoint(_CARDS) or (line in self.tops and "pile-top" in codes)
