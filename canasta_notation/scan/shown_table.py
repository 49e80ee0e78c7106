"""The table at a deal's end, from bytes: compared with the play's, card by card."""

from __future__ import annotations

import re
from typing import Final

from canasta_notation.cards import CODES, RANK, RANK_LETTERS, TEXT, parse_cards
from canasta_notation.counts import i64, vec
from canasta_notation.scan.pieces import (
    CARET,
    cards_read,
    next_line,
    read_group,
    read_word,
    skip_empty,
)
from canasta_notation.scan.scan_state import Reader

#: A turn's seat, and its words up to a comment.
_TURN: Final = re.compile(rb"^(?:[0-9]+\. )?([A-Z]) ([^;\n]+)", re.MULTILINE)


def scan_shown_table(reader: Reader, turns: i64, pos: i64) -> i64:
    """Scan melds, threes and hands, in this order; any of these lines may be missing.

    The deal's turns are the bytes from `turns` to `pos`.
    """
    rules, table = reader.rules, reader.table
    pos = skip_empty(reader, pos)
    if read_word(reader, pos, b"melds ") >= 0:
        boards = _melded(reader, turns, pos)
        for at, side in enumerate(rules.sides):
            pos = _scan_melds(reader, pos, f"melds {side}".encode(), boards[at])
    if pos >= 0 and read_word(reader, pos, b"threes ") >= 0:
        for at, side in enumerate(rules.sides):
            threes = table.threes[at * CODES : (at + 1) * CODES]
            pos = _scan_cards(reader, pos, f"threes {side}".encode(), threes)
    if pos >= 0 and read_word(reader, pos, b"left ") >= 0:
        for at, seat in enumerate(rules.seats):
            hand = table.counts[at * CODES : (at + 1) * CODES]
            pos = _scan_cards(reader, pos, f"left {seat}".encode(), hand)
    return pos


def _scan_cards(reader: Reader, pos: i64, name: bytes, counts: vec[i64]) -> i64:
    """Scan the line that begins with `name`, if there is one; it must list the counted cards."""
    end = read_word(reader, pos, name) if pos >= 0 else -1
    if end < 0:
        return pos
    cards = "".join([f" {TEXT[code]}" * counts[code] for code in range(CODES)])
    return next_line(reader, read_word(reader, end, cards.encode()))


def _scan_melds(reader: Reader, pos: i64, name: bytes, board: dict[int, list[int]]) -> i64:
    """Scan the line that begins with `name`, if there is one; it must list the melds of `board`."""
    end = read_word(reader, pos, name) if pos >= 0 else -1
    if end < 0:
        return pos
    for rank in sorted(board):
        end = read_word(reader, end, f" {RANK_LETTERS[rank]}:".encode())
        if end >= 0:
            end = read_group(reader, end)
        if end < 0 or sorted(cards_read(reader)) != sorted(board[rank]):
            return -1
    return next_line(reader, end)


def _melded(reader: Reader, start: i64, end: i64) -> list[dict[int, list[int]]]:
    """Return the cards of each side's melds by rank, read again from the verified turns."""
    rules = reader.rules
    boards: list[dict[int, list[int]]] = [{} for _ in rules.sides]
    for seat, words in _TURN.findall(reader.text, start, end):
        board = boards[rules.side_of[reader.seats[seat[0]]]]
        for word in words.decode().split():
            if word[0] == chr(CARET):
                top = parse_cards(word[1:].partition("/")[0])[0]
                board.setdefault(RANK[top], []).append(top)
            elif word[1:2] == ":":
                cards = parse_cards(word[2:])
                label = RANK_LETTERS.rindex(word[0])
                board.setdefault(label, []).extend(cards)
    return boards
