"""The fast path: the canonical spelling of fully recorded games, from bytes straight to the engine.

No text is kept and no object made for a token. The scanner knows the grammar's canonical spelling
only (one blank between words, every card with its suit) and gives up at the first thing that it
does not know, at the first violation, doubt or false claim; the Lark reader then reads the game
and speaks. It is no second engine: every rule is checked by the engine, every item scored by
`write_score`; a differential test holds it to the grammar.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.arrays import COMPILED
from canasta_notation.counts import i64, vec
from canasta_notation.engine.deal_end import end_deal, end_unclaimed
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.scoring import ITEMS, PENALTY, Sheet, write_score
from canasta_notation.engine.table import OPEN
from canasta_notation.scan.dealing import Dealing
from canasta_notation.scan.pieces import (
    AHEAD,
    BLANK,
    EQUALS,
    NEWLINE,
    NONE,
    SEMICOLON,
)
from canasta_notation.search.able import stock_over

_ITEM_WORDS: Final[list[bytes]] = [f" {item} ".encode() for item in ITEMS]
_ITEM_AT: Final = {item.encode(): at for at, item in enumerate(ITEMS)}


class Scanner(Dealing):
    """One game being scanned: `data` from its first deal line on, padded with PADDING.

    `totals` and `winner` are those after the deals scanned so far; `deals` and `turns` count them.
    """

    __slots__ = ("dealer", "deals", "totals", "turns", "winner")

    def __init__(self, data: bytes, rules: Rules, dealer: i64) -> None:
        super().__init__(data, rules)
        self.dealer = dealer
        self.totals: list[int] = [0] * len(rules.sides)
        self.winner = -1
        self.deals = 0
        self.turns = 0

    def scan(self) -> bool:
        """Scan every deal; return False where the Lark reader has to read the game."""
        pos = 0
        while True:
            pos = self._skip_empty(pos)
            if self.data[pos] == 0:
                return self.deals > 0 and pos == len(self.data) - AHEAD
            pos = self._deal(pos)
            if pos < 0:
                return False

    # --- a deal ---------------------------------------------------------------------------------

    def _deal(self, pos: i64) -> i64:
        """Scan a deal, from its line to the next deal's."""
        data = self.data
        pos = self._word(pos, b"deal ")
        if pos < 0 or self.winner >= 0:
            return -1
        pos = self._number(pos)
        if pos < 0 or self.number != self.deals + 1:
            return -1
        dealer = self.dealer
        named = self._word(pos, b" dealer ")
        if named >= 0:
            dealer = self.seats[data[named]]
            pos = named + 1
        if dealer < 0 or dealer == NONE or (self.dealer >= 0 and dealer != self.dealer):
            return -1
        self.dealer = (dealer + 1) % self.rules.players
        pos = self._line_end(pos)
        if pos >= 0:
            pos = self._setup(pos)
        if pos < 0 or not self._deal_out(dealer, self.totals):
            return -1
        pos = self._turns(pos)
        if pos >= 0:
            pos = self._close(pos)
        if pos >= 0:
            self.deals += 1
            self.turns += self.play.turns
        return pos

    # --- the end of a deal ----------------------------------------------------------------------

    def _close(self, pos: i64) -> i64:
        """Scan the end line, the scores and the total, and hold them to the play."""
        play = self.play
        if play.turns == 0:
            return -1
        pos = self._end(self._skip_empty(pos))
        if pos < 0 or play.ended == OPEN or play.violations or play.doubts:
            return -1
        sheets: list[Sheet] = []
        for at in range(len(self.totals)):
            sheet = Sheet()
            write_score(play, at, sheet)
            if not sheet.known:
                return -1
            sheets.append(sheet)
        return self._claims(sheets, pos)

    def _end(self, pos: i64) -> i64:
        end = self._word(pos, b"end ")
        if end < 0:
            end_unclaimed(self.play, stock_over(self.play))
            return pos
        seat: i64 = -1
        if (pos := self._word(end, b"out ")) >= 0:
            reason, seat, pos = "out", self.seats[self.data[pos]], pos + 1
        elif (pos := self._word(end, b"special ")) >= 0:
            reason, seat, pos = "special", self.seats[self.data[pos]], pos + 1
        elif (pos := self._word(end, b"stock")) >= 0:
            reason = "stock"
        else:
            return -1
        if seat == NONE:
            return -1
        end_deal(self.play, reason, seat, stock_over(self.play))
        return self._line_end(pos)

    def _claims(self, sheets: list[Sheet], pos: i64) -> i64:
        """Hold the score and total lines to the sheets; add the scores to the totals."""
        data = self.data
        totals = self.totals
        fresh: list[int] = []
        for at, sheet in enumerate(sheets):
            fresh.append(totals[at] + sheet.total())
        self.totals = fresh
        self.winner = self._winner()
        pos = self._skip_empty(pos)
        if not COMPILED:
            # An interpreter writes what most records say faster than it reads it.
            text = self._closing(sheets, totals)
            end = pos + len(text)
            if self.text[pos:end] == text:
                self.lines += len(sheets) + 1
                return self._skip_empty(end)
        claimed: i64 = 0
        while (end := self._word(pos, b"score ")) >= 0:
            pos = self._side(end)
            at = self.number
            if pos < 0 or claimed >> at & 1:
                return -1
            claimed |= 1 << at
            pos = self._signed(pos)
            if pos < 0 or self.number != fresh[at] - totals[at]:
                return -1
            if data[pos] == BLANK and data[pos + 1] == EQUALS:
                pos = self._items(sheets[at].points, pos + 2)
            pos = self._skip_line(pos)
            if pos < 0:
                return -1
        end = self._word(pos, b"total")
        if end >= 0:
            pos = self._skip_line(self._total(end))
        return pos

    def _closing(self, sheets: list[Sheet], before: list[int]) -> bytes:
        """Return the score lines and the total with every item, in the order of the items."""
        text = ""
        total = "total"
        for at, side in enumerate(self.rules.sides):
            text += f"score {side} {self.totals[at] - before[at]}"
            equals = " ="
            for item, points in enumerate(sheets[at].points):
                if points:
                    text += f"{equals} {ITEMS[item]} {points}"
                    equals = ""
            text += "\n"
            total += f" {side} {self.totals[at]}"
        return f"{text}{total}\n".encode()

    def _skip_line(self, pos: i64) -> i64:
        if pos >= 0:
            pos = self._line_end(pos)
        if pos < 0:
            return -1
        return self._skip_empty(pos)

    def _items(self, points: vec[i64], pos: i64) -> i64:
        """Hold the items of a score to a sheet; items that are not written must be 0."""
        data = self.data
        written: i64 = 0
        due: i64 = 0
        while data[pos] == BLANK and data[pos + 1] != SEMICOLON:
            while due < PENALTY and (written >> due & 1 or not points[due]):
                due += 1
            end = self._word(pos, _ITEM_WORDS[due])
            item: i64 = due
            if end < 0:
                end = pos + 1
                while data[end] != BLANK and data[end] != NEWLINE:
                    end += 1
                if data[end] != BLANK:
                    return -1
                item = _ITEM_AT.get(self.text[pos + 1 : end], -1)
                end += 1
            if item < 0 or written >> item & 1:
                return -1
            written |= 1 << item
            pos = self._signed(end)
            if pos < 0 or self.number != points[item]:
                return -1
        for at in range(len(points)):
            if points[at] and not written >> at & 1:
                return -1
        if written:
            return pos
        return -1

    def _total(self, pos: i64) -> i64:
        claimed: i64 = 0
        while self.data[pos] == BLANK and self.data[pos + 1] != SEMICOLON:
            pos = self._side(pos + 1)
            at = self.number
            if pos < 0 or claimed >> at & 1:
                return -1
            claimed |= 1 << at
            pos = self._signed(pos)
            if pos < 0 or self.number != self.totals[at]:
                return -1
        if claimed:
            return pos
        return -1

    def _winner(self) -> i64:
        """Return the side that has won, or -1."""
        best = self.rules.target - 1
        winner = -1
        for at, total in enumerate(self.totals):
            if total == best:
                winner = -1
            elif total > best:
                best, winner = total, at
        return winner
