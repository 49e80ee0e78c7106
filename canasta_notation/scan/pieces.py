"""The pieces of the canonical spelling: cards, numbers, lists and lines, read from bytes.

A piece is read from a position; what it returns is the position behind it, or -1 where the piece
is not there as the canonical spelling has it.
"""

from __future__ import annotations

from typing import Final, cast

from canasta_notation.arrays import COMPILED, array
from canasta_notation.cards import (
    BLACK_THREE,
    CODE,
    JOKER,
    JOKER_RANK,
    RANK_LETTERS,
    TWO,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.rules import Rules

BLANK: Final = 32
NEWLINE: Final = 10
PLUS: Final = 43
MINUS: Final = 45
DOT: Final = 46
COLON: Final = 58
STAR: Final = 42
CARET: Final = 94
SLASH: Final = 47
HASH: Final = 35
SEMICOLON: Final = 59
EQUALS: Final = 61
#: What a table of bytes holds where there is nothing.
NONE: Final = 255
ZERO: Final = 48
NINE: Final = 57
#: How far ahead of a position anything looks.
AHEAD: Final = 16
#: What follows the last byte of the data, so that looking ahead never leaves it.
PADDING: Final = b"\n" + bytes(AHEAD)
#: The suits in the order of the card codes; each rank has one place more, for none.
_SUITS: Final = "shdc"
_NO_SUIT: Final = len(_SUITS)
#: More cards than a deck has do not stand together.
_MOST_CARDS: Final = 128
_UNREAD: Final[vec[i64]] = array([0] * _MOST_CARDS)
#: The most digits of a number, as in the grammar.
_DIGITS: Final = 9


def _by_byte(values: dict[str, int], other: int) -> vec[i64]:
    """Return, for each byte, the value of that letter, or another."""
    return array(values.get(chr(byte), other) for byte in range(1 << 8))


_SUITED_RANKS: Final = RANK_LETTERS[1 : TWO + 1]
#: By byte, five times the place of a rank's letter among those with suits; NONE for no rank.
FIRST: Final[vec[i64]] = _by_byte(
    {letter: at * (_NO_SUIT + 1) for at, letter in enumerate(_SUITED_RANKS)}, NONE
)
#: By byte, the place of a suit's letter.
SECOND: Final[vec[i64]] = _by_byte({letter: at for at, letter in enumerate(_SUITS)}, _NO_SUIT)
#: By the sum of the two, the card that they spell; NONE where they spell none.
CARD: Final[vec[i64]] = array(
    [CODE[letter + suit] if suit else NONE for letter in _SUITED_RANKS for suit in [*_SUITS, ""]]
    + [NONE] * (1 << 8)
)
#: By byte, the rank that a group's label names, or NONE.
LABEL: Final[vec[i64]] = _by_byte(
    {letter: rank for rank, letter in enumerate(RANK_LETTERS[: JOKER_RANK + 1])}
    | {"3": BLACK_THREE},
    NONE,
)


class Pieces:
    """The bytes of a game, padded with PADDING, and the last number, card and cards read."""

    __slots__ = (
        "card", "count", "data", "lines", "listed", "number", "read", "rules", "seats",
        "side_words", "text",
    )  # fmt: skip

    def __init__(self, data: bytes, rules: Rules) -> None:
        #: The bytes, to be searched; and to be read one by one, which a list is faster for where
        #: nothing is compiled.
        self.text = data
        self.data = data if COMPILED else cast(bytes, list(data))
        self.rules = rules
        self.seats = rules.seat_at
        self.side_words: list[bytes] = [f"{side} ".encode() for side in rules.sides]
        #: How many lines have been read to their end.
        self.lines: i64 = 0
        self.number: i64 = 0
        self.card: i64 = NONE
        #: Cards read last, in the first `count` places.
        self.read: vec[i64] = _UNREAD[:]
        self.count: i64 = 0
        #: The cards of the list read last.
        self.listed: vec[i64] = vec[i64]()

    def _skip_empty(self, pos: i64) -> i64:
        """Skip empty lines and lines that hold a comment alone."""
        data = self.data
        while True:
            if data[pos] == NEWLINE:
                pos += 1
            elif data[pos] == SEMICOLON:
                pos = self.text.index(b"\n", pos) + 1
            else:
                return pos
            self.lines += 1

    def _line_end(self, pos: i64) -> i64:
        """Return the start of the next line where this one ends here, its comment aside."""
        data = self.data
        self.lines += 1
        if data[pos] == NEWLINE:
            return pos + 1
        if data[pos] == BLANK and data[pos + 1] == SEMICOLON:
            return self.text.index(b"\n", pos) + 1
        return -1

    def _number(self, pos: i64) -> i64:
        """Read a number without a sign into `number`."""
        data = self.data
        value: i64 = 0
        start = pos
        byte: i64 = data[pos]
        while ZERO <= byte <= NINE:
            value = value * 10 + byte - ZERO
            pos += 1
            byte = data[pos]
        self.number = value
        if start < pos <= start + _DIGITS:
            return pos
        return -1

    def _signed(self, pos: i64) -> i64:
        if self.data[pos] != MINUS:
            return self._number(pos)
        pos = self._number(pos + 1)
        self.number = -self.number
        return pos

    def _card(self, pos: i64) -> i64:
        """Read one card into `card`: with its suit, or a joker."""
        data = self.data
        self.card = CARD[FIRST[data[pos]] + SECOND[data[pos + 1]]]
        if self.card != NONE:
            return pos + 2
        if data[pos] != STAR:
            return -1
        self.card = JOKER
        return pos + 1

    def _cards(self) -> vec[i64]:
        """Return the cards read last."""
        return self.read[: self.count]

    def _group(self, pos: i64, behind: i64 = 0) -> i64:
        """Read cards that stand side by side into `read`, behind so many; at least one."""
        data = self.data
        read = self.read
        count = behind
        while count < _MOST_CARDS:
            code = CARD[FIRST[data[pos]] + SECOND[data[pos + 1]]]
            if code != NONE:
                read[count] = code
                pos += 2
            elif data[pos] == STAR:
                read[count] = JOKER
                pos += 1
            else:
                self.count = count
                if count > behind:
                    return pos
                return -1
            count += 1
        return -1

    def _list(self, pos: i64) -> i64:
        """Read cards set apart by one blank each into `listed`, to the line's end or a `+`."""
        data = self.data
        read = self.read
        count: i64 = 0
        while count < _MOST_CARDS:
            code = CARD[FIRST[data[pos]] + SECOND[data[pos + 1]]]
            if code != NONE:
                read[count] = code
                pos += 2
            elif data[pos] == STAR:
                read[count] = JOKER
                pos += 1
            else:
                if count == 0 or data[pos] not in (PLUS, SEMICOLON):
                    return -1
                pos -= 1
                break
            count += 1
            if data[pos] != BLANK:
                break
            pos += 1
        self.listed = read[:count]
        return pos

    def _word(self, pos: i64, word: bytes) -> i64:
        """Read a word."""
        if not COMPILED:
            return pos + len(word) if self.text.startswith(word, pos) else -1
        data = self.data
        for at in range(len(word)):
            if data[pos + at] != word[at]:
                return -1
        return pos + len(word)

    def _side(self, pos: i64) -> i64:
        """Read a side's name and a blank into `number`."""
        for at in range(len(self.side_words)):
            end = self._word(pos, self.side_words[at])
            if end >= 0:
                self.number = at
                return end
        return -1
