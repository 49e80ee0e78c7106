"""Whether the next seat can take the pile, by the cards of its hand that matter.

If its side has opened and its hand keeps enough cards to continue, a take depends only on the
naturals of the top's rank and the wild cards in the hand. Otherwise hands are dealt at random:
counting rules out most of them, then a player that takes every pile tries, and the search decides
the rest.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.arrays import zeros
from canasta_notation.cards import (
    CANASTA_SIZE,
    CODES,
    KIND,
    MELD_SIZE,
    RANK,
    RANKS,
    SEQUENCE,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.side import (
    extends_sequence,
    free_place,
    has_opened,
    meld_size,
    naturals_of,
    wilds_of,
)
from canasta_notation.engine.table import MAYBE, NO, YES, Table, copy_table
from canasta_notation.engine.take import frozen_for
from canasta_notation.players.figures import Figures
from canasta_notation.players.hidden import Hidden, Numbers, deal_hands
from canasta_notation.players.seat_turn import take_pile
from canasta_notation.search.able import able_to_take, barred, may_take
from canasta_notation.search.trial import meld_holds

#: The fewest cards of the next hand with which a take never depends on how its turn can end.
_FEWEST: Final[i64] = 5


# --- by counting ----------------------------------------------------------------------------------


def counting_decides(table: Table, frozen: i64) -> bool:
    """Return whether a take by the seat that is due depends only on what `take_needs` says."""
    if frozen == MAYBE or table.hand_sizes[table.due] < _FEWEST:
        return False
    rules = table.rules
    return has_opened(table, rules.side_of[table.due]) and (
        rules.counted_takes or _plain_places(rules)
    )


def _plain_places(rules: Rules) -> bool:
    """Return whether any pair can take, as in classic, under rules with several melds of a rank."""
    return (
        rules.places > RANKS
        and rules.min_naturals == 2
        and rules.onto_meld
        and not rules.packets
        and not rules.three_kept
        and not rules.bans
        and not rules.special
        and not rules.finished
        and not rules.rule_of_five
        and not rules.wild_meld_first
        and not any(rules.no_wilds)
    )


def take_needs(table: Table, top: i64, frozen: i64) -> tuple[bool, bool, bool]:
    """Return which cards are enough for a take: none, a pair, or a natural with a wild card.

    Not checked: that counting decides, and that the top is not barred.
    """
    rules, rank = table.rules, RANK[top]
    side = rules.side_of[table.due]
    held, table.frozen_by_card = table.frozen_by_card, frozen
    open_pile = frozen_for(table, side) == NO
    table.frozen_by_card = held
    joins = open_pile and _joins(table, side, top)
    if rules.places > RANKS:
        place = free_place(table, side, rank)
        pair = place >= 0 or _room(table, side, rank) >= MELD_SIZE
        return joins, pair, pair and open_pile and rules.with_wild
    stood = int(naturals_of(table, side, rank)), int(wilds_of(table, side, rank))
    pair = sum(stood) + MELD_SIZE <= rules.max_cards
    wild = open_pile and rules.with_wild and meld_holds(rules, int(rank), stood, (2, 1), True)
    return joins, pair, wild


def _joins(table: Table, side: i64, top: i64) -> bool:
    """Return whether a top can join a meld of the side."""
    rules, rank = table.rules, RANK[top]
    most = rules.caps[rank] if rules.onto_canasta else min(CANASTA_SIZE, rules.caps[rank])
    for place in range(table.places):
        size = meld_size(table, side, place)
        if not size:
            continue
        if KIND[place] == rank and size < most and rules.onto_meld:
            return True
        sequence = KIND[place] >= SEQUENCE and rules.onto_sequence
        if sequence and extends_sequence(table, side, place, top):
            return True
    return False


def _room(table: Table, side: i64, rank: i64) -> i64:
    """Return how many more cards the melds of a rank may get at most."""
    room: i64 = 0
    for place in range(table.places):
        if KIND[place] == rank and meld_size(table, side, place):
            room = max(room, table.rules.caps[rank] - meld_size(table, side, place))
    return room


# --- by hands dealt at random ---------------------------------------------------------------------


class Takers:
    """Hands of the seat that is due, dealt at random; the same ones for each top of the pile."""

    def __init__(
        self, table: Table, hidden: Hidden, greedy: Figures, stream: i64, samples: i64
    ) -> None:
        """Begin with a table on which the turn can be tried; `greedy` takes every pile it can.

        The hands are dealt when the first question is asked.
        """
        self._table = table
        self._hidden = hidden
        self._greedy = greedy
        self._stream = stream
        self._samples = samples
        #: How many naturals of the top's rank a take needs at least, and whether there can be none.
        self._least: i64 = 0
        self._barred = False
        #: By sample, the hand by code and by rank.
        self._codes: list[vec[i64]] = []
        self._ranks: list[vec[i64]] = []

    def _deal(self) -> None:
        play = copy_table(self._table)
        base = play.due * CODES
        self._hidden.hands = 1 << play.due
        for sample in range(self._samples):
            deal_hands(play, self._hidden, Numbers(self._stream, sample))
            codes = play.counts[base : base + CODES]
            ranks = zeros(RANKS)
            for code in range(CODES):
                if codes[code]:
                    ranks[RANK[code]] += codes[code]
            self._codes.append(codes)
            self._ranks.append(ranks)

    def sufficient(self, top: i64, frozen: i64) -> int:
        """Return how many hands have the cards for a take, by counting."""
        self._suppose(top, frozen)
        count = 0
        for sample in range(self._samples):
            count += self._suffices(sample, top)
        return count

    def able(self, top: i64, frozen: i64) -> int:
        """Return how many hands can take the pile, -1 if the search reached its limit."""
        self._suppose(top, frozen)
        count = 0
        for sample in range(self._samples):
            if not self._suffices(sample, top):
                continue
            if take_pile(copy_table(self._table), self._greedy) is not None:
                count += 1
                continue
            found = able_to_take(self._table, self._table.due)
            if found == MAYBE:
                return -1
            count += found == YES
        return count

    def _suppose(self, top: i64, frozen: i64) -> None:
        """Put a top on the pile."""
        if not self._codes:
            self._deal()
        table = self._table
        table.piled[table.pile_size - 1] = top
        table.frozen_by_card = frozen
        side = table.rules.side_of[table.due]
        self._least = 2
        if frozen_for(table, side) != YES:
            self._least = 0 if _joins(table, side, top) else 1
        self._barred = barred(table, table.due, RANK[top])

    def _suffices(self, sample: i64, top: i64) -> bool:
        """Put a hand on the table, and return whether its cards may suffice for a take."""
        if self._barred or self._ranks[sample][RANK[top]] < self._least:
            return False
        table, codes = self._table, self._codes[sample]
        base = table.due * CODES
        for code in range(CODES):
            table.counts[base + code] = codes[code]
        return may_take(table, table.due)
