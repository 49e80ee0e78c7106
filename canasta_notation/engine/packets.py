"""Packets: cards set aside in the deal, which one hand gets later.

A talon is a side's and is earned by opening (American); a foot is a seat's and is picked up when
its hand is empty (Hand and Foot), or when it has completed a canasta (Pennies from Heaven). When a
packet is due, and to whom, is asked here alone.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.arrays import array
from canasta_notation.cards import EXACT, RANK, UNKNOWN
from canasta_notation.counts import i64
from canasta_notation.engine.hands import add_card, loose_cards
from canasta_notation.engine.knowledge import add_unknown_again, unaccount
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.side import (
    lacks_canastas,
    report_canastas,
    table_three,
    unfinished_melds,
)
from canasta_notation.engine.stock import (
    account,
    agree,
    note_open,
    pair,
    pull,
    replace_threes,
    same_card,
    same_rank,
)
from canasta_notation.engine.table import LINE, Table, doubt, mark_unknowable, violate

#: The key of the rule by which a turn earns no talon, by the message of `packet` that says so.
PACKET_KEYS: Final = {"": "packet.size", "pile": "packet.with_pile", "stock": "packet.until"}


def set_packet(table: Table, cards: list[int], word: str, seat: i64 = -1) -> None:
    """Set a packet aside; violates `packet` if it is not due or has the wrong size.

    `word` is what the line calls it; `seat` is whose it is, -1 if it is a side's.
    """
    rules = table.rules
    sizes = rules.packets_aside
    if word != rules.packet_word:
        violate(table, "packet", "none", "packet.of", packet=word)
        return
    if not sizes:
        violate(table, "packet", "drawn", "packet.from", packet=word)
        return
    at: i64 = seat
    if at < 0:
        at = sum(1 for packet in table.packets if packet)
    if at >= len(sizes):
        violate(table, "packet", "many", "packet.size", packet=word, due=len(sizes))
        return
    if table.packets[at]:
        violate(table, "packet", "twice", "packet.of", packet=word, seat=seat)
        return
    if len(cards) != sizes[at]:
        facts = {"packet": word, "cards": len(cards), "due": sizes[at]}
        violate(table, "packet", "dealt", "packet.size", **facts)
    for code in cards:
        if code == UNKNOWN:
            doubt(table, "deck-count")
        else:
            account(table, code)
    table.packets = (*table.packets[:at], cards, *table.packets[at + 1 :])


def take_packet(
    table: Table,
    cards: tuple[int, ...],
    replacements: tuple[int, ...],
    word: str,
    missing: bool = False,
) -> None:
    """Take a packet into the hand; `word` is what the turn calls it.

    `missing` says that the turn does not name it, which was reported: it is given to the seat.

    Without cards, they are those of its line, or were not seen. `replacements` are the cards that
    replaced its threes at once. Violates `packet`, `deck-count`, `stock-order` if packets are drawn
    from the stock, and `replacement` and the codes of a draw if the rules replace the threes at
    another time, or not at all.
    """
    rules, seat = table.rules, table.seat
    if word != rules.packet_word:
        violate(table, "packet", "none", "packet.of", packet=word)
        return
    if missing:
        due = _next_index(table)
    elif _refuses(table, word):
        return
    else:
        due = packet_due(table)
    if due < 0:
        _report_undue(table)
    elif cards and not _has_size(table, len(cards), rules.packets[due]):
        pass
    elif cards and table.packets[due] and not _is_packet(table, cards, due):
        facts = {"packet": word, "cards": len(cards), "due": len(cards)}
        violate(table, "packet", "other", "packet.size", **facts)
    elif table.stock_fewest < rules.packet_until:
        doubt(table, "packet")
    if rules.packet_drawn and len(cards) > table.stock_most:
        mark_unknowable(table)
        return
    written = table.packets[due] if due >= 0 and not rules.packet_drawn else []
    if not cards:
        cards = tuple(written) or (UNKNOWN,) * rules.packets[due]
    lines = written if rules.packet_of_seat else any(table.packets)
    counted = bool(lines) and all(EXACT[code] for code in written)
    cards = _leave_deck(table, cards, written, counted)
    table.packet_taken = True
    if due >= 0:
        table.packets_gone |= 1 << due
        table.packet_sides |= 1 << table.side
        if not may_play_on(table):
            table.packet_unplayed |= 1 << seat
    threes: i64 = 0
    tables = bool(replacements) or rules.packet_threes != "next-turn"
    for code in cards:
        three = rules.tabled[RANK[code]]
        if three and tables:
            threes += 1
            table_three(table, seat, code)
        elif counted and code == UNKNOWN:
            add_unknown_again(table, seat)
        else:
            add_card(table, seat, code)
            if code == table.taken.only:
                table.taken.only = -1  # The hand has another one now.
            if rules.packet_on_canasta and table.traced:
                # Like a card drawn, it counts as one of the hand.
                table.taken.before[code] += 1
            table.kept_threes[seat] += three
            table.packet_kept |= three << seat
        if code == UNKNOWN:
            note_open(table, seat)
    _replace_threes(table, threes, replacements)


def _refuses(table: Table, word: str) -> bool:
    """Report a packet that the turn cannot take at all; return whether there is such a reason."""
    seat = table.seat
    if not table.rules.packet_early:
        if _is_out(table):
            violate(table, "packet", "out", "packet.size", packet=word, seat=seat)
            return True
        return False
    if not _has_packet(table):
        message = "again" if table.rules.packet_of_seat else "side-again"
        violate(table, "packet", message, "packet.of", packet=word, seat=seat)
        return True
    if table.rules.packet_on_canasta:
        if not table.completed >> seat & 1:
            violate(table, "packet", "uncompleted", "packet.when", packet=word, seat=seat)
            return True
        if table.discarded >= 0 and table.rules.packet_at_once:
            violate(table, "packet", "discarded", "packet.use", packet=word, seat=seat)
            return True
        return False
    if table.hand_sizes[seat]:
        facts = {"packet": word, "seat": seat, "cards": table.hand_sizes[seat]}
        violate(table, "packet", "holds", "packet.when", **facts)
        return True
    if loose_cards(table, seat):
        doubt(table, "packet")
    return False


def _has_size(table: Table, cards: i64, size: i64) -> bool:
    """Return whether a packet has the size that is due; report a wrong size."""
    fewest = most = size
    if table.rules.packet_drawn:
        most, fewest = min(size, table.stock_most), min(size, table.stock_fewest)
    if fewest <= cards <= most:
        if fewest < most:
            doubt(table, "packet")
        return True
    facts = {"packet": table.rules.packet_word, "cards": cards, "due": most}
    violate(table, "packet", "size", "packet.size", **facts)
    return False


def _leave_deck(
    table: Table, cards: tuple[int, ...], written: list[int], counted: bool
) -> tuple[int, ...]:
    """Account for the cards of a packet; return them in the most exact spelling that any line has.

    `written` are those of its packet line; `counted` says that they have left the deck, because the
    line names each with its suit.
    """
    if table.rules.packet_drawn:
        return tuple(_pull_packet(table, cards))
    if counted:
        return tuple(written) if len(written) == len(cards) else cards
    for code in written:
        unaccount(table, code)
    for code in cards:
        account(table, code)
    return cards


def _pull_packet(table: Table, cards: tuple[int, ...]) -> list[int]:
    """Take the cards of a packet off the stock, in the order of the stock if that is written."""
    end = table.stock_at + len(cards)
    due = list(table.stock[table.stock_at : end] if table.has_stock else ())
    left = list(cards)
    pulled = [-1] * len(due)
    # First equal cards, then cards of a rank, then known cards for unknown places.
    for alike in (same_card, same_rank, _named_alike, _fills, agree):
        for at, code in enumerate(due):
            found = next((other for other in left if pulled[at] < 0 and alike(other, code)), -1)
            if found >= 0:
                left.remove(found)
                pulled[at] = found
    for at, code in enumerate(due):
        # A three that goes into the hand need not be named.
        held = table.rules.packet_threes == "next-turn" and table.rules.tabled[RANK[code]]
        if pulled[at] < 0 and left:
            pulled[at] = left.pop(left.index(UNKNOWN) if UNKNOWN in left else 0)
            if held and pulled[at] == UNKNOWN:
                pulled[at] = code
    return [pull(table, code) for code in (*pulled, *left)]


def _named_alike(code: int, place: int) -> bool:
    """Return whether two codes can spell the same card, and neither is unknown."""
    return UNKNOWN not in (code, place) and agree(code, place)


def _fills(code: int, place: int) -> bool:
    """Return whether a known card can be at a place of the stock that is not written."""
    return code != UNKNOWN and agree(code, place)


def _is_packet(table: Table, cards: tuple[int, ...], due: i64) -> bool:
    """Return whether cards can be those of a packet that is written."""
    _, unmatched, missing = pair(cards, table.packets[due])
    if table.rules.threes_held:
        # An unknown card may be a red three.
        return {UNKNOWN}.issuperset(unmatched) or {UNKNOWN}.issuperset(missing)
    if table.rules.packet_threes != "next-turn":
        return not unmatched and not missing
    # A red three that goes into the hand need not be named.
    held = all(table.rules.tabled[RANK[code]] for code in missing)
    return held and all(code == UNKNOWN for code in unmatched)


def _replace_threes(table: Table, threes: i64, replacements: tuple[int, ...]) -> None:
    """Draw the cards that replace the threes of a packet; violates `replacement`."""
    when = table.rules.packet_threes
    if replacements and when != "at-once":
        message = "early" if when == "next-turn" else "packet"
        word = table.rules.packet_word
        violate(table, "replacement", message, "packet.threes", packet=word)
    if replacements or (when == "at-once" and threes):
        replace_threes(table, table.seat, threes, replacements, False, "packet.threes")


def _is_out(table: Table) -> bool:
    """Return whether the discard was the last card, and the seat may go out with it."""
    seat, side = table.seat, table.side
    if table.discarded < 0 or table.hand_sizes[seat] or loose_cards(table, seat):
        return False
    if lacks_canastas(table, side) or table.answer == "no":
        return False
    return not (table.rules.finished and unfinished_melds(table, side))


def packet_due(table: Table) -> i64:
    """Return the index of the packet that the seat may take at this moment, or -1.

    Of a side that is the packet that this turn's opening earned, of a seat its own.
    """
    if table.rules.packet_on_empty:
        return -1 if table.hand_sizes[table.seat] else index_awaited(table)
    if table.rules.packet_on_canasta:
        late = table.discarded >= 0 and table.rules.packet_at_once
        return -1 if late else _index_earned(table)
    if not table.laid or table.last_three or packets_left(table) == 0 or why_no_packet(table):
        return -1
    return int(table.opened).bit_count()


def index_awaited(table: Table) -> i64:
    """Return the index of the packet that the seat gets when its hand is empty, or -1."""
    return _next_index(table) if awaits_empty_hand(table) else -1


def _index_earned(table: Table) -> i64:
    """Return the index of the packet that a canasta of the seat has earned, or -1."""
    earned = table.completed >> table.seat & 1 and _has_packet(table)
    return _next_index(table) if earned else -1


def _next_index(table: Table) -> i64:
    """Return the index of the packet that the seat gets next; not checked: that there is one."""
    return table.seat if table.rules.packet_of_seat else int(table.packets_gone).bit_count()


def awaits_empty_hand(table: Table) -> bool:
    """Return whether a packet is there that the seat gets when its hand is empty."""
    return table.rules.packet_on_empty and _has_packet(table)


def picks_up(table: Table) -> bool:
    """Return whether the seat gets a packet at this moment of its turn.

    Its hand is empty, or it has completed a canasta, and a packet is there that it gets for that.
    A turn that took the pile settles that first.
    """
    if not table.rules.packet_early or packet_due(table) < 0:
        return False
    waits = table.waiting or table.rest_kept or (table.took and not table.taken.melded)
    return not (table.rules.packet_on_canasta and waits)


def must_pick_up(table: Table) -> bool:
    """Return whether the turn cannot end before the seat has picked up a packet.

    Its hand is empty, and a packet is there without which it does not go out.
    """
    rules = table.rules
    if rules.packet_on_canasta:
        due = rules.out_packet and table.hand_sizes[table.seat] == 0
        return due and _index_earned(table) >= 0
    return picks_up(table)


def may_play_on(table: Table) -> bool:
    """Return whether the cards of a packet just taken can be played in the same turn."""
    return table.discarded < 0 and not table.rules.packet_waits


def _has_packet(table: Table) -> bool:
    """Return whether the seat's own packet, or one for its side, is known to lie on the table."""
    rules = table.rules
    if rules.packet_of_seat:
        return not table.packets_gone >> table.seat & 1
    if table.packets_open:
        return False
    all_gone = table.packets_gone == (1 << len(rules.packets)) - 1
    return not all_gone and not table.packet_sides >> table.side & 1


def fill_stock(table: Table) -> None:
    """Let the first packet that is left become the stock, if one is; no side can take it then.

    Not checked: that the stock is empty.
    """
    rules = table.rules
    due = int(table.packets_gone).bit_count()
    if rules.packet_of_seat or due >= len(rules.packets):
        return
    cards, size = table.packets[due], rules.packets[due]
    table.packets_gone |= 1 << due
    table.packets_stocked |= 1 << due
    table.stock_most += size
    table.stock_fewest += size
    if cards or table.has_stock:
        # Without its line, the cards of the packet are those that the draws name.
        table.has_stock = True
        gone = list(table.stock[: table.stock_at])
        table.stock = array([*gone, *(cards or [UNKNOWN] * size)])


def leave_packets_open(table: Table, out: i64) -> None:
    """Leave it open which packets that no line shows were taken.

    `out` is the seat that went out, which has taken its packet if the rules ask for that, or -1.
    """
    rules = table.rules
    for at in range(len(table.packets)):
        if not table.packets[at]:
            table.packets_open |= 1 << at
    taken = (rules.packet_on_empty or rules.out_packet) and not rules.packet_to_stock
    if out < 0 or not taken:
        return
    if rules.packet_of_seat:
        table.packets_open &= ~(1 << out)
        table.packets_gone |= 1 << out
    elif table.packets_open:
        table.packet_sides |= 1 << rules.side_of[out]
        if int(table.packets_open).bit_count() == 1:
            table.packets_gone, table.packets_open = table.packets_open, 0


def unused_packets(table: Table, side: i64) -> list[i64]:
    """Return the packets that a side pays for because nobody took them, as their owners.

    An owner is a seat, or -1 for the side.
    """
    rules = table.rules
    if not rules.packet_word:
        return []
    missing: i64 = table.packet_unplayed if rules.unplayed_unused else 0
    seats = [seat for seat in range(rules.players) if rules.side_of[seat] == side]
    if rules.packet_of_seat:
        missing |= ~(table.packets_gone | table.packets_open)
        return [seat for seat in seats if missing >> seat & 1]
    took = table.packet_sides >> side & 1 or table.packets_open
    return [] if took and not any(missing >> seat & 1 for seat in seats) else [-1]


def perhaps_unused(table: Table, side: i64) -> i64:
    """Return how many packets a side pays for if nobody took them, which no line shows."""
    rules = table.rules
    if not rules.packet_of_seat:
        return 1 if table.packets_open and not table.packet_sides >> side & 1 else 0
    return len(_open_seats(table, side))


def most_unused(rules: Rules, side: i64, out: bool) -> i64:
    """Return how many packets a side can pay for because nobody took them.

    `out` says that a seat of the side went out. If an empty hand gets a packet, it has taken its.
    """
    if not rules.packet_word:
        return 0
    owned = len(rules.sides[side]) if rules.packet_of_seat else 1
    scarce = not rules.packet_of_seat and len(rules.packets) < len(rules.sides)
    taken = out and (rules.out_packet or (rules.packet_on_empty and not scarce))
    if not rules.packet_of_seat and (rules.packet_to_stock or rules.unplayed_unused):
        taken = False  # The packet may have become the stock, or a partner had no turn with it.
    return owned - 1 if taken else owned


def _open_seats(table: Table, side: i64) -> list[i64]:
    """Return the seats of a side of which it is not known whether they took their packets."""
    rules = table.rules
    return [
        seat
        for seat in range(rules.players)
        if rules.side_of[seat] == side and table.packets_open >> seat & 1
    ]


def perhaps_unplayed(table: Table, seat: i64) -> bool:
    """Return whether a hand of a table shown at the end may be a packet with which no turn was had.

    Then it counts as if nobody had taken the packet.
    """
    rules = table.rules
    if not (rules.unplayed_unused and table.packets_open) or table.hand_sizes[seat] == 0:
        return False
    return any(size == table.hand_sizes[seat] for size in rules.packets)


def is_unplayed(table: Table, seat: i64) -> bool:
    """Return whether a hand is a packet that counts as not taken, since no turn followed it."""
    return table.rules.unplayed_unused and table.packet_unplayed >> seat & 1 != 0


def untouched(table: Table) -> list[tuple[i64, list[int]]]:
    """Return the packets on the table that nobody took; before each the seat whose it is, else -1.

    The cards that were not written are UNKNOWN. A packet that is earned by opening is none of them.
    """
    rules, gone = table.rules, table.packets_gone | table.packets_open
    if not rules.packet_early:
        return []
    return [
        (at if rules.packet_of_seat else -1, table.packets[at] or [UNKNOWN] * rules.packets[at])
        for at in range(len(rules.packets))
        if not gone >> at & 1
    ]


def perhaps_untouched(table: Table, side: i64) -> list[i64]:
    """Return the sizes of a side's packets that cost points if nobody took them."""
    rules = table.rules
    if not (table.packets_open and rules.packet_costs_cards and rules.packet_of_seat):
        return []
    return [rules.packets[seat] for seat in _open_seats(table, side)]


def packet_passed(table: Table) -> i64:
    """Return the index of the packet that the last turn earned and did not take, or -1."""
    if table.rules.packet_early:
        return -1
    played = table.laid and table.discarded >= 0 and not table.ended
    if not played or table.opened_before or table.packet_taken or table.last_three:
        return -1
    at: i64 = int(table.opened).bit_count() - 1
    return at if at < len(table.rules.packets) and not why_no_packet(table) else -1


def pick_up_missing(table: Table) -> None:
    """Give the seat the packet that its empty hand gets, if the turn does not name it.

    Violates `packet`, if it is certain that the hand is empty and the turn did not name the packet
    too early.
    """
    seat = table.seat
    if not table.knowable or not must_pick_up(table):
        return
    if loose_cards(table, seat):
        doubt(table, "packet")
        return
    word = table.rules.packet_word
    if not any(each.message == "holds" for each in table.violations):
        violate(table, "packet", "missing", "packet.when", packet=word, seat=seat)
    take_packet(table, (), (), word, missing=True)


def judge_waiting(table: Table) -> None:
    """Report a card played after a packet whose cards wait for the next turn; once in a turn."""
    waits = table.packet_taken and table.discarded < 0
    if waits and not any(each.message == "later" for each in table.violations):
        word = table.rules.packet_word
        violate(table, "packet", "later", "packet.use", packet=word)


def packets_left(table: Table) -> i64:
    """Return how many packets the side may still earn by opening, in this turn or after it."""
    if table.opened_before or table.rules.packet_early:
        return 0
    return max(0, len(table.rules.packets) - int(table.opened).bit_count())


def why_no_packet(table: Table) -> str:
    """Return the message of `packet` that says why no opening in this turn earns one, or ""."""
    if table.took and not table.rules.packet_with_pile:
        return "pile"
    return "stock" if table.stock_most < table.rules.packet_until else ""


def packet_facts(table: Table) -> dict[str, object]:
    """Return the facts of these messages."""
    rules = table.rules
    packet, stock = rules.packet_word, table.stock_most
    return {"packet": packet, "seat": table.seat, "stock": stock, "due": rules.packet_until}


def _report_undue(table: Table) -> None:
    """Report a packet that is not due and, before it, a last card that needs one."""
    seat = table.seat
    emptied = table.discarded >= 0 and not table.hand_sizes[seat] and not loose_cards(table, seat)
    if emptied and lacks_canastas(table, table.side):
        at, table.at = table.at, LINE
        report_canastas(table, table.side, "out")
        table.at = at
    why = why_no_packet(table) if table.laid and packets_left(table) else ""
    violate(table, "packet", why or "undue", PACKET_KEYS[why], **packet_facts(table))
