"""Play-outs: a deal played on to its end many times, with the hidden cards dealt anew each time.

Every seat goes on as one player. Random numbers come from integers alone, so that the figures are
the same in every process and in both builds.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.arrays import zeros
from canasta_notation.cards import (
    CODES,
    EXACT,
    FIRST_OF,
    FOUR,
    JOKER_RANK,
    RANK,
    RANKS,
    TWO,
    UNKNOWN,
    UNKNOWN_RANK,
)
from canasta_notation.counts import i64, vec
from canasta_notation.dealing import (
    Codes,
    Dealt,
    lay_out,
    new_pack,
    pull_replacements,
    pull_up_cards,
    seats_from,
)
from canasta_notation.engine.discard import take_talon, talon_due
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import ITEMS, Sheet, write_score
from canasta_notation.engine.table import OPEN, Table, copy_table
from canasta_notation.engine.turn import begin_turn, end_turn
from canasta_notation.players.figures import Figures, eager
from canasta_notation.players.matches import check_legal, play_deal
from canasta_notation.players.seat_turn import draw_due, play_on, play_turn, take_pile
from canasta_notation.players.sight import own_hand, seen_by_rank
from canasta_notation.players.specials import keeps_three

_MASK: Final[i64] = 0xFFFFFFFF
_STEP: Final[i64] = 0x9E3779B9
_KINDS: Final[i64] = len(ITEMS)


def mix(number: i64) -> i64:
    """Return 32 bits that depend on each of the 32 bits of a number."""
    number = ((number >> 16) ^ number) * 0x21F0AAAD & _MASK
    number = ((number >> 15) ^ number) * 0x735A2D97 & _MASK
    return (number >> 15) ^ number


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

    `pool` has them by code. Of each hand in `hands` (a bit for each seat) the cards in `known`, by
    seat and code, stay there; the rest of the hand comes from the pool, without threes that would
    be tabled. The talons that are not taken and the stock get what is left of the pool.
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


def talons_left(table: Table) -> i64:
    """Return how many cards are in the talons that are not taken."""
    total: i64 = 0
    sizes = table.rules.talons
    for at in range(int(table.opened).bit_count(), len(sizes)):
        total += sizes[at]
    return total


def hidden_stock(table: Table) -> Hidden:
    """Return the stock and the talons of a table whose cards are all written."""
    hidden = Hidden(table.rules)
    pool = hidden.pool
    if table.has_stock:
        for at in range(table.stock_at, len(table.stock)):
            pool[table.stock[at]] += 1
    else:
        for code in range(CODES):
            if EXACT[code]:
                pool[code] = table.rules.copies[code] - table.accounted[code]
    for number in range(int(table.opened).bit_count(), len(table.talons)):
        for code in table.talons[number]:
            pool[code] += 1
    return hidden


def hide_hands(table: Table, hidden: Hidden, seat: i64, known: list[dict[int, int]]) -> None:
    """Hide the hands of all seats but one; `known` has by seat the cards that are known there."""
    counts = table.counts
    for other in range(table.rules.players):
        if other == seat:
            continue
        hidden.hands |= 1 << other
        base = other * CODES
        for code in range(UNKNOWN):
            stays = min(known[other].get(code, 0), counts[base + code])
            hidden.known[base + code] = stays
            hidden.pool[code] += counts[base + code] - stays


def hidden_ranks(table: Table, seat: i64) -> Hidden | None:
    """Return what one seat does not see, by rank, if other hands show fewer cards than they have.

    None if all hands are whole. The suits in the pool are any: no play depends on them. Threes that
    must lie unwritten on the table, because there are too many cards, are left out.
    """
    rules, hidden = table.rules, Hidden(table.rules)
    need = table.stock_most + talons_left(table)
    seen = seen_by_rank(table, own_hand(table, seat))
    for other in range(rules.players):
        base = other * CODES
        if other == seat:
            continue
        hidden.hands |= 1 << other
        need += table.hand_sizes[other]
        for code in range(UNKNOWN):
            known = table.counts[base + code]
            hidden.known[base + code] = known
            seen[RANK[code]] += known
            need -= known
    whole = need == table.stock_most + talons_left(table)
    for side in range(len(rules.sides)):
        for rank in range(RANKS):
            seen[TWO] += table.twos[side * RANKS + rank]
            seen[JOKER_RANK] += table.jokers[side * RANKS + rank]
        for code in range(UNKNOWN):
            seen[RANK[code]] += table.threes[side * CODES + code]
    for rank in range(UNKNOWN_RANK):
        hidden.pool[FIRST_OF[rank]] = max(0, rules.rank_copies[rank] - seen[rank])
    over = hidden.count() - need
    for rank in range(FOUR):
        if rules.tabled[rank]:
            gone = max(0, min(over, hidden.pool[FIRST_OF[rank]]))
            hidden.pool[FIRST_OF[rank]] -= gone
            over -= gone
    return None if whole else hidden


def _plant(play: Table, hidden: Hidden, deck: vec[i64], numbers: Numbers) -> None:
    """Deal the hidden cards of a table anew; `deck` has every card of the game."""
    rules = play.rules
    cards = (
        _dealt_hands(play, hidden, numbers) if hidden.hands else _rest(hidden.pool, deck, numbers)
    )
    at: i64 = 0
    sizes = rules.talons
    if sizes:
        talons: list[list[int]] = []
        taken: i64 = int(play.opened).bit_count()
        for number in range(len(sizes)):
            talon: list[int] = []
            if number >= taken:
                for _ in range(sizes[number]):
                    talon.append(cards[at])
                    at += 1
            talons.append(talon)
        play.talons = tuple(talons)
    play.stock = cards
    play.stock_at = at
    play.has_stock = True
    play.stock_most = play.stock_fewest = len(cards) - at


def _rest(pool: vec[i64], deck: vec[i64], numbers: Numbers) -> vec[i64]:
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


#: The cards of a deck are numbered: the code of each times this, plus which copy of it it is.
_COPY: Final[i64] = 64


def _numbered_deck(rules: Rules) -> vec[i64]:
    deck = zeros(rules.deck_size)
    at: i64 = 0
    for code in range(CODES):
        if EXACT[code]:
            for copy in range(rules.copies[code]):
                deck[at] = code * _COPY + copy
                at += 1
    return deck


def _dealt_hands(play: Table, hidden: Hidden, numbers: Numbers) -> vec[i64]:
    """Deal the hidden hands from the pool, and return the rest of it in random order."""
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
        play.kept_threes[seat] = 0
        for _ in range(need):
            other = done + numbers.below(plain - done)
            card = cards[other]
            cards[other] = cards[done]
            counts[base + card] += 1
            done += 1
    rest = cards[done:]
    size = len(rest)
    for at in range(size - 1):
        other = at + numbers.below(size - at)
        card = rest[other]
        rest[other] = rest[at]
        rest[at] = card
    return rest


# --- play-outs ------------------------------------------------------------------------------------

#: How a sample begins: with the next turn; with a draw, or the take, of the seat that is due; with
#: the rest of a turn that has begun; or with the talon that a discard has earned.
NEXT: Final[i64] = 0
DRAW: Final[i64] = 1
TAKE: Final[i64] = 2
REST: Final[i64] = 3
TALON: Final[i64] = 4


class Outcomes:
    """How samples ended. Samples with even and with odd numbers are two halves.

    `margins` has by sample and side the side's score times the number of other sides, less their
    scores. `items` has by half, side and item the points of all its samples, and `takes` by half
    how often the next seat took the pile at once.
    """

    __slots__ = ("count", "items", "margins", "sides", "takes")

    def __init__(self, sides: i64, count: i64) -> None:
        self.sides = sides
        self.count = count
        self.margins: vec[i64] = zeros(sides * count)
        self.items: vec[i64] = zeros(2 * sides * _KINDS)
        self.takes: vec[i64] = zeros(2)


def play_outs(
    table: Table, figures: Figures, hidden: Hidden, stream: i64, first: i64, count: i64, how: i64
) -> Outcomes:
    """Play `count` samples of a table on to the end, the first one being number `first`.

    `how` says how a sample begins. Raises RuntimeError if a play is illegal, which would be a bug,
    and ValueError if the hidden cards are not as many as the table needs.
    """
    rules = table.rules
    sides: i64 = len(rules.sides)
    if table.ended == OPEN and stock_left(table, hidden) != table.stock_most:
        raise ValueError(f"the stock has {table.stock_most} cards, not those that are hidden")
    outcomes = Outcomes(sides, count)
    deck = _numbered_deck(rules)
    players = [figures] * rules.players
    taker = eager(figures) if how == TAKE else figures
    sheet = Sheet()
    for at in range(count):
        play = copy_table(table)
        if play.ended == OPEN:
            _plant(play, hidden, deck, Numbers(stream, first + at))
            play = _begin(play, figures, taker, how)
            check_legal(play)
        turns = play.turns
        if play.ended == OPEN:
            play = play_turn(play, figures)
            check_legal(play)
            if play.took and play.turns > turns:
                outcomes.takes[(first + at) & 1] += 1
            play = play_deal(play, players)
        _note(play, outcomes, at, (first + at) & 1, sheet)
    return outcomes


def _begin(play: Table, figures: Figures, taker: Figures, how: i64) -> Table:
    """Play the beginning of a sample."""
    if how == DRAW:
        begin_turn(play, play.due)
        draw_due(play, keeps_three(play, figures, play.seat))
        return play_on(play, figures)
    if how == TAKE:
        after = take_pile(play, taker)
        return play if after is None else after
    if how == REST:
        return play_on(play, figures)
    if how == TALON:
        take_talon(play, tuple(play.talons[talon_due(play)]))
        end_turn(play, "")
    return play


def stock_left(table: Table, hidden: Hidden) -> i64:
    """Return how many of the hidden cards are left for the stock."""
    left = hidden.count() - talons_left(table)
    for seat in range(table.rules.players):
        if hidden.hands >> seat & 1:
            left -= table.hand_sizes[seat]
            for at in range(seat * CODES, seat * CODES + CODES):
                left += hidden.known[at]
    return left


def deal_outs(
    rules: Rules,
    figures: Figures,
    dealer: int,
    totals: list[int],
    hands: list[Codes | None],
    pulled: list[Codes],
    up: Codes | None,
    stream: i64,
    count: i64,
) -> Outcomes:
    """Deal and play `count` samples of a deal of which some cards are given.

    Given are the hands as dealt that are not None, their replacements, and the up cards.
    """
    outcomes = Outcomes(len(rules.sides), count)
    pool = zeros(CODES)
    for code in new_pack(rules):
        pool[code] += 1
    for seat in range(rules.players):
        given = hands[seat]
        if given is not None:
            for code in given + pulled[seat]:
                pool[code] -= 1
    for code in up or ():
        pool[code] -= 1
    deck = _numbered_deck(rules)
    players = [figures] * rules.players
    sheet = Sheet()
    for at in range(count):
        order = list(_rest(pool, deck, Numbers(stream, at)))
        play = lay_out(rules, _deal(rules, dealer, hands, pulled, up, order), totals, written=True)
        _note(play_deal(play, players), outcomes, at, at & 1, sheet)
    return outcomes


def _deal(
    rules: Rules,
    dealer: int,
    hands: list[Codes | None],
    pulled: list[Codes],
    up: Codes | None,
    order: list[int],
) -> Dealt:
    """Return a deal of which some cards are given; the others are dealt in an order."""
    start = 0
    dealt: list[Codes] = []
    for hand in hands:
        if hand is None:
            hand = tuple(order[start : start + rules.hand])
            start += rules.hand
        dealt.append(hand)
    talons: list[Codes] = []
    for size in rules.talons:
        talons.append(tuple(order[start : start + size]))
        start += size
    left = order[start:]
    rest = iter(left)
    pull = rest.__next__
    up_cards = pull_up_cards(rules, pull) if up is None else up
    replacements: list[Codes] = [()] * rules.players
    for seat in seats_from(rules, dealer):
        given = hands[seat] is not None
        replacements[seat] = (
            pulled[seat] if given else pull_replacements(rules, dealt[seat], False, pull)
        )
    gone = list(up_cards)
    for seat in seats_from(rules, dealer):
        gone += replacements[seat]
    stock = (*gone, *rest)
    return Dealt(
        dealer, tuple(dealt), tuple(replacements), up_cards, stock, tuple(talons), len(gone)
    )


def _note(play: Table, outcomes: Outcomes, at: i64, half: i64, sheet: Sheet) -> None:
    """Note how a sample ended."""
    sides = outcomes.sides
    total: i64 = 0
    base = at * sides
    for side in range(sides):
        sheet.clear()
        write_score(play, side, sheet)
        own: i64 = 0
        start = (half * sides + side) * _KINDS
        for item in range(_KINDS):
            points = sheet.points[item]
            own += points
            outcomes.items[start + item] += points
        outcomes.margins[base + side] = own * sides
        total += own
    for side in range(sides):
        outcomes.margins[base + side] -= total


# --- sums -----------------------------------------------------------------------------------------


def add_change(sums: vec[i64], before: Outcomes, after: Outcomes) -> None:
    """Add what two outcomes of as many samples differ by to sums by sample and side."""
    for at in range(len(sums)):
        sums[at] += after.margins[at] - before.margins[at]


def moments(values: vec[i64], sides: i64, side: i64) -> tuple[int, int]:
    """Return the sum, and the sum of the squares, of a side's values by sample and side."""
    total: i64 = 0
    squares: i64 = 0
    for at in range(side, len(values), sides):
        total += values[at]
        squares += values[at] * values[at]
    return total, squares


def compared(one: Outcomes, other: Outcomes, side: i64, half: i64) -> tuple[int, int, int]:
    """Return by how much the margins of `one` exceed those of `other` in the same samples.

    Of one half (0 or 1), or of both (-1); as the number of samples, the sum and that of the squares
    of the differences. The outcomes must begin with an even sample.
    """
    count: i64 = 0
    total: i64 = 0
    squares: i64 = 0
    sides = one.sides
    for at in range(one.count):
        if half >= 0 and at & 1 != half:
            continue
        difference = one.margins[at * sides + side] - other.margins[at * sides + side]
        count += 1
        total += difference
        squares += difference * difference
    return count, total, squares
