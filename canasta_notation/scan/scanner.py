"""The fast path: the canonical spelling of fully recorded games, from bytes straight to the engine.

No text is stored, and no object is made for a token. The scanner knows only the grammar's canonical
spelling (one space between words, every card with its suit). It gives up at the first text that it
does not know, and at the first violation, doubt or false claim. The Lark reader then reads the
game, and the replay reports. The scanner is not a second engine: the engine checks every rule and
scores every item. A test compares the scanner with the grammar.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from canasta_notation.arrays import COMPILED
from canasta_notation.cards import (
    CODES,
    KIND,
    KINDS,
    LABELS,
    PLACE_OF,
    TEXT,
    parse_cards,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.deal import (
    begin_play,
    claim_concealed,
    deal_hand,
    end_deal,
    end_unclaimed,
    match_stock,
    set_stock,
    turn_up,
)
from canasta_notation.engine.packets import set_packet
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.engine.scoring import ITEM_COUNT, ItemSums, winner_of, write_score
from canasta_notation.engine.table import BEFORE_PLAY, NO_CARDS, OPEN, Table, reset_table
from canasta_notation.notation.blocks import is_too_long
from canasta_notation.notation.tag_values import TAGS, is_date, likely_tag, read_result, read_target
from canasta_notation.rules import load_profile, parse_rules
from canasta_notation.rules.items import ITEMS
from canasta_notation.scan.scan_state import (
    AHEAD,
    CARET,
    COLON,
    EQUALS,
    NEWLINE,
    NINE,
    NONE,
    PADDING,
    PLUS,
    SEMICOLON,
    SPACE,
    ZERO,
    Scan,
    ScannedDeal,
    begin_game,
    cards_read,
    end_line,
    match_totals,
    next_line,
    read_group,
    read_list,
    read_name,
    read_number,
    read_side,
    read_signed,
    read_word,
    skip_empty,
    use_rules,
)
from canasta_notation.scan.turn_bytes import scan_turns
from canasta_notation.scan.verified import VerifiedGame
from canasta_notation.search.able import stock_over

_ITEM_WORDS: Final[list[bytes]] = [f" {item} ".encode() for item in ITEMS]
_ITEM_AT: Final = {item.encode(): at for at, item in enumerate(ITEMS)}
#: A turn's seat, and its words up to a comment.
_TURN: Final = re.compile(rb"^(?:[0-9]+\. )?([A-Z]) ([^;\n]+)", re.MULTILINE)
#: A group, or a meld that is put on another one: its label, and the cards or the other's number.
_LAID: Final = re.compile(r" ([^ :>](?:/[^ :>])?)([:>])([^ ]+)")
_KNOWN: Final = frozenset(tag.encode() for tag in TAGS)
_OPENS: Final = 91
_QUOTE: Final = 34
_BACKSLASH: Final = 92
_DELETE: Final = 127
_ASCII: Final = 128
_NO_TEXT: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def scan_game(scan: Scan, record: bytes, number: int, line: int = 1) -> VerifiedGame | None:
    """Return a game that the fast path verifies, None if the Lark reader has to read it.

    `number` is its place in the file, and `line` is the line of its first byte; both count from 1.
    """
    if is_too_long(record):
        return None
    begin_game(scan, record + PADDING, line)
    scan.head = scan_tags(scan)
    if scan.head < 0 or (b";" in record and not is_clean(record)):
        return None
    scan.totals = [0] * len(scan.rules.sides)
    if _scan_deals(scan, scan.head) and result_holds(scan):
        return VerifiedGame(scan, number, line)
    return None


def _scan_deals(scan: Scan, pos: i64) -> bool:
    while True:
        pos = skip_empty(scan, pos)
        if scan.data[pos] == 0:
            return scan.deals > 0 and pos == len(scan.data) - AHEAD
        pos = _scan_deal(scan, pos)
        if pos < 0:
            return False


def _scan_deal(scan: Scan, pos: i64) -> i64:
    """Scan a deal, from its `deal` line to the next one."""
    start = scan.lines + 1
    data = scan.data
    pos = read_word(scan, pos, b"deal ")
    if pos < 0 or scan.winner >= 0:
        return -1
    pos = read_number(scan, pos)
    if pos < 0 or scan.number != scan.deals + 1:
        return -1
    dealer = scan.dealer
    named = read_word(scan, pos, b" dealer ")
    if named >= 0:
        dealer = scan.rules.seat_at[data[named]]
        pos = named + 1
    if dealer < 0 or dealer == NONE or (scan.dealer >= 0 and dealer != scan.dealer):
        return -1
    scan.dealer = (dealer + 1) % scan.rules.players
    pos = end_line(scan, pos)
    if pos >= 0:
        pos = _scan_setup(scan, pos)
    if pos < 0 or not _deal_out(scan, dealer, scan.deals + 1):
        return -1
    if scan.scanned is not None:
        scan.scanned.deals.append(ScannedDeal(scan, start))
    turns = pos
    pos = scan_turns(scan, pos)
    if pos >= 0:
        pos = _scan_after_play(scan, turns, pos)
    if pos >= 0:
        scan.deals += 1
        scan.turns += scan.table.turn
    return pos


# --- the lines before play ------------------------------------------------------------------------


def _scan_setup(scan: Scan, pos: i64) -> i64:
    """Read hands, up cards, stock and packets, in this order.

    All of them are read before any card is dealt, because the stock line, which comes late, decides
    how the cards before it are accounted for.
    """
    data, rules = scan.data, scan.rules
    #: What has been read: 1 for up cards, 2 for a stock, 3 for a packet.
    stage: i64 = 0
    scan.seated = 0
    scan.up = NO_CARDS
    scan.stock = NO_CARDS
    scan.packets = ()
    while True:
        pos = skip_empty(scan, pos)
        byte: i64 = data[pos]
        if ZERO <= byte <= NINE:
            return pos
        seat: i64 = rules.seat_at[byte]
        if seat != NONE and data[pos + 1] == COLON and data[pos + 2] == SPACE:
            pos = _scan_hand(scan, seat, pos + 3) if stage == 0 else -1
        elif (end := read_word(scan, pos, b"up ")) >= 0:
            pos = read_list(scan, end) if stage == 0 else -1
            scan.up, stage = cards_read(scan), 1
        elif (end := read_word(scan, pos, b"stock ")) >= 0:
            pos = read_list(scan, end) if stage < 2 else -1
            scan.stock, stage = cards_read(scan), 2
        elif (end := read_word(scan, pos, rules.packet_line)) >= 0:
            seat = -1
            if rules.packet_of_seat:
                seat = rules.seat_at[data[end]] if data[end + 1] == SPACE else NONE
                end += 2
            pos = -1 if seat == NONE else read_list(scan, end)
            scan.packets += ((seat, list(cards_read(scan))),)
            stage = 3
        else:
            return pos
        if pos >= 0:
            pos = end_line(scan, pos)
        if pos < 0:
            return -1


def _scan_hand(scan: Scan, seat: i64, pos: i64) -> i64:
    pos = read_list(scan, pos)
    if pos < 0 or scan.seated >> seat & 1:
        return -1
    scan.seated |= 1 << seat
    scan.hands[seat] = cards_read(scan)
    scan.replacements[seat] = NO_CARDS
    scan.count = 0
    while pos >= 0 and scan.data[pos] == SPACE and scan.data[pos + 1] == PLUS:
        pos = read_group(scan, pos + 2, scan.count)
        scan.replacements[seat] = cards_read(scan)
    return pos


def _deal_out(scan: Scan, dealer: i64, number: i64) -> bool:
    """Deal the cards that were read; return whether they are complete and break no rule."""
    rules, totals = scan.rules, scan.totals
    turned = len(scan.up) > 0
    if scan.seated != (1 << rules.players) - 1 or turned != rules.up_turned:
        return False
    has_stock = len(scan.stock) > 0
    if scan.rows:
        scan.table = Table(rules, dealer, totals, has_stock, number)
    else:
        reset_table(scan.table, dealer, totals, has_stock, number)
    table = scan.table
    scan.tops = []
    for seat in range(rules.players):
        deal_hand(table, seat, scan.hands[seat], False, scan.replacements[seat])
    if turned:
        turn_up(table, scan.up)
    if has_stock:
        set_stock(table, scan.stock)
        match_stock(table, scan.up)
        for turn in range(rules.players):
            match_stock(table, scan.replacements[(dealer + 1 + turn) % rules.players])
    for seat, packet in scan.packets:
        set_packet(table, packet, rules.packet_word, seat)
    begin_play(table)
    return not (table.violations or table.doubts)


# --- the end of a deal ----------------------------------------------------------------------------


def _scan_after_play(scan: Scan, turns: i64, pos: i64) -> i64:
    """Scan what follows a deal's turns, and compare it with the table; turns begin at `turns`."""
    table = scan.table
    if table.turn == BEFORE_PLAY:
        return -1
    pos = _scan_end(scan, turns, skip_empty(scan, pos))
    if pos < 0 or table.ended == OPEN or table.violations or table.doubts:
        return -1
    if scan.rows:
        scan.sums = [ItemSums() for _ in scan.totals]
    for at, of_side in enumerate(scan.sums):
        of_side.clear()
        write_score(table, at, of_side)
        if not of_side.known:
            return -1
    return _scan_claims(scan, pos)


def _scan_end(scan: Scan, turns: i64, pos: i64) -> i64:
    """Scan the end line, and the table at the end if one follows it."""
    end = read_word(scan, pos, b"end ")
    if end < 0:
        end_unclaimed(scan.table, stock_over(scan.table), False)
        return pos
    seat: i64 = -1
    if (pos := read_word(scan, end, b"out ")) >= 0:
        reason, seat, pos = "out", scan.rules.seat_at[scan.data[pos]], pos + 1
    elif (pos := read_word(scan, end, b"special ")) >= 0:
        reason, seat, pos = "special", scan.rules.seat_at[scan.data[pos]], pos + 1
    elif (pos := read_word(scan, end, b"stock")) >= 0:
        reason = "stock"
    else:
        return -1
    if seat == NONE:
        return -1
    end_deal(scan.table, reason, seat, stock_over(scan.table))
    if reason == "out" and (end := read_word(scan, pos, b" concealed")) >= 0:
        claim_concealed(scan.table)
        pos = end
    pos = end_line(scan, pos)
    if pos < 0:
        return -1
    return _scan_shown_table(scan, turns, pos)


def _scan_claims(scan: Scan, pos: i64) -> i64:
    """Compare the score and total lines with the sums; add the scores to the totals."""
    data, sums, totals = scan.data, scan.sums, scan.totals
    fresh: list[int] = [totals[at] + of_side.total() for at, of_side in enumerate(sums)]
    scan.totals = fresh
    scan.winner = winner_of(scan.rules, fresh, scan.deals + 1)
    pos = skip_empty(scan, pos)
    scanned = None if scan.scanned is None else scan.scanned.deals[-1]
    if scanned is not None:
        scanned.totals, scanned.sums = fresh, sums
    if not COMPILED:
        # Interpreted code writes the lines that most records have faster than it reads them.
        text = _true_claims(scan, totals)
        end = pos + len(text)
        if scan.text[pos:end] == text:
            if scanned is not None:
                for at, of_side in enumerate(sums):
                    scanned.claimed[at] = [
                        item for item in range(len(ITEMS)) if of_side.points[item]
                    ]
                scanned.totalled = (1 << len(sums)) - 1
            scan.lines += len(sums) + 1
            return skip_empty(scan, end)
    claimed: i64 = 0
    while (end := read_word(scan, pos, b"score ")) >= 0:
        pos = read_side(scan, end)
        at = scan.number
        if pos < 0 or claimed >> at & 1:
            return -1
        claimed |= 1 << at
        pos = read_signed(scan, pos)
        if pos < 0 or scan.number != fresh[at] - totals[at]:
            return -1
        listed: list[int] | None = None if scanned is None else []
        if data[pos] == SPACE and data[pos + 1] == EQUALS:
            pos = _scan_items(scan, sums[at].points, pos + 2, listed)
        if scanned is not None:
            scanned.claimed[at] = listed
        pos = next_line(scan, pos)
        if pos < 0:
            return -1
    end = read_word(scan, pos, b"total")
    if end >= 0:
        if data[end] != SPACE:
            return -1
        pos = next_line(scan, match_totals(scan, end + 1))
        if scanned is not None:
            scanned.totalled = scan.number
    return pos


def _true_claims(scan: Scan, before: list[int]) -> bytes:
    """Return the bytes of the true score lines, with every item in order, and the total line."""
    text = ""
    total = "total"
    for at, side in enumerate(scan.rules.sides):
        text += f"score {side} {scan.totals[at] - before[at]}"
        equals = " ="
        for item, points in enumerate(scan.sums[at].points):
            if points:
                text += f"{equals} {ITEMS[item]} {points}"
                equals = ""
        text += "\n"
        total += f" {side} {scan.totals[at]}"
    return f"{text}{total}\n".encode()


def _scan_items(scan: Scan, points: vec[i64], pos: i64, listed: list[int] | None) -> i64:
    """Compare the items of a score with the sums, and list them; other items must be 0."""
    data = scan.data
    written: i64 = 0
    due: i64 = 0
    while True:
        while due < ITEM_COUNT - 1 and (written >> due & 1 or not points[due]):
            due += 1
        if data[pos] != SPACE or data[pos + 1] == SEMICOLON:
            break
        end = read_word(scan, pos, _ITEM_WORDS[due])
        item: i64 = due
        if end < 0:
            end = pos + 1
            while data[end] != SPACE and data[end] != NEWLINE:
                end += 1
            if data[end] != SPACE:
                return -1
            item = _ITEM_AT.get(scan.text[pos + 1 : end], -1)
            end += 1
        if item < 0 or written >> item & 1:
            return -1
        written |= 1 << item
        if listed is not None:
            listed.append(item)
        pos = read_signed(scan, end)
        if pos < 0 or scan.number != points[item]:
            return -1
    if written and (written >> due & 1 or not points[due]):
        return pos
    return -1


# --- the table at the end -------------------------------------------------------------------------


def _scan_shown_table(scan: Scan, turns: i64, pos: i64) -> i64:
    """Scan melds, threes and hands, in this order, and compare them with the play, card by card.

    Any of these lines may be missing. The deal's turns are the bytes from `turns` to `pos`.
    """
    rules, table = scan.rules, scan.table
    pos = skip_empty(scan, pos)
    if read_word(scan, pos, b"melds ") >= 0:
        boards = _melded(scan, turns, pos)
        for at, side in enumerate(rules.sides):
            pos = _scan_melds(scan, pos, f"melds {side}".encode(), boards[at])
    if pos >= 0 and read_word(scan, pos, b"threes ") >= 0:
        for at, side in enumerate(rules.sides):
            threes = table.threes[at * CODES : (at + 1) * CODES]
            pos = _scan_cards(scan, pos, f"threes {side}".encode(), threes)
    if pos >= 0 and read_word(scan, pos, b"left ") >= 0:
        for at, seat in enumerate(rules.seats):
            hand = table.counts[at * CODES : (at + 1) * CODES]
            pos = _scan_cards(scan, pos, f"left {seat}".encode(), hand)
    return pos


def _scan_cards(scan: Scan, pos: i64, name: bytes, counts: vec[i64]) -> i64:
    """Scan the line that begins with `name`, if there is one; it must list the counted cards."""
    end = read_word(scan, pos, name) if pos >= 0 else -1
    if end < 0:
        return pos
    cards = "".join([f" {TEXT[code]}" * counts[code] for code in range(CODES)])
    return next_line(scan, read_word(scan, end, cards.encode()))


def _scan_melds(scan: Scan, pos: i64, name: bytes, board: dict[int, list[int]]) -> i64:
    """Scan the line that begins with `name`, if there is one; it must list the melds of `board`."""
    end = read_word(scan, pos, name) if pos >= 0 else -1
    if end < 0:
        return pos
    for place in sorted(board, key=lambda place: (KIND[place], place)):
        end = read_word(scan, end, f" {LABELS[place]}:".encode())
        if end >= 0:
            end = read_group(scan, end)
        if end < 0 or sorted(cards_read(scan)) != sorted(board[place]):
            return -1
    return next_line(scan, end)


def _melded(scan: Scan, start: i64, end: i64) -> list[dict[int, list[int]]]:
    """Return the cards of each side's melds by place, read again from the verified turns."""
    rules = scan.rules
    boards: list[dict[int, list[int]]] = [{} for _ in rules.sides]
    tops = iter(scan.tops)
    for seat, words in _TURN.findall(scan.text, start, end):
        board = boards[rules.side_of[rules.seat_at[seat[0]]]]
        for label, mark, rest in _LAID.findall(words.decode()):
            place = PLACE_OF[label]
            if mark == ":":
                board.setdefault(place, []).extend(parse_cards(rest))
            else:
                onto = place % KINDS + KINDS * (int(rest) - 1)
                board.setdefault(onto, []).extend(board.pop(place))
        if words[0] == CARET and not rules.takes_freely:
            top, place = next(tops)
            board.setdefault(place, []).append(top)
    return boards


def scan_tags(scan: Scan) -> i64:
    """Scan the tags, and use the rules that they name; return where the first deal begins.

    Returns -1 if a line is not a plain tag, or if a tag has a wrong value or a name that is likely
    to be wrong.
    """
    tags = scan.tags = {}
    text = scan.text
    plain = True
    pos = skip_empty(scan, 0)
    while scan.data[pos] == _OPENS:
        start = pos + 1
        end = read_name(scan, start)
        if end < 0 or scan.data[end] != SPACE or scan.data[end + 1] != _QUOTE:
            return -1
        name = text[start:end]
        if name in tags or (name not in _KNOWN and likely_tag(name.decode())):
            return -1
        tags[name] = end + 2
        pos = end + 2
        byte: i64 = scan.data[pos]
        while byte != _QUOTE:
            if byte < SPACE or byte in (_BACKSLASH, _DELETE):
                return -1
            plain = plain and byte < _ASCII
            pos += 1
            byte = scan.data[pos]
        pos = read_word(scan, pos, b'"]\n')
        if pos < 0:
            return -1
        scan.lines += 1
        pos = skip_empty(scan, pos)
    if read_word(scan, pos, b"deal ") < 0 or not (plain or is_clean(text[:pos])):
        return -1
    return pos if _tags_hold(scan) else -1


def _tags_hold(scan: Scan) -> bool:
    """Take the rules and the first dealer from the tags; return whether the tags are right."""
    date, dealer = _value(scan, b"Date"), _value(scan, b"Dealer")
    if _value(scan, b"CGN") != b"1" or (date is not None and not is_date(date.decode())):
        return False
    rules_text = _value(scan, b"Rules")
    scan.by_default = scan.override is None and not (rules_text and rules_text.strip())
    rules = _find_rules(rules_text, _value(scan, b"Target"))
    if rules is None:
        return False
    if scan.override is None and rules is not scan.rules:
        use_rules(scan, rules)
    scan.dealer = -1
    if dealer is not None:
        scan.dealer = scan.rules.seat_at[dealer[0]] if len(dealer) == 1 else NONE
    return scan.dealer != NONE


def _value(scan: Scan, name: bytes) -> bytes | None:
    start = scan.tags.get(name)
    return None if start is None else scan.text[start : scan.text.index(b'"', start)]


@lru_cache(maxsize=256)
def _find_rules(text: bytes | None, target: bytes | None) -> Rules | None:
    """Return the rules that two tags name, None if they cannot be used."""
    profile = load_profile("classic")
    if text is not None:
        reading = parse_rules(text.decode())
        if reading.profile is None:
            return None
        profile = reading.profile
    if target is not None:
        points = read_target(target.decode())
        if points is None or (profile["target"] != points and "target" in profile.overridden):
            return None
        profile = profile.with_values({"target": points})
    return rules_of(profile)


def result_holds(scan: Scan) -> bool:
    """Return whether the claimed result, if there is one, agrees with the totals."""
    pos = scan.tags.get(b"Result", -1)
    if pos < 0:
        return True
    end = match_totals(scan, pos)
    sides = scan.rules.sides
    if end >= 0 and scan.data[end] == _QUOTE and scan.number == (1 << len(sides)) - 1:
        return True
    value = _value(scan, b"Result") or b""
    result = read_result(value.decode(), sides)
    if result is None or (not result and scan.winner >= 0):
        return False
    return not result or [result[side] for side in sides] == scan.totals


def is_clean(text: bytes) -> bool:
    """Return whether bytes are text without control characters."""
    try:
        return _NO_TEXT.search(text.decode()) is None
    except UnicodeDecodeError:
        return False
