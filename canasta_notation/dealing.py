"""The cards of a deal: dealt from a shuffled pack, put on the engine's table, then drawn.

A pack is a list of card codes in the order in which they are dealt: each seat's hand, the packets,
then the stock in the order in which its cards leave it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from canasta_notation.arrays import array
from canasta_notation.cards import CODES, RANK, UNKNOWN
from canasta_notation.counts import i64, vec
from canasta_notation.engine.actions import Action, TableThrees, TakePacket
from canasta_notation.engine.deal import (
    begin_play,
    deal_hand,
    match_stock,
    set_stock,
    turn_up,
)
from canasta_notation.engine.hands import hand_counts
from canasta_notation.engine.packets import packet_due, picks_up, set_packet, take_packet
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.side import has_opened
from canasta_notation.engine.stock import draw, late_threes
from canasta_notation.engine.table import Table
from canasta_notation.engine.turn import begin_turn, perform

Codes = tuple[int, ...]
#: Takes the next card off the stock.
Pull = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal before its first turn, with every card known.

    `stock` is the stock line: the up cards, the replacements starting at the dealer's left, the
    draws; `start` of its cards have left it. Hands are as dealt; hands and packets are sorted, and
    packets of seats stand in the order of the seats.
    """

    dealer: int
    hands: tuple[Codes, ...]
    replacements: tuple[Codes, ...]
    up: Codes
    stock: Codes
    packets: tuple[Codes, ...]
    start: int


def new_pack(rules: Rules) -> list[int]:
    """Return every card of the game, in canonical order."""
    return [code for code, copies in enumerate(rules.exact_copies) for _ in range(copies)]


def stock_start(rules: Rules) -> int:
    """Return the place in a pack where the stock begins."""
    return rules.players * rules.hand + sum(rules.packets_aside)


def seats_from(rules: Rules, dealer: int) -> list[int]:
    """Return the seats in the order in which they replace their threes, the dealer last."""
    return [(dealer + 1 + turn) % rules.players for turn in range(rules.players)]


def deal_pack(rules: Rules, dealer: int, pack: Sequence[int], keep: Collection[int] = ()) -> Dealt:
    """Return the deal of a pack; the seats in `keep` keep one dealt three if the rules allow it.

    Not checked: that the pack has the cards of the deck.
    """
    sizes = [rules.hand] * rules.players + [*rules.packets_aside]
    parts: list[Codes] = []
    start = 0
    for size in sizes:
        parts.append(tuple(sorted(pack[start : start + size])))
        start += size
    hands = tuple(parts[: rules.players])
    stock = tuple(pack[start:])
    pull = iter(stock).__next__
    up = pull_up_cards(rules, pull)
    pulled = {
        seat: pull_replacements(rules, hands[seat], seat in keep, pull)
        for seat in seats_from(rules, dealer)
    }
    replacements = tuple([pulled[seat] for seat in range(rules.players)])
    gone = len(up) + sum(map(len, replacements))
    packets = parts[rules.players :]
    if rules.packet_of_seat:
        owned = dict(zip(seats_from(rules, dealer), packets, strict=True))
        packets = [owned[seat] for seat in range(rules.players)]
    return Dealt(dealer, hands, replacements, up, stock, tuple(packets), gone)


def pull_up_cards(rules: Rules, pull: Pull) -> Codes:
    """Return the cards turned up, if one is: each is covered until one may stay on top."""
    up: list[int] = []
    while rules.up_turned and (not up or rules.up_covered[RANK[up[-1]]]):
        up.append(pull())
    return tuple(up)


def pull_replacements(rules: Rules, hand: Codes, keeps: bool, pull: Pull) -> Codes:
    """Return the replacements of a hand's threes, and of the threes among them.

    If the seat keeps a three and the rules allow it, one is not replaced. None is replaced if the
    threes wait until the seat's first turn.
    """
    due = 0 if rules.threes_wait else sum(rules.tabled[RANK[code]] for code in hand)
    due -= 1 if due and rules.three_kept and keeps else 0
    cards: list[int] = []
    while len(cards) < due:
        cards.append(pull())
        due += rules.tabled[RANK[cards[-1]]]
    return tuple(cards)


def may_keep_three(table: Table, seat: i64) -> bool:
    """Return whether a seat may keep the next three that it draws."""
    rules = table.rules
    if not rules.three_kept or table.kept_threes[seat]:
        return False
    return not has_opened(table, rules.side_of[seat])


def end_of_draw(rules: Rules, stock: vec[i64], start: i64, keeps: bool) -> i64:
    """Return where in the stock a draw ends that begins at `start`.

    A three is replaced, except the first if `keeps`.
    """
    tabled, end, due = rules.tabled, start, rules.draw_count
    while due > 0 and end < len(stock):
        if not tabled[RANK[stock[end]]]:
            due -= 1
        elif keeps:
            keeps = False
            due -= 1
        end += 1
    return end


def draw_due(table: Table, keeps: bool) -> vec[i64]:
    """Draw the cards that are due from the written stock, and return them.

    A three is replaced, except the first if `keeps`. Not checked: whether a three may be kept.
    """
    at = table.stock_at
    end = end_of_draw(table.rules, table.stock, at, keeps)
    cards = table.stock[at:end]
    draw(table, cards, end - at, False)
    return cards


def table_late(table: Table) -> TableThrees | None:
    """Begin the turn by tabling the threes that must be tabled; return the action, if any.

    The stock must be written.
    """
    if not table.kept_threes[table.due]:
        return None
    action = late_tabling(table, left_in_stock(table))
    if action is not None:
        begin_turn(table, table.due)
        perform(table, action)
    return action


def late_tabling(table: Table, stock: Sequence[int]) -> TableThrees | None:
    """Return the action with which the seat due must begin its turn, None if it need not table any.

    `stock` are the cards that are left in the stock, in order.
    """
    late = int(late_threes(table, table.due))
    threes = tuple(held_threes(table, table.due)[:late])
    return TableThrees(threes, replacing(table.rules, threes, stock)) if late else None


def held_threes(table: Table, seat: int) -> list[int]:
    """Return the threes in a hand that is known, of the kind that is tabled."""
    counts, tabled = hand_counts(table, seat), table.rules.tabled
    return [code for code in range(CODES) if tabled[RANK[code]] for _ in range(counts[code])]


def left_in_stock(table: Table) -> list[int]:
    """Return the cards that are left in a written stock, in order."""
    return list(table.stock[table.stock_at :])


def replacing(rules: Rules, cards: Iterable[int], stock: Sequence[int]) -> Codes:
    """Return the cards of the stock that replace the threes among some cards that are tabled."""
    due, pulled = sum(rules.tabled[RANK[code]] for code in cards), list[int]()
    for code in stock:
        if not due:
            break
        pulled.append(code)
        due += rules.tabled[RANK[code]] - 1
    return tuple(pulled)


def due_packet(table: Table, stock: Sequence[int]) -> TakePacket:
    """Return the action that takes the packet due; `stock` are the cards left, () if not known.

    Not checked: that one is due and, if it was set aside, that it is known.
    """
    rules, due = table.rules, packet_due(table)
    if rules.packet_drawn:
        size = min(rules.packets[due], table.stock_most)
        drawn = list(stock[:size])
        cards = tuple(sorted(drawn + [UNKNOWN] * (size - len(drawn))))
        stock = stock[size:]
    else:
        cards = tuple(table.packets[due])
    at_once = rules.packet_threes == "at-once"
    replaced = replacing(rules, cards, stock) if at_once else ()
    return TakePacket(rules.packet_word, cards, replaced)


def take_due(table: Table, log: list[Action] | None = None) -> bool:
    """Take the packet that is due now, if one is; add the action to `log`; return whether one was.

    Not checked: that it is known, if it was set aside.
    """
    if not table.rules.packets or packet_due(table) < 0:
        return False
    packet = due_packet(table, left_in_stock(table))
    take_packet(table, packet.cards, packet.replacements, packet.word)
    if log is not None:
        log.append(packet)
    return True


def pick_up(table: Table, log: list[Action] | None = None) -> bool:
    """Take the packet that an empty hand gets, as `take_due` does; return whether one was there."""
    return picks_up(table) and take_due(table, log)


def lay_out(
    rules: Rules, dealt: Dealt, totals: list[int], number: int, *, written: bool = False
) -> Table:
    """Return the table before the first turn; its violations are those of the deal.

    `totals` are the sides' points before the deal with that number, counted from 1. If `written`,
    the table knows the stock.
    """
    table = Table(rules, dealt.dealer, totals, written, number)
    for seat in seats_from(rules, dealt.dealer):
        deal_hand(table, seat, array(dealt.hands[seat]), False, array(dealt.replacements[seat]))
    if rules.up_turned:
        turn_up(table, array(dealt.up))
    if written:
        set_stock(table, array(dealt.stock))
        match_stock(table, array(dealt.stock[: dealt.start]))
    for at, packet in enumerate(dealt.packets):
        owner = at if rules.packet_of_seat else -1
        set_packet(table, list(packet), rules.packet_word, owner)
    begin_play(table)
    return table
