"""The cards that are hidden, and how they are dealt anew in the samples of play-outs.

Random numbers come from integers alone, so that the samples are the same in every process and in
both builds.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from canasta_notation.arrays import zeros
from canasta_notation.cards import (
    CODES,
    EXACT,
    FIRST_OF,
    FOUR,
    RANK,
    UNKNOWN,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.hands import free_cards, is_written, loose_cards
from canasta_notation.engine.knowledge import unknown_melded
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.shown import known_in
from canasta_notation.engine.table import Table, copy_table, pile_of

_MASK: Final[i64] = 0xFFFFFFFF
_STEP: Final[i64] = 0x9E3779B9
#: The cards of a deck are numbered: the code of each times this, plus the number of its copy.
_COPY: Final[i64] = 64


def mix(number: i64) -> i64:
    """Return 32 bits that depend on each of the 32 bits of a number."""
    number = ((number >> 16) ^ number) * 0x21F0AAAD & _MASK
    number = ((number >> 15) ^ number) * 0x735A2D97 & _MASK
    return (number >> 15) ^ number


def stream_of(*parts: int | str) -> int:
    """Return the stream that numbers and words name."""
    return int.from_bytes(sha256(" ".join(map(str, parts)).encode()).digest()[:4], "big")


class Numbers:
    """Random numbers of a sample in a stream; both are integers from 0, the stream below 2**32."""

    __slots__ = ("state",)

    def __init__(self, stream: i64, sample: i64) -> None:
        self.state: i64 = mix(stream ^ mix(sample + 1))

    def below(self, limit: i64) -> i64:
        """Return a number from 0 up to, but not including, a limit of at most 2**31."""
        self.state = (self.state + _STEP) & _MASK
        return mix(self.state) * limit >> 32


# --- hidden cards ---------------------------------------------------------------------------------


class Hidden:
    """The cards of a table that are dealt anew in each sample.

    `pool` has them by code. In each hand in `hands` (a bit for each seat), the cards in `known`, by
    seat and code, stay; the rest of the hand comes from the pool, without threes that would be
    tabled. The packets that are not taken and the stock get what is left of the pool.
    """

    __slots__ = ("hands", "known", "pool")

    def __init__(self, rules: Rules) -> None:
        players: i64 = rules.players
        self.pool: vec[i64] = zeros(CODES)
        self.known: vec[i64] = zeros(players * CODES)
        self.hands: i64 = 0

    def count(self) -> i64:
        """Return how many cards the pool has."""
        total: i64 = 0
        for number in self.pool:
            total += number
        return total


def packets_aside(table: Table) -> i64:
    """Return how many cards are in the packets that are not taken."""
    total: i64 = 0
    sizes = table.rules.packets_aside
    for at in range(len(sizes)):
        if _is_aside(table, at):
            total += sizes[at]
    return total


def _is_aside(table: Table, number: i64) -> bool:
    """Return whether nobody has taken a packet; the first has the number 0."""
    return not table.packets_gone >> number & 1


def hidden_stock(table: Table) -> Hidden:
    """Return the stock and the packets of a table whose cards are all written."""
    hidden = Hidden(table.rules)
    pool = hidden.pool
    if table.has_stock:
        for at in range(table.stock_at, len(table.stock)):
            pool[table.stock[at]] += 1
    else:
        for code in range(CODES):
            if EXACT[code]:
                pool[code] = table.rules.copies[code] - table.accounted[code]
    for number in range(len(table.packets)):
        if _is_aside(table, number):
            for code in table.packets[number]:
                pool[code] += 1
    return hidden


def hide_hands(table: Table, hidden: Hidden, seat: i64) -> None:
    """Hide the hands of all seats but one, except the cards that everyone knows to be there."""
    counts = table.counts
    for other in range(table.rules.players):
        if other == seat:
            continue
        hidden.hands |= 1 << other
        base = other * CODES
        known = known_in(table, other)
        for code in range(UNKNOWN):
            stays = min(known[code], counts[base + code])
            hidden.known[base + code] = stays
            hidden.pool[code] += counts[base + code] - stays


def hidden_from(table: Table, seat: i64, drawn: Sequence[int] = ()) -> Hidden:
    """Return the cards that one seat does not see, before its turn or after it.

    It has also seen the cards that it has `drawn` since. If the table keeps what play has shown,
    only that is used. So the answer, and the order of its cards, are the same whether or not the
    record shows other hands.
    """
    if table.shown is not None:
        return _unseen(table, seat, drawn)
    hidden = hidden_stock(table)
    hide_hands(table, hidden, seat)
    for code in drawn:
        hidden.pool[code] -= 1
    return hidden


def _unseen(table: Table, seat: i64, drawn: Sequence[int]) -> Hidden:
    """Return the cards of the deck that a seat has not seen, by what play has shown.

    A card that was shown without its suit counts as any card of its rank. If there are too many
    cards, unwritten threes must be on the table; they are left out.
    """
    rules, hidden = table.rules, Hidden(table.rules)
    pool, bare = hidden.pool, zeros(CODES)
    for code in range(CODES):
        if EXACT[code]:
            pool[code] = rules.copies[code]
    _see(pool, bare, table.counts, seat * CODES)
    if table.shown is not None:
        _see(pool, bare, table.shown.melds, 0)
    for at in range(table.pile_size):
        _see_card(pool, bare, table.piled[at])
    for side in range(len(rules.sides)):
        _see(pool, bare, table.threes, side * CODES)
    for code in drawn:
        _see_card(pool, bare, code)
    need = table.stock_most + packets_aside(table) - len(drawn)
    whole = True
    for other in range(rules.players):
        if other != seat:
            need += table.hand_sizes[other] - _hide_hand(table, hidden, other)
            whole = whole and _is_counted(table, other)
            _see(pool, bare, hidden.known, other * CODES)
    for code in range(UNKNOWN):
        for _ in range(bare[code]):
            _see_any(pool, RANK[code])
    if not whole:
        _leave_out_threes(rules, pool, hidden.count() - need)
    return hidden


def _hide_hand(table: Table, hidden: Hidden, seat: i64) -> i64:
    """Hide a hand but for the cards that it is known to hold; return how many these are."""
    hidden.hands |= 1 << seat
    known = known_in(table, seat)
    base = seat * CODES
    stay: i64 = 0
    for code in range(UNKNOWN):
        stays = min(known[code], table.counts[base + code])
        hidden.known[base + code] = stays
        stay += stays
    return stay


def _is_counted(table: Table, seat: i64) -> bool:
    """Return whether each card of a hand is known at least by its rank."""
    held: i64 = 0
    for code in range(UNKNOWN):
        held += table.counts[seat * CODES + code]
    return held == table.hand_sizes[seat]


def _see(pool: vec[i64], bare: vec[i64], counts: vec[i64], base: i64) -> None:
    """Take cards off the pool; those without suits wait until all others are off."""
    for code in range(UNKNOWN):
        for _ in range(counts[base + code]):
            _see_card(pool, bare, code)


def _see_card(pool: vec[i64], bare: vec[i64], code: i64) -> None:
    if EXACT[code] and pool[code] > 0:
        pool[code] -= 1
    else:
        bare[code] += 1


def _see_any(pool: vec[i64], rank: i64) -> None:
    """Take a card of a rank off the pool, if it has any."""
    for code in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
        if pool[code] > 0:
            pool[code] -= 1
            return


def _leave_out_threes(rules: Rules, pool: vec[i64], over: i64) -> None:
    """Take threes that are tabled off a pool that has too many cards."""
    for code in range(FIRST_OF[FOUR]):
        if rules.tabled[RANK[code]]:
            gone = max(0, min(over, pool[code]))
            pool[code] -= gone
            over -= gone


def plant(play: Table, hidden: Hidden, deck: vec[i64], numbers: Numbers) -> None:
    """Deal the hidden cards of a table anew; `deck` has every card of the game."""
    rules = play.rules
    cards = (
        _dealt_hands(play, hidden, numbers)
        if hidden.hands
        else shuffled_rest(hidden.pool, deck, numbers)
    )
    at: i64 = 0
    sizes = rules.packets_aside
    if sizes:
        packets: list[list[int]] = []
        for number in range(len(sizes)):
            packet: list[int] = []
            if _is_aside(play, number):
                for _ in range(sizes[number]):
                    packet.append(cards[at])
                    at += 1
            packets.append(packet)
        play.packets = tuple(packets)
    play.stock = cards[: at + play.stock_most]
    play.stock_at = at
    play.has_stock = True
    play.stock_fewest = play.stock_most


def shuffled_rest(pool: vec[i64], deck: vec[i64], numbers: Numbers) -> vec[i64]:
    """Return the cards of a pool in an order that the whole deck, shuffled, gives.

    So the order hardly changes when a card leaves the pool, and positions of a deal that share
    their samples are compared with little error.
    """
    order = deck[:]
    size = len(order)
    total: i64 = 0
    for number in pool:
        total += number
    cards = zeros(total)
    count: i64 = 0
    for at in range(size):
        other = at + numbers.below(size - at)
        card = order[other]
        order[other] = order[at]
        if card % _COPY < pool[card // _COPY]:
            cards[count] = card // _COPY
            count += 1
    return cards


def numbered_deck(rules: Rules) -> vec[i64]:
    deck = zeros(rules.deck_size)
    at: i64 = 0
    for code in range(CODES):
        if EXACT[code]:
            for copy in range(rules.copies[code]):
                deck[at] = code * _COPY + copy
                at += 1
    return deck


def deal_hands(play: Table, hidden: Hidden, numbers: Numbers) -> vec[i64]:
    """Deal the hidden hands from the pool, and return the rest of it; its order is not random.

    Not checked: that the pool has enough cards that may be in a hand.
    """
    rules, pool, counts = play.rules, hidden.pool, play.counts
    cards = zeros(hidden.count())
    plain: i64 = 0
    end: i64 = len(cards)
    for code in range(CODES):
        for _ in range(pool[code]):
            if rules.tabled[RANK[code]]:
                end -= 1
                cards[end] = code
            else:
                cards[plain] = code
                plain += 1
    done: i64 = 0
    for seat in range(rules.players):
        if not hidden.hands >> seat & 1:
            continue
        base = seat * CODES
        need = play.hand_sizes[seat]
        for code in range(CODES):
            counts[base + code] = hidden.known[base + code]
            need -= hidden.known[base + code]
        play.kept_threes[seat] = play.excused_threes[seat] = 0
        for _ in range(need):
            other = done + numbers.below(plain - done)
            card = cards[other]
            cards[other] = cards[done]
            counts[base + card] += 1
            done += 1
    return cards[done:]


def _dealt_hands(play: Table, hidden: Hidden, numbers: Numbers) -> vec[i64]:
    """Deal the hidden hands from the pool, and return the rest of it in random order."""
    rest = deal_hands(play, hidden, numbers)
    size = len(rest)
    for at in range(size - 1):
        other = at + numbers.below(size - at)
        card = rest[other]
        rest[other] = rest[at]
        rest[at] = card
    return rest


def stock_left(table: Table, hidden: Hidden) -> i64:
    """Return how many of the hidden cards are left for the stock."""
    left = hidden.count() - packets_aside(table)
    for seat in range(table.rules.players):
        if hidden.hands >> seat & 1:
            left -= table.hand_sizes[seat]
            for at in range(seat * CODES, seat * CODES + CODES):
                left += hidden.known[at]
    return left


def as_seen(table: Table, seat: int, stock: int = -1) -> Table | None:
    """Return a table with unwritten cards as if only the known cards of other hands were there.

    `stock` is how many cards the stock has; within a turn it must be given.

    Returns None if more is unwritten than hands, the stock and suits of the pile. Threes that are
    not written are assumed to be in the stock, as far as it has room.
    """
    if not _has_known_cards(table, seat):
        return None
    copy = copy_table(table)
    copy.knowledge, copy.has_stock = None, False
    for other in range(table.rules.players):
        if other != seat:
            known = known_in(table, other)
            for code in range(CODES):
                copy.counts[other * CODES + code] = known[code]
    for at, code in enumerate(pile_of(table)):
        copy.piled[at] = code if EXACT[code] else FIRST_OF[RANK[code]]
    for code in range(CODES):
        copy.accounted[code] = 0
    left = stock if stock >= 0 else stock_left(copy, _unseen(copy, seat, ()))
    if not table.stock_fewest <= left <= table.stock_most:
        return None
    copy.stock_most = copy.stock_fewest = left
    return copy


def _has_known_cards(table: Table, seat: int) -> bool:
    """Return whether only the other hands, the stock and suits of the pile are unwritten."""
    rules = table.rules
    return not (
        free_cards(table, seat)
        or not is_written(table, seat)
        or any(loose_cards(table, other) for other in range(rules.players))
        or table.pile_loose
        or UNKNOWN in pile_of(table)
        or any(
            unknown_melded(table, side, place)
            for side in range(len(rules.sides))
            for place in range(table.places)
        )
    )
