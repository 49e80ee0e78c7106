"""Unwritten cards of the pile that went into a hand with it: counting alone cannot decide them.

The two hands that such a discard passed through can show what it was, and the hand that took an up
card without its suit can show its suit. So the search tries every card that it can have been, and
the engine counts the rest. If a choice does not fit, the search changes the latest choice first. It
ends when its choices fit the whole play, or after a limited number of turns in a game. Whatever it
has not decided by then stays open.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Final, NamedTuple

from canasta_notation.arrays import array
from canasta_notation.cards import CODES, EXACT, OF_RANK, RANK, SINGLE_CARDS, UNKNOWN
from canasta_notation.engine.actions import Discard, Lay, Take
from canasta_notation.engine.hands import hand_counts
from canasta_notation.engine.knowledge import unaccount
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.stock import account
from canasta_notation.engine.table import Table, copy_table
from canasta_notation.engine.take import staying, takes_alone
from canasta_notation.engine.turn import begin_turn, end_turn, perform
from canasta_notation.notation.document import Deal, Ruling, Turn
from canasta_notation.replay.deal_state import DealReplay, line_number
from canasta_notation.rules import Profile

#: Instead of an action: the turn is impossible.
_FAULT: Final = -1
_NO_LINE: Final = -1
#: Instead of a line of the play: the up line.
_UP: Final = -1
#: The findings that say that a card cannot be there.
_CARDS: Final = frozenset(("not-in-hand", "deck-count"))
#: More copies of a card than any deal needs.
_ENDLESS: Final = 1 << 20
#: A line of the play, from 0, and an action of its turn; or -1 and an up card, from 0.
_Place = tuple[int, int]


class ImpossibleLine(NamedTuple):
    """The first line of the play, from 0, that fits no choice of the unwritten cards.

    `code` is `not-in-hand` if no choice would fit even with unlimited copies of each card, else
    `deck-count`; `turns` are the turns of the unwritten discards before the line; `up` says
    that an up card without its suit was taken before it.
    """

    line: int
    code: str
    turns: tuple[int, ...]
    up: bool


#: What searches found, and the turns that each left in the budget. A command may replay a deal
#: several times.
_found: dict[
    tuple[Deal, int, Profile, int, tuple[int, ...], int], tuple[ImpossibleLine | None, int]
] = {}
_KEPT: Final = 32


def first_impossible(replay: DealReplay) -> ImpossibleLine | None:
    """Return the first impossible line, None if there is none or the search did not find it.

    Not checked: that the deal is set up and that none of its turns has been played.
    """
    if not replay.table.knowable or not takes_unwritten(replay.deal):
        return None
    budget = replay.context.budget
    totals = tuple(replay.so_far.totals)
    replayed = len(_lines_replayed(replay))
    key = replay.deal, replayed, replay.rules.profile, replay.dealer, totals, budget.turns
    known = _found.get(key)
    if known is None:
        known = _search(replay), budget.turns
        if len(_found) >= _KEPT:
            _found.clear()
        _found[key] = known
    found, budget.turns = known
    return found


def _search(replay: DealReplay) -> ImpossibleLine | None:
    """Search for the first impossible line."""
    search = _Search(replay)
    if not search.takers:
        return None
    line = search.first_fault(copy_table(replay.table))
    if line is None or line == _UP:
        return None
    endless = copy_table(replay.table)
    endless.rules = _endless(replay.rules.profile)
    code = "not-in-hand" if search.first_fault(endless) == line else "deck-count"
    before = [at for at, _ in search.takers if at < line]
    counts = [*accumulate(int(isinstance(each, Turn)) for each in search.play)]
    turns = tuple(counts[at] for at in before if at != _UP)
    return ImpossibleLine(line, code, turns, _UP in before)


def _lines_replayed(replay: DealReplay) -> list[Turn | Ruling]:
    """Return the turns, penalties and bonuses before the first line that could not be read."""
    unread = replay.first_unread
    return [line for line in replay.deal.play if unread is None or line_number(line) < unread]


def takes_unwritten(deal: Deal) -> bool:
    """Return whether a turn takes the pile with a card in it whose choice matters here."""
    piled = bool(_open_up_cards(deal))
    for line in deal.play:
        for action in line.actions if isinstance(line, Turn) else ():
            if isinstance(action, Take) and piled:
                return True
            piled = piled or (isinstance(action, Discard) and not EXACT[action.card])
    return False


def _open_up_cards(deal: Deal) -> list[int]:
    """Return the places of the up cards, from 0, that are written without their suits."""
    cards = deal.up.cards if deal.up else ()
    return [at for at, card in enumerate(cards) if not EXACT[card] and card != UNKNOWN]


def _endless(profile: Profile) -> Rules:
    """Return rules under which the deck never lacks a card."""
    rules = Rules(profile)
    rules.copies = rules.rank_copies = rules.exact_copies = array([_ENDLESS] * CODES)
    rules.deck_size = _ENDLESS * CODES
    return rules


def _discardable(rules: Rules, written: int) -> list[int]:
    """Return the cards that a discard written as `written` can be."""
    return [
        card
        for card in SINGLE_CARDS
        if not rules.tabled[RANK[card]] and (written == UNKNOWN or RANK[card] == RANK[written])
    ]


class _Search:
    """The unwritten cards of a deal that were taken with the pile, and what they can be."""

    def __init__(self, replay: DealReplay) -> None:
        self.budget = replay.context.budget
        #: The lines that are replayed.
        self.play = _lines_replayed(replay)
        #: By the place of each such card, the seat that took it.
        self.takers: dict[_Place, int] = {}
        #: The lines that take such a card as the top.
        self.tops: set[int] = set()
        #: By the place of such a card that is taken as the top, the card that the take names, and
        #: the line of the take, at which every other card is impossible.
        self.restated: dict[_Place, tuple[int, int]] = {}
        #: By seat and card, the last line at which the card left the hand.
        self.last: dict[tuple[int, int], int] = {}
        # A stock line names the up cards too.
        self._follow(replay, [] if replay.stocked else _open_up_cards(replay.deal))

    def _follow(self, replay: DealReplay, up: list[int]) -> None:
        """Follow the pile through the play: which seat takes each card that is not written."""
        #: The place of each card of the pile, None for one that is written.
        size = replay.table.pile_size
        pile: list[_Place | None] = [(_UP, at) if at in up else None for at in range(size)]
        for at, line in enumerate(self.play):
            if isinstance(line, Ruling):
                continue
            seat = replay.rules.seats.find(line.seat)
            for index, action in enumerate(line.actions):
                match action:
                    case Take():
                        top = pile[-1] if pile else None
                        if top is not None:
                            self.tops.add(at)
                            if EXACT[action.card]:
                                self.restated[top] = action.card, at
                        alone = takes_alone(replay.rules, action.onto)
                        left = len(pile) - 1 if alone else staying(replay.rules, len(pile) - 1)
                        taken, pile = pile[left:], pile[:left]
                        self.takers.update((place, seat) for place in taken if place is not None)
                    case Lay():
                        self.last.update(((seat, card), at) for card in action.cards)
                    case Discard():
                        self.last[seat, action.card] = at
                        pile.append(None if EXACT[action.card] else (at, index))

    def first_fault(self, table: Table) -> int | None:
        """Return the first line that fits no choice; None if there is none or it is not known."""
        deepest = _NO_LINE
        forks: list[tuple[Table, _Place, list[int]]] = []
        stop = self._begin(table, 0)
        while stop is not None:
            line, action = stop
            if action == _FAULT:
                deepest = max(deepest, line)
            else:
                forks.append((table, stop, self._choices(table, stop)))
            while forks and not self._is_open(*forks[-1][1:], deepest):
                forks.pop()
            if not forks:
                return deepest
            before, place, choices = forks[-1]
            table = copy_table(before)
            if place[0] == _UP:
                stop = self._turn_up(table, place[1], choices.pop())
            else:
                stop = self._play_on(table, place, choices.pop())
        return None

    def _is_open(self, place: _Place, choices: list[int], deepest: int) -> bool:
        """Return whether one of the choices that are left can get further than line `deepest`."""
        card, line = self.restated.get(place, (UNKNOWN, _NO_LINE))
        return bool(choices) and (line == _NO_LINE or deepest < line or card in choices)

    def _begin(self, table: Table, up: int) -> _Place | None:
        """Return the place of the next choice, first among the up cards from `up` on."""
        later = (place for place in self.takers if place[0] == _UP and place[1] >= up)
        return min(later, default=None) or self._play_on(table, (0, 0))

    def _turn_up(self, table: Table, up: int, card: int) -> _Place | None:
        """Put a card in the place of an up card without its suit; return where the play stops."""
        unaccount(table, table.piled[up])
        table.piled[up] = card
        account(table, card)
        return (_UP, _FAULT) if self._is_fault(table, _UP) else self._begin(table, up + 1)

    def _choices(self, table: Table, place: _Place) -> list[int]:
        """Return the cards that an unwritten card can be, the most likely last.

        The most likely is the one that the take names. A card is likely if its taker needs it. A
        discard is also likely if its hand has it and does not need it later.
        """
        line, index = place
        taker = self.takers[place]
        if line == _UP:
            cards = [card for card in OF_RANK[RANK[table.piled[index]]] if EXACT[card]]
            return sorted(cards, key=lambda card: (taker, card) in self.last)
        turn = self.play[line]
        assert isinstance(turn, Turn)
        discard = turn.actions[index]
        assert isinstance(discard, Discard)
        seat = table.seat
        cards = _discardable(table.rules, discard.card)
        held = hand_counts(table, seat)

        restated, _ = self.restated.get(place, (UNKNOWN, _NO_LINE))

        def likely(card: int) -> tuple[bool, bool, bool, bool]:
            needed = self.last.get((seat, card), _NO_LINE) > line
            taken = self.last.get((taker, card), _NO_LINE) > line
            return card == restated, not needed, taken, held[card] > 0

        return sorted(cards, key=likely)

    def _play_on(self, table: Table, place: _Place, card: int | None = None) -> _Place | None:
        """Play on from a place, discarding `card` there; return where the play stops.

        Returns the place of the next choice, or a line and _FAULT; None if everything was played,
        the rest is not checked, or the search has used up its turns.
        """
        line, first = place
        for at in range(line, len(self.play)):
            turn = self.play[at]
            if isinstance(turn, Ruling):
                continue
            seat = table.rules.seats.find(turn.seat)
            if self.budget.turns == 0 or seat < 0:
                return None
            self.budget.turns -= 1
            if card is None and not begin_turn(table, seat):
                return None
            choice = self._play_actions(table, turn, (at, first), card)
            if choice is not None:
                return (at, _FAULT) if self._is_fault(table, at) else choice
            if table.knowable:
                end_turn(table, turn.out)
            if self._is_fault(table, at):
                return at, _FAULT
            if not table.knowable:
                return None
            first, card = 0, None
        return None

    def _play_actions(
        self, table: Table, turn: Turn, place: _Place, card: int | None
    ) -> _Place | None:
        """Play the actions of a turn from a place on, discarding `card` there.

        Returns the place of the next choice, None if there is none before the rest is not checked.
        """
        line, first = place
        for index in range(first, len(turn.actions)):
            if index == first and card is not None:
                perform(table, Discard(card), at=index)
            elif (line, index) in self.takers:
                return line, index
            else:
                perform(table, turn.actions[index], at=index)
            if not table.knowable:
                break
        return None

    def _is_fault(self, table: Table, line: int) -> bool:
        """Return whether the last turn is impossible; forget its other violations."""
        codes = {violation.code for violation in table.violations}
        table.violations.clear()
        table.doubts.clear()
        return not codes.isdisjoint(_CARDS) or (line in self.tops and "pile-top" in codes)
