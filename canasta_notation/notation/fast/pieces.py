"""The pieces of the canonical spelling: cards, numbers, lists and lines, read from bytes.

A piece is read from a position; what it returns is the position behind it, or -1 where the piece
is not there as the canonical spelling has it.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.cards import BLACK_THREE, CODE, JOKER, JOKER_RANK, RANK_LETTERS, TWO
from canasta_notation.counts import i64
from canasta_notation.engine.rules import Rules

BLANK: Final = 32
NEWLINE: Final = 10
PLUS: Final = 43
MINUS: Final = 45
COLON: Final = 58
STAR: Final = 42
CARET: Final = 94
SLASH: Final = 47
HASH: Final = 35
SEMICOLON: Final = 59
EQUALS: Final = 61
S: Final = 115
#: What a table of bytes holds where there is nothing.
NONE: Final = 255
ZERO: Final = 48
NINE: Final = 57
#: What may follow the last byte of the data, so that looking ahead never leaves it.
PADDING: Final = b"\n" + bytes(16)
#: Five card codes for each first letter: with the suits s h d c, and none.
_NO_SUIT: Final = 4
#: The most digits of a number, as in the grammar.
_DIGITS: Final = 9


def _first_letters() -> bytes:
    """Return, by byte, five times the place of a rank's letter among those with suits, or NONE."""
    table = bytearray([NONE] * 256)
    for at, letter in enumerate(RANK_LETTERS[1 : TWO + 1]):
        table[ord(letter)] = 5 * at
    return bytes(table)


def _suits() -> bytes:
    table = bytearray([_NO_SUIT] * 256)
    for at, letter in enumerate("shdc"):
        table[ord(letter)] = at
    return bytes(table)


def _pairs() -> bytes:
    """Return the card code of each letter and suit, NONE where no suit is written."""
    codes = []
    for letter in RANK_LETTERS[1 : TWO + 1]:
        codes += [CODE[letter + suit] for suit in "shdc"] + [NONE]
    return bytes(codes)


def _labels() -> bytes:
    """Return, by byte, the rank that a group's label names, or NONE."""
    table = bytearray([NONE] * 256)
    for rank, letter in enumerate(RANK_LETTERS[: JOKER_RANK + 1]):
        table[ord(letter)] = rank
    table[ord("3")] = BLACK_THREE
    return bytes(table)


FIRST: Final = _first_letters()
SUIT: Final = _suits()
PAIR: Final = _pairs()
LABEL: Final = _labels()


class Pieces:
    """The bytes of a game, padded with PADDING, and the last number and cards read from them."""

    def __init__(self, data: bytes, rules: Rules) -> None:
        self.data = data
        self.rules = rules
        self.seats = rules.seat_at
        self.side_names: list[bytes] = [side.encode() for side in rules.sides]
        self.number: i64 = 0
        self.cards: list[int] = []

    def _skip_empty(self, pos: i64) -> i64:
        """Skip empty lines and lines that hold a comment alone."""
        data = self.data
        while True:
            if data[pos] == NEWLINE:
                pos += 1
            elif data[pos] == SEMICOLON:
                pos = data.index(b"\n", pos) + 1
            else:
                return pos

    def _line_end(self, pos: i64) -> i64:
        """Return the start of the next line where this one ends here, its comment aside."""
        data = self.data
        if data[pos] == NEWLINE:
            return pos + 1
        if data[pos] == BLANK and data[pos + 1] == SEMICOLON:
            return data.index(b"\n", pos) + 1
        return -1

    def _number(self, pos: i64) -> i64:
        """Read a number without a sign into `number`."""
        data = self.data
        value: i64 = 0
        start = pos
        byte = data[pos]
        while ZERO <= byte <= NINE:
            value = value * 10 + byte - ZERO
            pos += 1
            byte = data[pos]
        self.number = value
        return pos if start < pos <= start + _DIGITS else -1

    def _signed(self, pos: i64) -> i64:
        if self.data[pos] != MINUS:
            return self._number(pos)
        pos = self._number(pos + 1)
        self.number = -self.number
        return pos

    def _card(self, pos: i64) -> i64:
        """Return the code of a card with its suit, or NONE."""
        first = FIRST[self.data[pos]]
        return NONE if first == NONE else PAIR[first + SUIT[self.data[pos + 1]]]

    def _group(self, pos: i64) -> i64:
        """Read cards that stand side by side into `cards`; at least one."""
        data = self.data
        cards: list[int] = []
        while True:
            first = FIRST[data[pos]]
            if first != NONE:
                code = PAIR[first + SUIT[data[pos + 1]]]
                if code == NONE:
                    return -1
                cards.append(code)
                pos += 2
            elif data[pos] == STAR:
                cards.append(JOKER)
                pos += 1
            else:
                self.cards = cards
                return pos if cards else -1

    def _list(self, pos: i64) -> i64:
        """Read cards set apart by one blank each into `cards`, to the line's end or a `+`."""
        data = self.data
        cards: list[int] = []
        while True:
            first = FIRST[data[pos]]
            if first != NONE:
                code = PAIR[first + SUIT[data[pos + 1]]]
                if code == NONE:
                    return -1
                cards.append(code)
                pos += 2
            elif data[pos] == STAR:
                cards.append(JOKER)
                pos += 1
            else:
                return -1
            byte = data[pos + 1]
            if data[pos] != BLANK or byte in (PLUS, SEMICOLON):
                self.cards = cards
                return pos
            pos += 1

    def _side(self, pos: i64) -> i64:
        """Read a side's name and a blank into `number`."""
        for at, name in enumerate(self.side_names):
            end = pos + len(name)
            if self.data[pos:end] == name and self.data[end] == BLANK:
                self.number = at
                return end + 1
        return -1
