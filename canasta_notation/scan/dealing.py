"""The lines before a deal's first turn, from bytes to the engine's dealing.

They are read to the last one before any card is dealt: whether there is a stock line, which comes
late, decides how the cards before it are accounted for.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.counts import i64, vec
from canasta_notation.engine.deal import (
    begin_play,
    deal_hand,
    match_stock,
    set_stock,
    set_talon,
    turn_up,
)
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.table import Table
from canasta_notation.scan.pieces import BLANK, COLON, NINE, NONE, PLUS, ZERO
from canasta_notation.scan.turns import Turns

_NO_CARDS: Final[vec[i64]] = vec[i64]()


class Dealing(Turns):
    """A deal's setup being scanned."""

    __slots__ = ("hands", "replacements", "seated", "stock", "talons", "up")

    def __init__(self, data: bytes, rules: Rules) -> None:
        super().__init__(data, rules)
        #: By seat, the hand as dealt and its replacements; a bit for each seat with a hand line.
        self.hands: list[vec[i64]] = [_NO_CARDS] * rules.players
        self.replacements: list[vec[i64]] = [_NO_CARDS] * rules.players
        self.seated: i64 = 0
        self.up: vec[i64] = _NO_CARDS
        self.stock: vec[i64] = _NO_CARDS
        self.talons: tuple[list[int], ...] = ()

    def _setup(self, pos: i64) -> i64:
        """Read hands, up cards, stock and talons, in this order."""
        data = self.data
        self.seated = 0
        self.up = _NO_CARDS
        self.stock = _NO_CARDS
        self.talons = ()
        while True:
            pos = self._skip_empty(pos)
            byte: i64 = data[pos]
            if ZERO <= byte <= NINE:
                return pos
            seat: i64 = self.seats[byte]
            if seat != NONE and data[pos + 1] == COLON and data[pos + 2] == BLANK:
                pos = self._hand(seat, pos + 3)
            elif (end := self._word(pos, b"up ")) >= 0:
                pos = self._up(end)
            elif (end := self._word(pos, b"stock ")) >= 0:
                pos = self._stock(end)
            elif (end := self._word(pos, b"talon ")) >= 0:
                pos = self._list(end)
                self.talons += (list(self.listed),)
            else:
                return pos
            if pos >= 0:
                pos = self._line_end(pos)
            if pos < 0:
                return -1

    def _hand(self, seat: i64, pos: i64) -> i64:
        if len(self.up) or len(self.stock) or self.talons or self.seated >> seat & 1:
            return -1
        pos = self._list(pos)
        if pos < 0:
            return -1
        self.seated |= 1 << seat
        self.hands[seat] = self.listed
        self.replacements[seat] = _NO_CARDS
        self.count = 0
        while pos >= 0 and self.data[pos] == BLANK and self.data[pos + 1] == PLUS:
            pos = self._group(pos + 2, self.count)
            self.replacements[seat] = self._cards()
        return pos

    def _up(self, pos: i64) -> i64:
        if len(self.up) or len(self.stock) or self.talons:
            return -1
        pos = self._list(pos)
        self.up = self.listed
        return pos

    def _stock(self, pos: i64) -> i64:
        if len(self.stock) or self.talons:
            return -1
        pos = self._list(pos)
        self.stock = self.listed
        return pos

    def _deal_out(self, dealer: i64, totals: list[int]) -> bool:
        """Deal what was read at a new table; return whether it is all there and breaks no rule."""
        rules = self.rules
        turned = len(self.up) > 0
        if self.seated != (1 << rules.players) - 1 or turned != rules.up_turned:
            return False
        has_stock = len(self.stock) > 0
        play = self.play = Table(rules, dealer, totals, has_stock)
        for seat in range(rules.players):
            deal_hand(play, seat, self.hands[seat], False, self.replacements[seat])
        if turned:
            turn_up(play, self.up)
        if has_stock:
            set_stock(play, self.stock)
            match_stock(play, self.up)
            for turn in range(rules.players):
                match_stock(play, self.replacements[(dealer + 1 + turn) % rules.players])
        for talon in self.talons:
            set_talon(play, talon)
        begin_play(play)
        return not (play.violations or play.doubts)
