"""The turns, penalties and bonuses of a deal, from bytes to the engine's actions."""

from __future__ import annotations

import re
from typing import Final

from canasta_notation.cards import BLACK_THREE, KIND, KINDS, MOST_MELDS, RANK, RED_THREE
from canasta_notation.counts import i64
from canasta_notation.engine.back import take_back
from canasta_notation.engine.deal import award, penalize
from canasta_notation.engine.discard import discard
from canasta_notation.engine.lay import combine, lay, lay_known, lay_special
from canasta_notation.engine.packets import take_packet
from canasta_notation.engine.stock import draw
from canasta_notation.engine.take import take
from canasta_notation.engine.threes import table_threes
from canasta_notation.engine.turn import ask, begin_turn, end_turn, judge_open_claim, play_plain
from canasta_notation.fields import PACKET_WORDS
from canasta_notation.scan.scan_state import (
    CARD,
    CARET,
    COLON,
    DOT,
    FIRST,
    HASH,
    LABEL,
    MINUS,
    MORE,
    NEWLINE,
    NINE,
    NONE,
    PLUS,
    SEMICOLON,
    SLASH,
    SMALL_T,
    SPACE,
    ZERO,
    Scan,
    add_plain_turn,
    add_turn,
    cards_read,
    end_line,
    read_card,
    read_group,
    read_label,
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


def scan_turns(scan: Scan, pos: i64) -> i64:
    """Scan turns and rulings."""
    data, table, seats, scanned = scan.data, scan.table, scan.rules.seat_at, scan.scanned
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
            end = _scan_between(scan, pos)
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
                    scan.lines += 1
                    pos += 8
                    if scanned is not None:
                        add_plain_turn(scan, scanned, seat, drawn, code)
                    continue
        if scanned is not None:
            begun, line, pile = pos, scan.lines + 1, table.pile_size
        pos = _scan_turn(scan, seat, pos, drawn)
        if pos < 0:
            return -1
        if scanned is not None:
            add_turn(scan, scanned, seat, drawn, pile, line, scan.text[begun : pos - 1])


def _scan_between(scan: Scan, pos: i64) -> i64:
    """Scan a line that can come between turns; return the same position if there is none."""
    if scan.data[pos] in (NEWLINE, SEMICOLON):
        return skip_empty(scan, pos)
    end = read_word(scan, pos, b"penalty ")
    if end >= 0:
        return _scan_ruling(scan, end, False)
    end = read_word(scan, pos, b"bonus ")
    return _scan_ruling(scan, end, True) if end >= 0 else pos


def _scan_turn(scan: Scan, seat: i64, pos: i64, drawn: i64) -> i64:
    """Scan a turn from its draw or take on; `drawn` is the card that begins it, or NONE."""
    data, table = scan.data, scan.table
    if not begin_turn(table, seat):
        return -1
    table.at = 0
    if data[pos] == SMALL_T:
        pos = _scan_threes(scan, pos)
        # A turn that only tables threes, which may end a deal, is read with the grammar.
        if pos < 0 or data[pos] != SPACE or table.ended:
            return -1
        pos += 1
    if drawn != NONE and data[pos + 4] != PLUS:
        scan.read[0] = drawn
        draw(table, scan.read, 1, False)
        pos += 3
    elif data[pos] == PLUS:
        pos = _scan_draw(scan, pos)
    else:
        pos = _scan_take(scan, pos)
    if pos >= 0:
        pos = _scan_rest(scan, pos)
        if table.took and not table.taken.freely:
            scan.tops.append((table.taken.top, table.taken.place))
    if table.violations or table.doubts:
        return -1
    return pos


def _scan_threes(scan: Scan, pos: i64) -> i64:
    """Scan threes that were kept, and the cards that replaced them."""
    pos = read_word(scan, pos, b"threes:")
    if pos >= 0:
        pos = read_group(scan, pos)
    if pos < 0:
        return -1
    threes = tuple(cards_read(scan))
    for code in threes:
        if RANK[code] not in (RED_THREE, BLACK_THREE):
            return -1
    cards: tuple[int, ...] = ()
    if scan.data[pos] == PLUS:
        pos = read_group(scan, pos + 1)
        if pos < 0:
            return -1
        cards = tuple(cards_read(scan))
    table_threes(scan.table, threes, cards, False)
    return pos if scan.table.knowable else -1


def _scan_draw(scan: Scan, pos: i64) -> i64:
    """Scan a draw of several cards, or of a joker."""
    data = scan.data
    pos = read_group(scan, pos + 1)
    while pos >= 0 and data[pos] == SPACE and data[pos + 1] == PLUS:
        pos = read_group(scan, pos + 2, scan.count)
    if pos >= 0:
        draw(scan.table, scan.read, scan.count, False)
    return pos


def _scan_take(scan: Scan, pos: i64) -> i64:
    if scan.data[pos] != CARET:
        return -1
    pos = read_card(scan, pos + 1)
    if pos < 0:
        return -1
    card = scan.card
    count: i64 | None = None
    if scan.data[pos] == SLASH:
        pos = read_number(scan, pos + 1)
        if pos < 0:
            return -1
        count = scan.number
    onto: i64 = -1
    if scan.data[pos] == MORE:
        pos = read_label(scan, pos + 1)
        if pos < 0:
            return -1
        onto = scan.place
    take(scan.table, scan.table.seat, card, count, onto)
    return pos


def _scan_rest(scan: Scan, pos: i64) -> i64:
    """Scan what follows the draw or take, to the line's end, and end the turn."""
    data = scan.data
    table = scan.table
    discarded = False
    opened = _NO_COUNT
    mark = ""
    while data[pos] == SPACE:
        byte = data[pos + 1]
        if data[pos + 2] == COLON and not discarded:
            rank = LABEL[byte]
            pos = read_group(scan, pos + 3)
            if rank == NONE or pos < 0:
                return -1
            if not lay_known(table, rank, scan.read, scan.count):
                lay(table, rank, cards_read(scan))
        elif byte == MINUS and not discarded:
            pos = read_card(scan, pos + 2)
            if pos < 0:
                return -1
            discarded = True
            discard(table, scan.card)
        elif byte == HASH and not mark:
            mark = "##" if data[pos + 2] == HASH else "#"
            pos += 1 + len(mark)
        elif byte == SEMICOLON:
            break
        elif opened == _NO_COUNT and (end := read_word(scan, pos, b" open=")) >= 0:
            pos = read_number(scan, end)
            opened = scan.number
        elif data[pos + 2] in (SLASH, MORE) and LABEL[byte] != NONE and not discarded:
            pos = _scan_numbered(scan, pos + 1)
        else:
            pos = _scan_rare(scan, pos + 1, discarded)
        if pos < 0 or not table.knowable:
            return -1
    end_turn(table, mark)
    if opened != _NO_COUNT:
        judge_open_claim(table, opened)
    return end_line(scan, pos)


def _scan_numbered(scan: Scan, pos: i64) -> i64:
    """Scan a group on a numbered meld, or two melds put together."""
    table, data = scan.table, scan.data
    pos = read_label(scan, pos)
    if pos < 0:
        return -1
    place: i64 = scan.place
    if data[pos] == COLON:
        pos = read_group(scan, pos + 1)
        if pos >= 0:
            lay(table, place, cards_read(scan))
        return pos
    number: i64 = data[pos + 1] - ZERO
    if data[pos] != MORE or not 0 < number <= MOST_MELDS or place == BLACK_THREE:
        return -1
    combine(table, place, KIND[place] + (number - 1) * KINDS)
    return pos + 2


def _scan_rare(scan: Scan, pos: i64, discarded: bool) -> i64:
    """Scan a word that few turns have: asking, a packet, cards taken back, a special hand."""
    data = scan.data
    end = pos
    while data[end] != SPACE and data[end] != NEWLINE:
        end += 1
    word = scan.text[pos:end]
    if word in _ASKED and not discarded:
        ask(scan.table, word == b"ask=yes")
        return end
    if _ANNOTATION.fullmatch(word):
        return end
    rules = scan.table.rules
    packet = rules.packet_word
    if rules.packet_early and word == packet.encode():
        take_packet(scan.table, (), (), packet)
        return end
    if _CLOCK.fullmatch(word) and scan.text.find(b" @", end, scan.text.index(b"\n", end)) < 0:
        return end
    colon = read_name(scan, pos)
    if colon < 0 or data[colon] != COLON:
        return -1
    name = scan.text[pos:colon]
    pos = read_group(scan, colon + 1)
    if name == packet.encode() and (discarded or PACKET_WORDS[packet] != "k"):
        cards = tuple(cards_read(scan))
        replaced: tuple[int, ...] = ()
        if pos >= 0 and data[pos] == PLUS:
            pos = read_group(scan, pos + 1)
            replaced = tuple(cards_read(scan))
        if pos != end:
            return -1
        take_packet(scan.table, cards, replaced, packet)
        return end
    if pos != end:
        return -1
    if name == b"back" and not discarded:
        if scan.text.find(b" back:", end, scan.text.index(b"\n", end)) >= 0:
            return -1
        take_back(scan.table, tuple(cards_read(scan)))
        return end
    kind = name.decode()
    if kind in scan.table.rules.special and not discarded:
        lay_special(scan.table, kind, tuple(cards_read(scan)))
        return end
    return -1


def _scan_ruling(scan: Scan, pos: i64, given: bool) -> i64:
    pos = read_side(scan, pos)
    if pos < 0:
        return -1
    side = scan.number
    pos = read_number(scan, pos)
    if pos < 0 or scan.data[pos] != SPACE:
        return -1
    end = read_name(scan, pos + 1)
    if end < 0:
        return -1
    points, word = scan.number, scan.text[pos + 1 : end].decode()
    if given:
        award(scan.table, side, points)
    else:
        penalize(scan.table, side, points, word)
    if scan.table.violations:
        return -1
    if scan.scanned is not None:
        name = scan.rules.sides[side]
        scan.scanned.deals[-1].rulings.append((name, points if given else -points, word))
    return end_line(scan, end)
