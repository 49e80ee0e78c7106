"""The turns and penalties of a deal, from bytes to the engine's actions."""

from __future__ import annotations

import re
from typing import Final

from canasta_notation.counts import i64
from canasta_notation.engine.deal_end import penalize
from canasta_notation.engine.discard import discard, take_talon
from canasta_notation.engine.draw import draw
from canasta_notation.engine.lay import lay, lay_known
from canasta_notation.engine.special import lay_special
from canasta_notation.engine.table import Table
from canasta_notation.engine.take import take
from canasta_notation.engine.turn import ask, begin_turn, play_plain
from canasta_notation.engine.turn_end import end_turn, judge_open_claim
from canasta_notation.scan.pieces import (
    BLANK,
    CARD,
    CARET,
    COLON,
    DOT,
    FIRST,
    HASH,
    LABEL,
    MINUS,
    NEWLINE,
    NINE,
    NONE,
    PLUS,
    SECOND,
    SEMICOLON,
    SLASH,
    ZERO,
    Pieces,
)

_NO_COUNT: Final = -1
_ASKED: Final = (b"ask=yes", b"ask=no")
#: More turns than any deal has had.
_MANY_TURNS: Final = 100_000
_ANNOTATION: Final = re.compile(rb"!!|\?\?|!\?|\?!|!|\?|\$[0-9]{1,3}")
_CLOCK: Final = re.compile(rb"@[0-9]{1,9}(\.[0-9]{1,9})?")


class Turns(Pieces):
    """A deal's turns being scanned: `play` is the table at which they are played."""

    __slots__ = ("play",)

    play: Table

    def _turns(self, pos: i64) -> i64:
        """Scan turns and penalties."""
        data = self.data
        play = self.play
        seats = self.seats
        while True:
            numbered = False
            byte: i64 = data[pos]
            if ZERO < byte <= NINE:
                number: i64 = byte - ZERO
                pos += 1
                byte = data[pos]
                while ZERO <= byte <= NINE and number < _MANY_TURNS:
                    number = number * 10 + byte - ZERO
                    pos += 1
                    byte = data[pos]
                if number != play.turns + 1 or byte != DOT or data[pos + 1] != BLANK:
                    return -1
                pos += 2
                byte = data[pos]
                numbered = True
            seat = seats[byte]
            if seat == NONE or data[pos + 1] != BLANK:
                if numbered:
                    return -1
                if byte in (NEWLINE, SEMICOLON):
                    pos = self._skip_empty(pos)
                    continue
                end = self._word(pos, b"penalty ")
                if end < 0:
                    return pos
                pos = self._penalty(end)
            else:
                pos = self._turn(seat, pos + 2)
            if pos < 0:
                return -1

    def _turn(self, seat: i64, pos: i64) -> i64:
        """Scan a turn from its draw or take on."""
        data = self.data
        play = self.play
        draws = data[pos] == PLUS
        drawn: i64 = NONE
        if draws and data[pos + 3] == BLANK:
            drawn = CARD[FIRST[data[pos + 1]] + SECOND[data[pos + 2]]]
            if data[pos + 4] == MINUS and data[pos + 7] == NEWLINE:
                code = CARD[FIRST[data[pos + 5]] + SECOND[data[pos + 6]]]
                if play_plain(play, seat, drawn, code):
                    self.lines += 1
                    return pos + 8
        if not begin_turn(play, seat):
            return -1
        play.at = 0
        if drawn != NONE and data[pos + 4] != PLUS:
            self.read[0] = drawn
            draw(play, self.read, 1, False)
            pos += 3
        elif draws:
            pos = self._draw(pos)
        else:
            pos = self._take(pos)
        if pos >= 0:
            pos = self._rest(pos)
        if play.violations or play.doubts:
            return -1
        return pos

    def _draw(self, pos: i64) -> i64:
        """Scan a draw of several cards, or of a joker."""
        data = self.data
        pos = self._group(pos + 1)
        while pos >= 0 and data[pos] == BLANK and data[pos + 1] == PLUS:
            pos = self._group(pos + 2, self.count)
        if pos >= 0:
            draw(self.play, self.read, self.count, False)
        return pos

    def _take(self, pos: i64) -> i64:
        if self.data[pos] != CARET:
            return -1
        pos = self._card(pos + 1)
        if pos < 0:
            return -1
        count = _NO_COUNT
        if self.data[pos] == SLASH:
            pos = self._number(pos + 1)
            if pos < 0:
                return -1
            count = self.number
        take(self.play, self.play.seat, self.card, None if count == _NO_COUNT else count)
        return pos

    def _rest(self, pos: i64) -> i64:
        """Scan what follows the draw or take, to the line's end, and end the turn."""
        data = self.data
        play = self.play
        discarded = False
        opened = _NO_COUNT
        mark = ""
        while data[pos] == BLANK:
            byte = data[pos + 1]
            if data[pos + 2] == COLON and not discarded:
                rank = LABEL[byte]
                pos = self._group(pos + 3)
                if rank == NONE or pos < 0:
                    return -1
                if not lay_known(play, rank, self.read, self.count):
                    lay(play, rank, self._cards())
            elif byte == MINUS and not discarded:
                pos = self._card(pos + 2)
                if pos < 0:
                    return -1
                discarded = True
                discard(play, self.card)
            elif byte == HASH and not mark:
                mark = "##" if data[pos + 2] == HASH else "#"
                pos += 1 + len(mark)
            elif byte == SEMICOLON:
                break
            elif opened == _NO_COUNT and (end := self._word(pos, b" open=")) >= 0:
                pos = self._number(end)
                opened = self.number
            else:
                pos = self._rare(pos + 1, discarded)
            if pos < 0 or not play.knowable:
                return -1
        end_turn(play, mark)
        if opened != _NO_COUNT:
            judge_open_claim(play, opened)
        return self._line_end(pos)

    def _rare(self, pos: i64, discarded: bool) -> i64:
        """Scan a word that few turns have: asking, a talon, a special hand, an annotation."""
        data = self.data
        end = pos
        while data[end] != BLANK and data[end] != NEWLINE:
            end += 1
        word = self.text[pos:end]
        if word in _ASKED and not discarded:
            ask(self.play, word == b"ask=yes")
            return end
        if _ANNOTATION.fullmatch(word):
            return end
        if _CLOCK.fullmatch(word) and self.text.find(b" @", end, self.text.index(b"\n", end)) < 0:
            return end
        name, colon, _ = word.partition(b":")
        if not colon or self._group(pos + len(name) + 1) != end:
            return -1
        if name == b"talon" and discarded and not self.play.talon_taken:
            take_talon(self.play, tuple(self._cards()))
            return end
        if name in (b"straight", b"pairs", b"garbage") and not discarded:
            lay_special(self.play, name.decode(), tuple(self._cards()))
            return end
        return -1

    def _penalty(self, pos: i64) -> i64:
        pos = self._side(pos)
        if pos < 0:
            return -1
        side = self.number
        pos = self._number(pos)
        if pos < 0 or self.data[pos] != BLANK:
            return -1
        word = re.compile(rb"[A-Za-z][A-Za-z0-9_-]*").match(self.text, pos + 1)
        if word is None:
            return -1
        penalize(self.play, side, self.number, word[0].decode())
        if self.play.violations:
            return -1
        return self._line_end(word.end())
