"""The lines before a deal's first turn, from bytes to the engine's dealing.

They are read to the last one before any card is dealt: whether there is a stock line, which comes
late, decides how the cards before it are accounted for.
"""

from __future__ import annotations

from canasta_notation.cards import array
from canasta_notation.counts import i64, vec
from canasta_notation.engine.deal import DealPlay
from canasta_notation.notation.fast.pieces import BLANK, COLON, NINE, NONE, PLUS, ZERO
from canasta_notation.notation.fast.turns import Turns


class Dealing(Turns):
    """A deal's setup being scanned: the cards of its lines, in the order of `seated`."""

    seated: list[int]
    hands: list[vec[i64]]
    replacements: list[vec[i64]]
    up: list[int]
    stock: vec[i64]
    talons: list[list[int]]

    def _setup(self, pos: i64) -> i64:
        """Read hands, up cards, stock and talons, in this order."""
        data = self.data
        self.seated, self.hands, self.replacements = [], [], []
        self.up, self.stock, self.talons = [], vec[i64](), []
        while True:
            pos = self._skip_empty(pos)
            byte: i64 = data[pos]
            if ZERO <= byte <= NINE:
                return pos
            seat: i64 = self.seats[byte]
            if seat != NONE and data[pos + 1] == COLON and data[pos + 2] == BLANK:
                pos = self._hand(seat, pos + 3)
            elif data[pos : pos + 3] == b"up ":
                pos = self._up(pos + 3)
            elif data[pos : pos + 6] == b"stock ":
                pos = self._stock(pos + 6)
            elif data[pos : pos + 6] == b"talon ":
                pos = self._list(pos + 6)
                self.talons.append(list(self.cards))
            else:
                return pos
            if pos >= 0:
                pos = self._line_end(pos)
            if pos < 0:
                return -1

    def _hand(self, seat: i64, pos: i64) -> i64:
        if self.up or len(self.stock) or self.talons or seat in self.seated:
            return -1
        pos = self._list(pos)
        if pos < 0:
            return -1
        self.seated.append(seat)
        self.hands.append(self.cards)
        self.replacements.append(vec[i64]())
        while self.data[pos] == BLANK and self.data[pos + 1] == PLUS:
            pos = self._group(pos + 2)
            if pos < 0:
                return -1
            self.replacements[-1] = array([*self.replacements[-1], *self.cards])
        return pos

    def _up(self, pos: i64) -> i64:
        if self.up or len(self.stock) or self.talons:
            return -1
        pos = self._list(pos)
        self.up = list(self.cards)
        return pos

    def _stock(self, pos: i64) -> i64:
        if len(self.stock) or self.talons:
            return -1
        pos = self._list(pos)
        self.stock = self.cards
        return pos

    def _deal_out(self, dealer: i64, totals: list[int]) -> bool:
        """Deal what was read at a new table; return whether it is all there and breaks no rule."""
        rules = self.rules
        if len(self.seated) != rules.players or (len(self.up) > 0) != rules.up_turned:
            return False
        has_stock = len(self.stock) > 0
        play = self.play = DealPlay(rules, dealer, totals, has_stock)
        for at, seat in enumerate(self.seated):
            play.deal_hand(seat, self.hands[at], False, self.replacements[at])
        if self.up:
            play.turn_up(self.up)
        if has_stock:
            play.set_stock(self.stock)
            play.match_stock(array(self.up))
            for turn in range(rules.players):
                seat = (dealer + 1 + turn) % rules.players
                play.match_stock(self.replacements[self.seated.index(seat)])
        for talon in self.talons:
            play.set_talon(talon)
        play.begin()
        return not (play.violations or play.doubts)
