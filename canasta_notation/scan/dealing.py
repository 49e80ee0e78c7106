"""The lines before a deal's first turn, from bytes to the engine's dealing.

All of them are read before any card is dealt, because the stock line, which comes late, decides how
the cards before it are accounted for.
"""

from __future__ import annotations

from canasta_notation.counts import i64
from canasta_notation.engine.deal import (
    begin_play,
    deal_hand,
    match_stock,
    set_stock,
    set_talon,
    turn_up,
)
from canasta_notation.engine.table import NO_CARDS, Table, reset_table
from canasta_notation.scan.pieces import (
    COLON,
    NINE,
    PLUS,
    SPACE,
    ZERO,
    cards_read,
    end_line,
    read_group,
    read_list,
    read_word,
    skip_empty,
)
from canasta_notation.scan.scan_state import NONE, Reader


def scan_setup(reader: Reader, pos: i64) -> i64:
    """Read hands, up cards, stock and talons, in this order."""
    data = reader.data
    reader.seated = 0
    reader.up = NO_CARDS
    reader.stock = NO_CARDS
    reader.talons = ()
    while True:
        pos = skip_empty(reader, pos)
        byte: i64 = data[pos]
        if ZERO <= byte <= NINE:
            return pos
        seat: i64 = reader.seats[byte]
        if seat != NONE and data[pos + 1] == COLON and data[pos + 2] == SPACE:
            pos = _scan_hand(reader, seat, pos + 3)
        elif (end := read_word(reader, pos, b"up ")) >= 0:
            pos = _scan_up(reader, end)
        elif (end := read_word(reader, pos, b"stock ")) >= 0:
            pos = _scan_stock(reader, end)
        elif (end := read_word(reader, pos, b"talon ")) >= 0:
            pos = read_list(reader, end)
            reader.talons += (list(reader.listed),)
        else:
            return pos
        if pos >= 0:
            pos = end_line(reader, pos)
        if pos < 0:
            return -1


def _scan_hand(reader: Reader, seat: i64, pos: i64) -> i64:
    if len(reader.up) or len(reader.stock) or reader.talons or reader.seated >> seat & 1:
        return -1
    pos = read_list(reader, pos)
    if pos < 0:
        return -1
    reader.seated |= 1 << seat
    reader.hands[seat] = reader.listed
    reader.replacements[seat] = NO_CARDS
    reader.count = 0
    while pos >= 0 and reader.data[pos] == SPACE and reader.data[pos + 1] == PLUS:
        pos = read_group(reader, pos + 2, reader.count)
        reader.replacements[seat] = cards_read(reader)
    return pos


def _scan_up(reader: Reader, pos: i64) -> i64:
    if len(reader.up) or len(reader.stock) or reader.talons:
        return -1
    pos = read_list(reader, pos)
    reader.up = reader.listed
    return pos


def _scan_stock(reader: Reader, pos: i64) -> i64:
    if len(reader.stock) or reader.talons:
        return -1
    pos = read_list(reader, pos)
    reader.stock = reader.listed
    return pos


def deal_out(reader: Reader, dealer: i64, totals: list[int]) -> bool:
    """Deal the cards that were read; return whether they are complete and break no rule."""
    rules = reader.rules
    turned = len(reader.up) > 0
    if reader.seated != (1 << rules.players) - 1 or turned != rules.up_turned:
        return False
    has_stock = len(reader.stock) > 0
    if reader.keep:
        reader.table = Table(rules, dealer, totals, has_stock)
    else:
        reset_table(reader.table, dealer, totals, has_stock)
    table = reader.table
    for seat in range(rules.players):
        deal_hand(table, seat, reader.hands[seat], False, reader.replacements[seat])
    if turned:
        turn_up(table, reader.up)
    if has_stock:
        set_stock(table, reader.stock)
        match_stock(table, reader.up)
        for turn in range(rules.players):
            match_stock(table, reader.replacements[(dealer + 1 + turn) % rules.players])
    for talon in reader.talons:
        set_talon(table, talon)
    begin_play(table)
    return not (table.violations or table.doubts)
