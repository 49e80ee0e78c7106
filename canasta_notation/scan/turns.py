"""The turns and penalties of a deal, from bytes to the engine's actions."""

from __future__ import annotations

import re
from typing import Final

from canasta_notation.counts import i64
from canasta_notation.engine.deal import penalize
from canasta_notation.engine.discard import discard, take_talon
from canasta_notation.engine.lay import lay, lay_known, lay_special
from canasta_notation.engine.stock import draw
from canasta_notation.engine.take import take
from canasta_notation.engine.turn import ask, begin_turn, end_turn, judge_open_claim, play_plain
from canasta_notation.scan.scan_state import (
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
    SEMICOLON,
    SLASH,
    SPACE,
    ZERO,
    Reader,
    cards_read,
    end_line,
    keep_plain,
    keep_turn,
    read_card,
    read_group,
    read_name,
    read_number,
    read_side,
    read_word,
    skip_empty,
)

_NO_COUNT: Final = -1
_ASKED: Final = (b"ask=yes", b"ask=no")
_ANNOTATION: Final = re.compile(rb"!!|\?\?|!\?|\?!|!|\?|\$[0-9]{1,3}")
_CLOCK: Final = re.compile(rb"@[0-9]{1,9}(\.[0-9]{1,9})?")


def scan_turns(reader: Reader, pos: i64) -> i64:
    """Scan turns and penalties."""
    data, table, seats, kept = reader.data, reader.table, reader.rules.seat_at, reader.kept
    begun: i64 = 0
    line: i64 = 0
    pile: i64 = 0
    while True:
        numbered = False
        byte: i64 = data[pos]
        if ZERO < byte <= NINE:
            number: i64 = byte - ZERO
            due = table.turn + 1
            pos += 1
            byte = data[pos]
            while number < due and ZERO <= byte <= NINE:
                number = number * 10 + byte - ZERO
                pos += 1
                byte = data[pos]
            if number != due or byte != DOT or data[pos + 1] != SPACE:
                return -1
            pos += 2
            byte = data[pos]
            numbered = True
        seat = seats[byte]
        if seat == NONE or data[pos + 1] != SPACE:
            if numbered:
                return -1
            end = _scan_between(reader, pos)
            if end <= pos:
                return end
            pos = end
            continue
        pos += 2
        drawn: i64 = NONE
        if data[pos] == PLUS and data[pos + 3] == SPACE:
            drawn = CARD[FIRST[data[pos + 1]] + data[pos + 2]]
            if data[pos + 4] == MINUS and data[pos + 7] == NEWLINE:
                code = CARD[FIRST[data[pos + 5]] + data[pos + 6]]
                if play_plain(table, seat, drawn, code):
                    reader.lines += 1
                    pos += 8
                    if kept is not None:
                        keep_plain(reader, kept, seat, drawn, code)
                    continue
        if kept is not None:
            begun, line, pile = pos, reader.lines + 1, table.pile_size
        pos = _scan_turn(reader, seat, pos, drawn)
        if pos < 0:
            return -1
        if kept is not None:
            keep_turn(reader, kept, seat, drawn, pile, line, reader.text[begun : pos - 1])


def _scan_between(reader: Reader, pos: i64) -> i64:
    """Scan a line that can stand between turns; return the same position if there is none."""
    if reader.data[pos] in (NEWLINE, SEMICOLON):
        return skip_empty(reader, pos)
    end = read_word(reader, pos, b"penalty ")
    return _scan_penalty(reader, end) if end >= 0 else pos


def _scan_turn(reader: Reader, seat: i64, pos: i64, drawn: i64) -> i64:
    """Scan a turn from its draw or take on; `drawn` is the card that begins it, or NONE."""
    data, table = reader.data, reader.table
    if not begin_turn(table, seat):
        return -1
    table.at = 0
    if drawn != NONE and data[pos + 4] != PLUS:
        reader.read[0] = drawn
        draw(table, reader.read, 1, False)
        pos += 3
    elif data[pos] == PLUS:
        pos = _scan_draw(reader, pos)
    else:
        pos = _scan_take(reader, pos)
    if pos >= 0:
        pos = _scan_rest(reader, pos)
    if table.violations or table.doubts:
        return -1
    return pos


def _scan_draw(reader: Reader, pos: i64) -> i64:
    """Scan a draw of several cards, or of a joker."""
    data = reader.data
    pos = read_group(reader, pos + 1)
    while pos >= 0 and data[pos] == SPACE and data[pos + 1] == PLUS:
        pos = read_group(reader, pos + 2, reader.count)
    if pos >= 0:
        draw(reader.table, reader.read, reader.count, False)
    return pos


def _scan_take(reader: Reader, pos: i64) -> i64:
    if reader.data[pos] != CARET:
        return -1
    pos = read_card(reader, pos + 1)
    if pos < 0:
        return -1
    count: i64 | None = None
    if reader.data[pos] == SLASH:
        pos = read_number(reader, pos + 1)
        if pos < 0:
            return -1
        count = reader.number
    take(reader.table, reader.table.seat, reader.card, count)
    return pos


def _scan_rest(reader: Reader, pos: i64) -> i64:
    """Scan what follows the draw or take, to the line's end, and end the turn."""
    data = reader.data
    table = reader.table
    discarded = False
    opened = _NO_COUNT
    mark = ""
    while data[pos] == SPACE:
        byte = data[pos + 1]
        if data[pos + 2] == COLON and not discarded:
            rank = LABEL[byte]
            pos = read_group(reader, pos + 3)
            if rank == NONE or pos < 0:
                return -1
            if not lay_known(table, rank, reader.read, reader.count):
                lay(table, rank, cards_read(reader))
        elif byte == MINUS and not discarded:
            pos = read_card(reader, pos + 2)
            if pos < 0:
                return -1
            discarded = True
            discard(table, reader.card)
        elif byte == HASH and not mark:
            mark = "##" if data[pos + 2] == HASH else "#"
            pos += 1 + len(mark)
        elif byte == SEMICOLON:
            break
        elif opened == _NO_COUNT and (end := read_word(reader, pos, b" open=")) >= 0:
            pos = read_number(reader, end)
            opened = reader.number
        else:
            pos = _scan_rare(reader, pos + 1, discarded)
        if pos < 0 or not table.knowable:
            return -1
    end_turn(table, mark)
    if opened != _NO_COUNT:
        judge_open_claim(table, opened)
    return end_line(reader, pos)


def _scan_rare(reader: Reader, pos: i64, discarded: bool) -> i64:
    """Scan a word that few turns have: asking, a talon, a special hand, an annotation."""
    data = reader.data
    end = pos
    while data[end] != SPACE and data[end] != NEWLINE:
        end += 1
    word = reader.text[pos:end]
    if word in _ASKED and not discarded:
        ask(reader.table, word == b"ask=yes")
        return end
    if _ANNOTATION.fullmatch(word):
        return end
    if _CLOCK.fullmatch(word) and reader.text.find(b" @", end, reader.text.index(b"\n", end)) < 0:
        return end
    name, colon, _ = word.partition(b":")
    if not colon or read_group(reader, pos + len(name) + 1) != end:
        return -1
    if name == b"talon" and discarded and not reader.table.talon_taken:
        take_talon(reader.table, tuple(cards_read(reader)))
        return end
    if name in (b"straight", b"pairs", b"garbage") and not discarded:
        lay_special(reader.table, name.decode(), tuple(cards_read(reader)))
        return end
    return -1


def _scan_penalty(reader: Reader, pos: i64) -> i64:
    pos = read_side(reader, pos)
    if pos < 0:
        return -1
    side = reader.number
    pos = read_number(reader, pos)
    if pos < 0 or reader.data[pos] != SPACE:
        return -1
    end = read_name(reader, pos + 1)
    if end < 0:
        return -1
    points, word = reader.number, reader.text[pos + 1 : end].decode()
    penalize(reader.table, side, points, word)
    if reader.table.violations:
        return -1
    if reader.kept is not None:
        name = reader.rules.sides[side]
        reader.kept.deals[-1].penalties.append((name, points, word))
    return end_line(reader, end)
