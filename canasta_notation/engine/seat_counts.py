"""What happens in a deal, counted turn by turn: what each seat did, and how its melds grew."""

from __future__ import annotations

from typing import Final

from canasta_notation.arrays import zeros
from canasta_notation.cards import (
    CANASTA_SIZE,
    CODES,
    EXACT,
    KIND,
    LABELS,
    RANK,
    SEQUENCE,
    TEXT,
    UNKNOWN,
    is_wild,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.knowledge import threes_less, threes_more, unknown_melded
from canasta_notation.engine.sequence import has_natural_two
from canasta_notation.engine.table import MAYBE, NO, YES, Table
from canasta_notation.engine.take import cards_taken, frozen_by_lowest

#: A count that the record does not show.
UNCOUNTED: Final[i64] = -1


class SeatCounts:
    """Counts by seat. Each is UNCOUNTED once unwritten cards decide how it changes in a turn.

    `drawn` are cards from the stock, replacements too. `taken` are cards of the piles taken, and
    `given` those of the piles that the next seat took after a discard, one of the `gifts`. `froze`
    are discards that froze the pile. `laid` are cards laid in melds or as a special hand, the top
    of a taken pile included. `wilds` are jokers and twos that left the hand. `opened_at` is the
    turn in which the seat opened for its side, or 0.

    `piles` has a row for each take: turn, seat, cards or UNCOUNTED, and whether the pile was frozen
    (YES, NO or MAYBE). `turns_seen` is how many turns have been noted. `threes_of` says which
    threes a seat has tabled.
    """

    __slots__ = (
        "drawn", "fewest", "froze", "frozen", "gifts", "given", "laid", "last", "most",
        "opened_at", "pile", "piles", "sizes", "stocked", "tabled", "taken", "takes", "threes",
        "turns", "turns_seen", "unclear", "unknown", "wilds", "wilds_laid",
    )  # fmt: skip

    def __init__(self, table: Table, dealt: list[str]) -> None:
        """Begin with the table as dealt; `dealt` has each seat's cards, replacements included."""
        players: i64 = table.rules.players
        sides: i64 = len(table.rules.sides)
        self.turns_seen: i64 = 0
        self.turns: vec[i64] = zeros(players)
        self.drawn: vec[i64] = zeros(players)
        self.takes: vec[i64] = zeros(players)
        self.taken: vec[i64] = zeros(players)
        self.gifts: vec[i64] = zeros(players)
        self.given: vec[i64] = zeros(players)
        self.froze: vec[i64] = zeros(players)
        self.laid: vec[i64] = zeros(players)
        self.wilds: vec[i64] = zeros(players)
        self.opened_at: vec[i64] = zeros(players)
        self.piles: list[tuple[int, int, int, int]] = []
        #: The seat whose discard lies on the pile, or -1.
        self.last: i64 = -1
        #: By side, how many cards, wild cards and unknown cards its melds had.
        self.sizes: vec[i64] = zeros(sides)
        self.wilds_laid: vec[i64] = zeros(sides)
        self.unknown: vec[i64] = zeros(sides)
        #: The pile and the stock before the next turn.
        self.pile: i64 = 0
        self.frozen: i64 = NO
        self.fewest: i64 = 0
        #: The packets that had become the stock, a bit for each.
        self.stocked: i64 = 0
        self.most: i64 = 0
        self._note_pile(table)
        #: By seat, the threes it has tabled; by side and code, those of the side.
        self.tabled: list[str] = [""] * players
        self.threes: vec[i64] = table.threes[:]
        #: The sides for whose threes it is not clear which they are or who tabled them.
        self.unclear: i64 = 0
        self._note_dealt(table, dealt)

    def threes_of(self, table: Table, seat: i64) -> str | None:
        """Return the threes that a seat has tabled, None if that is not known."""
        if self.unclear >> table.rules.side_of[seat] & 1:
            return None
        return self.tabled[seat]

    def note_plain(self, table: Table, seat: i64) -> None:
        """Note a turn of one card drawn and a discard that froze nothing."""
        self.turns_seen += 1
        self.turns[seat] += 1
        _add(self.drawn, seat, 1)
        self.last = seat
        self._note_pile(table)

    def note_turn(self, table: Table, drawn: i64) -> None:
        """Note the turn that has just ended, with this many cards drawn.

        If `drawn` is UNCOUNTED, the stock decides how many they were.
        """
        seat = table.seat
        self.turns_seen += 1
        self.turns[seat] += 1
        filled = self._filled(table)
        if drawn == UNCOUNTED:
            drawn = self.most + filled - table.stock_most
            if drawn != self.fewest + filled - table.stock_fewest:
                drawn = UNCOUNTED
        _add(self.drawn, seat, drawn)
        self._note_threes(table, seat)
        if table.took:
            self._note_take(table, seat)
        if table.laid or table.took or table.special_cards:
            self._note_melds(table, seat)
        if table.touches and not table.opened_before:
            self.opened_at[seat] = table.turn
        if table.discarded >= 0:
            self._note_discard(table, seat)
            self.last = seat
        else:
            self.last = -1
        self._note_pile(table)

    def _filled(self, table: Table) -> i64:
        """Return how many cards of packets came into the stock since the last turn."""
        fresh = table.packets_stocked ^ self.stocked
        self.stocked = table.packets_stocked
        cards: i64 = 0
        for at in range(len(table.rules.packets)):
            if fresh >> at & 1:
                cards += table.rules.packets[at]
        return cards

    def _note_dealt(self, table: Table, dealt: list[str]) -> None:
        """Note the threes that each hand tabled: those that were dealt to it and are not in it."""
        rules = table.rules
        for side in range(len(rules.sides)):
            base = side * CODES
            for code in rules.tabled_codes:
                left = table.threes[base + code]
                for seat in range(rules.players):
                    if left and rules.side_of[seat] == side:
                        held = table.counts[seat * CODES + code]
                        tabled = dealt[seat].count(TEXT[code]) - held
                        self.tabled[seat] += TEXT[code] * tabled
                        left -= tabled
                if left:
                    self.unclear |= 1 << side
            self._judge_threes(table, side)

    def _note_threes(self, table: Table, seat: i64) -> None:
        """Note the threes that the seat tabled in the turn that has just ended."""
        base = table.side * CODES
        for code in table.rules.tabled_codes:
            more = table.threes[base + code] - self.threes[base + code]
            if more:
                self.tabled[seat] += TEXT[code] * more
                self.threes[base + code] += more
        self._judge_threes(table, table.side)

    def _judge_threes(self, table: Table, side: i64) -> None:
        """Note whether a side may have tabled a three that is not written."""
        if table.knowledge is None:
            return
        unclear = threes_more(table, side) + threes_less(table, side)
        for code in range(CODES):
            if table.rules.tabled[RANK[code]] and not EXACT[code]:
                unclear += table.threes[side * CODES + code]
        if unclear:
            self.unclear |= 1 << side

    def _note_pile(self, table: Table) -> None:
        self.pile = UNCOUNTED if table.pile_loose else table.pile_size
        self.frozen = table.frozen_by_card
        self.fewest, self.most = table.stock_fewest, table.stock_most

    def _note_take(self, table: Table, seat: i64) -> None:
        cards = cards_taken(table, self.pile)
        self.piles.append((table.turn, seat, cards, self.frozen))
        self.takes[seat] += 1
        _add(self.taken, seat, cards)
        if self.last >= 0:
            self.gifts[self.last] += 1
            _add(self.given, self.last, cards)

    def _note_melds(self, table: Table, seat: i64) -> None:
        side = table.side
        size: i64 = 0
        wilds: i64 = 0
        unknown: i64 = 0
        for place in range(table.places):
            at = side * table.places + place
            size += table.meld_sizes[at]
            wilds += table.twos[at] + table.jokers[at]
            row = table.rules.sequences and KIND[place] >= SEQUENCE
            if row and has_natural_two(table.sequences[at]):
                wilds += 1
            if table.knowledge is not None:
                unknown += unknown_melded(table, side, place)
        _add(self.laid, seat, size - self.sizes[side] + len(table.special_cards))
        special: i64 = 0
        for code in table.special_cards:
            special += is_wild(code)
        written = unknown == self.unknown[side]
        _add(self.wilds, seat, wilds - self.wilds_laid[side] + special if written else UNCOUNTED)
        self.sizes[side], self.wilds_laid[side], self.unknown[side] = size, wilds, unknown

    def _note_discard(self, table: Table, seat: i64) -> None:
        if table.discarded == UNKNOWN:
            _add(self.wilds, seat, UNCOUNTED)
        elif is_wild(table.discarded):
            _add(self.wilds, seat, 1)
        before = self.frozen
        if table.took and not table.taken.alone:
            before = frozen_by_lowest(table, table.taken.stays)
        if table.frozen_by_card == NO or before == YES:
            return
        _add(self.froze, seat, UNCOUNTED if MAYBE in (before, table.frozen_by_card) else 1)


def _add(counts: vec[i64], seat: i64, count: i64) -> None:
    """Add to a seat's count; a count that the record does not show makes the sum unknown."""
    if counts[seat] != UNCOUNTED:
        counts[seat] = UNCOUNTED if count == UNCOUNTED else counts[seat] + count


class Progress:
    """A deal's takes and first opening, and when each side's melds began and became canastas.

    Turns count from 1. `opening_turn` is 0 while no side has opened. By side and place, `began` and
    `became` have the turn of a meld's first cards and the turn that made it a canasta, or 0.
    `canastas` is how many canastas the last noted turn made, and `added` is how many cards it put
    on melds, including the pile's top. Melds are compared as they are on the table, because the
    touched melds omit those with nothing to judge.
    """

    __slots__ = ("added", "became", "began", "canastas", "opening_turn", "sizes", "takes")

    def __init__(self, sides: i64, places: i64) -> None:
        self.takes: i64 = 0
        self.opening_turn: i64 = 0
        self.canastas: i64 = 0
        self.added: i64 = 0
        self.began: vec[i64] = zeros(sides * places)
        self.became: vec[i64] = zeros(sides * places)
        #: By side and place, how many cards each meld had after the last noted turn.
        self.sizes: vec[i64] = zeros(sides * places)

    def note_turn(self, table: Table) -> str:
        """Note the turn that has just ended; return the labels of the melds that grew.

        Melds that the turn's end judged come first, in the order in which they were laid.
        """
        self.canastas = self.added = 0
        grown = ""
        if not table.laid and not table.took:
            return grown
        if table.took:
            self.takes += 1
        if table.touches and not table.opened_before and not self.opening_turn:
            self.opening_turn = table.turn
        base = table.rules.side_of[table.seat] * table.places
        for touch in range(table.touches):
            grown += self._note_meld(table, base, table.touch_order[touch])
        for place in table.rules.meld_order:
            # Most melds have not grown, and asking here spares interpreted code the calls.
            if self.sizes[base + place] != table.meld_sizes[base + place]:
                grown += self._note_meld(table, base, place)
        # Two canastas that were put together are one.
        self.canastas = max(self.canastas, 0)
        return grown

    def _note_meld(self, table: Table, base: i64, place: i64) -> str:
        """Note a meld that changed in a turn; return its label if it grew."""
        at = base + place
        before, after = self.sizes[at], table.meld_sizes[at]
        self.added += after - before
        self.sizes[at] = after
        if not after:  # It was put on another meld, or begun and put there.
            if before >= CANASTA_SIZE:
                self.canastas -= 1
            self.began[at] = self.became[at] = 0
            return ""
        if not before:
            self.began[at] = table.turn
        if after >= CANASTA_SIZE > before:
            self.became[at] = table.turn
            self.canastas += 1
        return LABELS[place]
