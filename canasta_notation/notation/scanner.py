"""The fast path: the canonical spelling of fully recorded games, from bytes straight to the engine.

No text is kept and no object made for a token. The scanner knows the grammar's canonical spelling
only (one blank between words, every card with its suit) and gives up at the first thing that it
does not know, at the first violation, doubt or false claim; the Lark reader then reads the game
and speaks. It is no second engine: every rule is checked by `DealPlay`, every item scored by
`write_score`; a differential test holds it to the grammar.
"""

from __future__ import annotations

import re
from typing import Final

from canasta_notation.cards import (
    BLACK_THREE,
    CODE,
    JOKER,
    JOKER_RANK,
    RANK_LETTERS,
    TWO,
)
from canasta_notation.engine.deal import DealPlay
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.scoring import ITEMS, Sheet, write_score
from canasta_notation.engine.table import OPEN

_BLANK: Final = 32
_NEWLINE: Final = 10
_PLUS: Final = 43
_MINUS: Final = 45
_COLON: Final = 58
_STAR: Final = 42
_CARET: Final = 94
_SLASH: Final = 47
_HASH: Final = 35
_SEMICOLON: Final = 59
_EQUALS: Final = 61
_S: Final = 115
_ZERO: Final = 48
_NINE: Final = 57
#: Five card codes for each first letter: with the suits s h d c, and none.
_NO_SUIT: Final = 4
#: What may follow the last byte of the data, so that looking ahead never leaves it.
PADDING: Final = b"\n" + bytes(16)
#: The numbers that turns begin with; a deal has never come near so many.
_NUMBERED: Final = 2000
NUMBERS: Final[list[bytes]] = [b"%d. " % (at + 1) for at in range(_NUMBERED)]
_NO_COUNT: Final = -1


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


#: What a table of bytes holds where there is nothing.
NONE: Final = 255
FIRST: Final = _first_letters()
SUIT: Final = _suits()
PAIR: Final = _pairs()
LABEL: Final = _labels()
_ITEM_AT: Final = {item.encode(): at for at, item in enumerate(ITEMS)}
_ANNOTATION: Final = re.compile(rb"!!|\?\?|!\?|\?!|!|\?|\$[0-9]{1,3}")
_CLOCK: Final = re.compile(rb"@[0-9]{1,9}(\.[0-9]{1,9})?")
_DIGITS: Final = 9


class Scanner:
    """One game being scanned: `data` from its first deal line on, padded with PADDING.

    `totals` and `winner` are those after the deals scanned so far; `deals` and `turns` count them.
    """

    def __init__(self, data: bytes, rules: Rules, dealer: int) -> None:
        self.data = data
        self.rules = rules
        self.seats = rules.seat_at
        self.side_names: list[bytes] = [side.encode() for side in rules.sides]
        self.dealer = dealer
        self.totals: list[int] = [0] * len(rules.sides)
        self.winner = -1
        self.deals = 0
        self.turns = 0
        self.number = 0
        self.play = DealPlay(rules, dealer, self.totals, False)
        #: The items of each deal's sides, where they are kept for an audit.
        self.sheets: list[list[Sheet]] = []
        self.keep_sheets = False
        #: What ended each kept deal, and by which seat.
        self.endings: list[tuple[str, int]] = []
        self.cards: list[int] = []

    def scan(self) -> bool:
        """Scan every deal; return False where the Lark reader has to read the game."""
        pos = 0
        while True:
            pos = self._skip_empty(pos)
            if self.data[pos] == 0:
                return self.deals > 0
            pos = self._deal(pos)
            if pos < 0:
                return False

    # --- pieces: each returns the position behind it, or -1 -------------------------------------

    def _skip_empty(self, pos: int) -> int:
        """Skip empty lines and lines that hold a comment alone."""
        data = self.data
        while True:
            if data[pos] == _NEWLINE:
                pos += 1
            elif data[pos] == _SEMICOLON:
                pos = data.index(b"\n", pos) + 1
            else:
                return pos

    def _line_end(self, pos: int) -> int:
        """Return the start of the next line where this one ends here, its comment aside."""
        data = self.data
        if data[pos] == _NEWLINE:
            return pos + 1
        if data[pos] == _BLANK and data[pos + 1] == _SEMICOLON:
            return data.index(b"\n", pos) + 1
        return -1

    def _number(self, pos: int) -> int:
        """Read a number without a sign into `number`."""
        data = self.data
        value = 0
        start = pos
        byte = data[pos]
        while _ZERO <= byte <= _NINE:
            value = value * 10 + byte - _ZERO
            pos += 1
            byte = data[pos]
        self.number = value
        return pos if start < pos <= start + _DIGITS else -1

    def _signed(self, pos: int) -> int:
        if self.data[pos] != _MINUS:
            return self._number(pos)
        pos = self._number(pos + 1)
        self.number = -self.number
        return pos

    def _card(self, pos: int) -> int:
        """Return the code of a card with its suit, or NONE."""
        first = FIRST[self.data[pos]]
        return NONE if first == NONE else PAIR[first + SUIT[self.data[pos + 1]]]

    def _group(self, pos: int) -> int:
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
            elif data[pos] == _STAR:
                cards.append(JOKER)
                pos += 1
            else:
                self.cards = cards
                return pos if cards else -1

    def _list(self, pos: int) -> int:
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
            elif data[pos] == _STAR:
                cards.append(JOKER)
                pos += 1
            else:
                return -1
            byte = data[pos + 1]
            if data[pos] != _BLANK or byte in (_PLUS, _SEMICOLON):
                self.cards = cards
                return pos
            pos += 1

    # --- a deal ---------------------------------------------------------------------------------

    def _deal(self, pos: int) -> int:
        """Scan a deal, from its line to the next deal's."""
        data = self.data
        if self.winner >= 0 or data[pos : pos + 5] != b"deal ":
            return -1
        pos = self._number(pos + 5)
        if pos < 0 or self.number != self.deals + 1:
            return -1
        dealer = self.dealer
        if data[pos : pos + 8] == b" dealer ":
            dealer = self.seats[data[pos + 8]]
            pos += 9
        if dealer < 0 or dealer == NONE or (self.dealer >= 0 and dealer != self.dealer):
            return -1
        self.dealer = (dealer + 1) % self.rules.players
        pos = self._line_end(pos)
        if pos >= 0:
            pos = self._setup(dealer, pos)
        if pos >= 0:
            pos = self._turns(pos)
        if pos >= 0:
            pos = self._close(pos)
        self.deals += 1
        self.turns += self.play.turns
        return pos

    def _setup(self, dealer: int, pos: int) -> int:
        """Scan hands, up cards, stock and talons."""
        data = self.data
        rules = self.rules
        has_stock = data.find(b"\nstock ", pos, self._play_begins(pos)) >= 0
        play = self.play = DealPlay(rules, dealer, self.totals, has_stock)
        pulled: list[tuple[int, ...]] = [()] * rules.players
        dealt = 0
        up: tuple[int, ...] = ()
        while True:
            pos = self._skip_empty(pos)
            byte = data[pos]
            if _ZERO <= byte <= _NINE:
                break
            if data[pos + 1] == _COLON and self.seats[byte] != NONE and data[pos + 2] == _BLANK:
                seat = self.seats[byte]
                if play.hands[seat].size or up:
                    return -1
                pos = self._hand(seat, pos + 3, pulled)
                dealt += 1
            elif data[pos : pos + 3] == b"up ":
                pos = self._list(pos + 3)
                if pos < 0 or up:
                    return -1
                up = tuple(self.cards)
                play.turn_up(self.cards)
            elif data[pos : pos + 6] == b"stock ":
                pos = self._list(pos + 6)
                if pos < 0 or play.stock or play.talons:
                    return -1
                play.set_stock(self.cards)
                play.match_stock(up)
                for turn in range(rules.players):
                    play.match_stock(pulled[(dealer + 1 + turn) % rules.players])
            elif data[pos : pos + 6] == b"talon ":
                pos = self._list(pos + 6)
                if pos < 0:
                    return -1
                play.set_talon(self.cards)
            else:
                break
            if pos < 0:
                return -1
            pos = self._line_end(pos)
            if pos < 0:
                return -1
        if dealt != rules.players or bool(up) != rules.up_turned:
            return -1
        play.begin()
        return -1 if play.violations or play.doubts else pos

    def _play_begins(self, pos: int) -> int:
        """Return where the deal's first turn may begin: where to stop looking for a stock line."""
        at = self.data.find(b"\n1. ", pos)
        return at if at >= 0 else len(self.data)

    def _hand(self, seat: int, pos: int, pulled: list[tuple[int, ...]]) -> int:
        pos = self._list(pos)
        if pos < 0:
            return -1
        dealt = self.cards
        replacements: list[int] = []
        while self.data[pos] == _BLANK and self.data[pos + 1] == _PLUS:
            pos = self._group(pos + 2)
            if pos < 0:
                return -1
            replacements += self.cards
        pulled[seat] = tuple(replacements)
        self.play.deal_hand(seat, dealt, False, replacements)
        return pos

    # --- turns ----------------------------------------------------------------------------------

    def _turns(self, pos: int) -> int:
        """Scan turns and penalties."""
        data = self.data
        play = self.play
        seats = self.seats
        while True:
            byte = data[pos]
            if _ZERO <= byte <= _NINE:
                number = NUMBERS[play.turns] if play.turns < _NUMBERED else b"?"
                if data[pos : pos + len(number)] != number:
                    return -1
                pos += len(number)
                byte = data[pos]
            seat = seats[byte]
            if seat == NONE or data[pos + 1] != _BLANK:
                if byte in (_NEWLINE, _SEMICOLON):
                    pos = self._skip_empty(pos)
                    continue
                if data[pos : pos + 8] != b"penalty ":
                    return pos
                pos = self._penalty(pos + 8)
            else:
                pos = self._turn(seat, pos + 2)
            if pos < 0:
                return -1

    def _turn(self, seat: int, pos: int) -> int:
        """Scan a turn from its draw or take on."""
        data = self.data
        play = self.play
        if data[pos] == _PLUS:
            first = FIRST[data[pos + 1]]
            if first != NONE and data[pos + 3] == _BLANK and data[pos + 4] == _MINUS:
                drawn = PAIR[first + SUIT[data[pos + 2]]]
                first = FIRST[data[pos + 5]]
                if first != NONE and data[pos + 7] == _NEWLINE:
                    code = PAIR[first + SUIT[data[pos + 6]]]
                    if drawn != NONE and code != NONE and play.plain_turn(seat, drawn, code):
                        return pos + 8
        if not play.begin_turn(seat):
            return -1
        play.at = 0
        pos = self._draw(pos) if data[pos] == _PLUS else self._take(pos)
        if pos >= 0:
            pos = self._rest(pos)
        return -1 if play.violations or play.doubts else pos

    def _draw(self, pos: int) -> int:
        data = self.data
        if data[pos + 3] == _BLANK and data[pos + 4] != _PLUS and data[pos + 1] != _STAR:
            code = self._card(pos + 1)
            if code == NONE:
                return -1
            self.play.draw_cards((code,), False)
            return pos + 3
        pos = self._group(pos + 1)
        if pos < 0:
            return -1
        cards = self.cards
        while data[pos] == _BLANK and data[pos + 1] == _PLUS:
            pos = self._group(pos + 2)
            if pos < 0:
                return -1
            cards += self.cards
        self.play.draw_cards(tuple(cards), False)
        return pos

    def _take(self, pos: int) -> int:
        if self.data[pos] != _CARET:
            return -1
        pos = self._group(pos + 1)
        if pos < 0 or len(self.cards) != 1:
            return -1
        card = self.cards[0]
        count = _NO_COUNT
        if self.data[pos] == _SLASH:
            pos = self._number(pos + 1)
            if pos < 0:
                return -1
            count = self.number
        self.play.take(self.play.seat, card, None if count == _NO_COUNT else count)
        return pos

    def _rest(self, pos: int) -> int:
        """Scan what follows the draw or take, to the line's end, and end the turn."""
        data = self.data
        play = self.play
        discarded = False
        opened = _NO_COUNT
        mark = ""
        while data[pos] == _BLANK:
            byte = data[pos + 1]
            if data[pos + 2] == _COLON and not discarded:
                rank = LABEL[byte]
                pos = self._group(pos + 3)
                if rank == NONE or pos < 0:
                    return -1
                play.lay(rank, self.cards)
            elif byte == _MINUS and not discarded:
                if data[pos + 2] == _STAR:
                    code, pos = JOKER, pos + 3
                else:
                    code, pos = self._card(pos + 2), pos + 4
                if code == NONE:
                    return -1
                discarded = True
                play.discard(code)
            elif byte == _HASH and not mark:
                mark = "##" if data[pos + 2] == _HASH else "#"
                pos += 1 + len(mark)
            elif byte == _SEMICOLON:
                break
            elif data[pos : pos + 6] == b" open=" and opened == _NO_COUNT:
                pos = self._number(pos + 6)
                opened = self.number
            else:
                pos = self._rare(pos + 1, discarded)
            if pos < 0 or not play.knowable:
                return -1
        play.end_turn(mark)
        if opened != _NO_COUNT:
            play.judge_open_claim(opened)
        return self._line_end(pos)

    def _rare(self, pos: int, discarded: bool) -> int:
        """Scan a word that few turns have: asking, a talon, a special hand, an annotation."""
        data = self.data
        end = pos
        while data[end] != _BLANK and data[end] != _NEWLINE:
            end += 1
        word = data[pos:end]
        if _ANNOTATION.fullmatch(word):
            return end
        if _CLOCK.fullmatch(word) and data.find(b" @", end, data.index(b"\n", end)) < 0:
            return end
        if word in (b"ask=yes", b"ask=no") and not discarded:
            self.play.ask(word == b"ask=yes")
            return end
        name, colon, _ = word.partition(b":")
        if not colon or self._group(pos + len(name) + 1) != end:
            return -1
        if name == b"talon" and discarded and not self.play.talon_taken:
            self.play.take_talon(tuple(self.cards))
            return end
        if name in (b"straight", b"pairs", b"garbage") and not discarded:
            self.play.lay_special(name.decode(), tuple(self.cards))
            return end
        return -1

    def _side(self, pos: int) -> int:
        """Read a side's name and a blank into `number`."""
        for at, name in enumerate(self.side_names):
            end = pos + len(name)
            if self.data[pos:end] == name and self.data[end] == _BLANK:
                self.number = at
                return end + 1
        return -1

    def _penalty(self, pos: int) -> int:
        pos = self._side(pos)
        if pos < 0:
            return -1
        side = self.number
        pos = self._number(pos)
        if pos < 0 or self.data[pos] != _BLANK:
            return -1
        word = re.compile(rb"[A-Za-z][A-Za-z0-9_-]*").match(self.data, pos + 1)
        if word is None:
            return -1
        self.play.penalize(side, self.number, word[0].decode())
        return -1 if self.play.violations else self._line_end(word.end())

    # --- the end of a deal ----------------------------------------------------------------------

    def _close(self, pos: int) -> int:
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
        pos = self._claims(sheets, pos)
        if self.keep_sheets:
            self.sheets.append(sheets)
            self.endings.append((play.ended, play.ended_by))
        return pos

    def _end(self, pos: int) -> int:
        data = self.data
        if data[pos : pos + 4] != b"end ":
            self.play.end_unclaimed()
            return pos
        seat = -1
        if data[pos + 4 : pos + 8] == b"out ":
            reason, seat, pos = "out", self.seats[data[pos + 8]], pos + 9
        elif data[pos + 4 : pos + 9] == b"stock":
            reason, pos = "stock", pos + 9
        elif data.startswith(b"special ", pos + 4):
            reason, seat, pos = "special", self.seats[data[pos + 12]], pos + 13
        else:
            return -1
        self.play.end(reason, seat)
        return self._line_end(pos)

    def _claims(self, sheets: list[Sheet], pos: int) -> int:
        """Hold the score and total lines to the sheets; add the scores to the totals."""
        data = self.data
        claimed: list[bool] = [False] * len(sheets)
        totals = self.totals
        fresh: list[int] = []
        for at, sheet in enumerate(sheets):
            fresh.append(totals[at] + sum(sheet.points))
        self.totals = fresh
        pos = self._skip_empty(pos)
        while data[pos] == _S and data[pos : pos + 6] == b"score ":
            pos = self._side(pos + 6)
            if pos < 0 or claimed[self.number]:
                return -1
            at = self.number
            claimed[at] = True
            pos = self._signed(pos)
            if pos < 0 or self.number != fresh[at] - totals[at]:
                return -1
            if data[pos] == _BLANK and data[pos + 1] == _EQUALS:
                pos = self._items(sheets[at].points, pos + 2)
            pos = self._skip_line(pos)
            if pos < 0:
                return -1
        if data[pos : pos + 6] == b"total ":
            pos = self._total(pos + 5)
            pos = self._skip_line(pos)
        self.winner = self._winner()
        return pos

    def _skip_line(self, pos: int) -> int:
        if pos >= 0:
            pos = self._line_end(pos)
        return self._skip_empty(pos) if pos >= 0 else -1

    def _items(self, points: list[int], pos: int) -> int:
        """Hold the items of a score to a sheet; items that are not written must be 0."""
        data = self.data
        left = points.copy()
        written = 0
        while data[pos] == _BLANK and data[pos + 1] != _SEMICOLON:
            end = pos + 1
            while data[end] != _BLANK and data[end] != _NEWLINE:
                end += 1
            item = _ITEM_AT.get(data[pos + 1 : end], -1)
            if item < 0 or written & (1 << item):
                return -1
            written |= 1 << item
            pos = self._signed(end + 1)
            if pos < 0 or self.number != left[item]:
                return -1
            left[item] = 0
        return pos if written and not any(left) else -1

    def _total(self, pos: int) -> int:
        claimed: list[bool] = [False] * len(self.totals)
        while self.data[pos] == _BLANK and self.data[pos + 1] != _SEMICOLON:
            pos = self._side(pos + 1)
            if pos < 0 or claimed[self.number]:
                return -1
            at = self.number
            claimed[at] = True
            pos = self._signed(pos)
            if pos < 0 or self.number != self.totals[at]:
                return -1
        return pos if any(claimed) else -1

    def _winner(self) -> int:
        """Return the side that has won, or -1."""
        best = max(self.totals)
        if best < self.rules.target or self.totals.count(best) > 1:
            return -1
        return self.totals.index(best)
