"""Play-outs: a deal played to its end many times, with the hidden cards dealt anew each time.

All seats are played by the same player.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from canasta_notation.arrays import zeros
from canasta_notation.cards import (
    CODES,
)
from canasta_notation.counts import i64, vec
from canasta_notation.dealing import (
    Codes,
    Dealt,
    draw_due,
    lay_out,
    new_pack,
    pull_replacements,
    pull_up_cards,
    seats_from,
    take_due,
)
from canasta_notation.engine.actions import Action
from canasta_notation.engine.packets import may_play_on
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import ITEM_COUNT, ItemSums, write_score
from canasta_notation.engine.table import OPEN, Table, Violation, copy_table
from canasta_notation.engine.turn import begin_turn, end_turn, perform
from canasta_notation.players.figures import Figures, eager
from canasta_notation.players.hidden import (
    Hidden,
    Numbers,
    numbered_deck,
    plant,
    shuffled_rest,
    stock_left,
)
from canasta_notation.players.seat_turn import (
    check_legal,
    play_deal,
    play_on,
    play_turn,
    table_due,
    take_pile,
)
from canasta_notation.players.specials import keeps_three

# --- play-outs ------------------------------------------------------------------------------------

#: How a sample begins: with the next turn; with a draw, or the take, of the seat that is due; with
#: the rest of a turn that has begun; or with the packet that a discard has earned.
NEXT: Final[i64] = 0
DRAW: Final[i64] = 1
TAKE: Final[i64] = 2
REST: Final[i64] = 3
PACKET: Final[i64] = 4


class Outcomes:
    """How samples ended. Samples with even and with odd numbers are two halves.

    `margins` has by sample and side the side's score times the number of other sides, minus their
    scores. `items` has by sample, side and item the points, and `takes` by half how often the next
    seat took the pile at once.
    """

    __slots__ = ("count", "items", "margins", "sides", "takes")

    def __init__(self, sides: i64, count: i64) -> None:
        self.sides = sides
        self.count = count
        self.margins: vec[i64] = zeros(sides * count)
        self.items: vec[i64] = zeros(sides * count * ITEM_COUNT)
        self.takes: vec[i64] = zeros(2)


class BrokenRule(Exception):
    """A given play breaks a rule, at least with some cards."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation.code)
        self.violation = violation


def play_outs(
    table: Table,
    figures: Figures,
    hidden: Hidden,
    stream: i64,
    first: i64,
    count: i64,
    how: i64,
    rest: Sequence[Action] | None = None,
) -> Outcomes:
    """Play `count` samples of a table to the end, beginning with number `first`.

    `how` says how a sample begins; after a draw, `rest` is the rest of the turn, if it is given.
    Raises BrokenRule if a play in `rest` is illegal; RuntimeError if any other play is, which would
    be a bug; ValueError if the number of hidden cards is not what the table needs.
    """
    rules = table.rules
    sides: i64 = len(rules.sides)
    over = stock_left(table, hidden) - table.stock_most
    goes_on = table.ended == OPEN
    if (goes_on or hidden.hands) and (over < 0 or (over > 0 and not rules.packets_aside)):
        raise ValueError(f"the stock has {table.stock_most} cards, not those that are hidden")
    outcomes = Outcomes(sides, count)
    deck = numbered_deck(rules)
    players = [figures] * rules.players
    taker = eager(figures) if how == TAKE else figures
    sheet = ItemSums()
    for at in range(count):
        play = copy_table(table)
        if goes_on or hidden.hands:
            # The hidden hands count anew even if the deal has ended.
            plant(play, hidden, deck, Numbers(stream, first + at))
        if goes_on:
            play = _begin(play, figures, taker, how, rest)
            check_legal(play)
        turns = play.turn
        if play.ended == OPEN:
            play = play_turn(play, figures)
            check_legal(play)
            if play.took and play.turn > turns:
                outcomes.takes[(first + at) & 1] += 1
            play = play_deal(play, players)
        _note(play, outcomes, at, sheet)
    return outcomes


def _begin(
    play: Table, figures: Figures, taker: Figures, how: i64, rest: Sequence[Action] | None
) -> Table:
    """Play the beginning of a sample."""
    if how in (DRAW, TAKE):
        if not table_due(play):
            return play
        if play.last_three:
            return play_on(play, figures)
    if how == DRAW:
        begin_turn(play, play.due)
        draw_due(play, keeps_three(play, figures, play.seat))
        if rest is not None and play.ended == OPEN:
            return _play_given(play, figures, rest)
        return play_on(play, figures)
    if how == TAKE:
        after = take_pile(play, taker)
        return play if after is None else after
    if how == REST:
        return play_on(play, figures)
    if how == PACKET:
        return finish(play, figures)
    return play


def _play_given(play: Table, figures: Figures, rest: Sequence[Action]) -> Table:
    """Play the rest of a turn that is given; return the table after it. Raises BrokenRule."""
    for action in rest:
        perform(play, action)
    after = finish(play, figures)
    if after.violations:
        raise BrokenRule(after.violations[0])
    return after


def finish(play: Table, figures: Figures, log: list[Action] | None = None) -> Table:
    """Take the packet that is due, and end the turn; return the table after it.

    If the packet comes before the discard, its cards are played by the figures.
    """
    may_take = play.discarded >= 0 or play.rules.packet_early
    if may_take and take_due(play, log) and may_play_on(play):
        return play_on(play, figures, log)
    end_turn(play, "")
    return play


def deal_outs(
    rules: Rules,
    figures: Figures,
    dealer: int,
    number: i64,
    totals: list[int],
    hands: list[Codes | None],
    pulled: list[Codes],
    up: Codes | None,
    stream: i64,
    count: i64,
) -> Outcomes:
    """Deal and play `count` samples of the deal `number`, of which some cards are given.

    The given cards are the hands as dealt that are not None, their replacements, and the up cards.
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
    deck = numbered_deck(rules)
    players = [figures] * rules.players
    sheet = ItemSums()
    for at in range(count):
        order = list(shuffled_rest(pool, deck, Numbers(stream, at)))
        dealt = _deal(rules, dealer, hands, pulled, up, order)
        play = lay_out(rules, dealt, totals, number, written=True)
        _note(play_deal(play, players), outcomes, at, sheet)
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
    packets: list[Codes] = []
    for size in rules.packets_aside:
        packets.append(tuple(order[start : start + size]))
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
        dealer, tuple(dealt), tuple(replacements), up_cards, stock, tuple(packets), len(gone)
    )


def _note(play: Table, outcomes: Outcomes, at: i64, sheet: ItemSums) -> None:
    """Note how a sample ended."""
    sides = outcomes.sides
    total: i64 = 0
    base = at * sides
    for side in range(sides):
        sheet.clear()
        write_score(play, side, sheet)
        own: i64 = 0
        start = (base + side) * ITEM_COUNT
        for item in range(ITEM_COUNT):
            points = sheet.points[item]
            own += points
            outcomes.items[start + item] = points
        outcomes.margins[base + side] = own * sides
        total += own
    for side in range(sides):
        outcomes.margins[base + side] -= total


# --- sums -----------------------------------------------------------------------------------------


def add_change(sums: vec[i64], before: Outcomes, after: Outcomes) -> None:
    """Add the differences of two outcomes of equal size to sums by sample and side."""
    for at in range(len(sums)):
        sums[at] += after.margins[at] - before.margins[at]


def moments(values: vec[i64], sides: i64, side: i64, half: i64 = -1) -> tuple[int, int, int]:
    """Return the number, the sum and the sum of the squares of a side's values.

    `values` are by sample and side; those of one half (0 or 1), or of both (-1), count.
    """
    count: i64 = 0
    total: i64 = 0
    squares: i64 = 0
    step = sides if half < 0 else 2 * sides
    for at in range(side + (sides if half == 1 else 0), len(values), step):
        count += 1
        total += values[at]
        squares += values[at] * values[at]
    return count, total, squares


def earned(one: Outcomes, other: Outcomes, side: i64, own: bool, item: i64) -> tuple[int, int, int]:
    """Return how many points of an item `one` has more than `other`, in samples with odd numbers.

    The result is for a side or, without `own`, for the sum of the others: the number of samples,
    and the sums of the differences and of their squares. If `item` is -1, it is for all items
    together. The outcomes must begin with an even sample.
    """
    count: i64 = 0
    total: i64 = 0
    squares: i64 = 0
    for at in range(1, one.count, 2):
        difference: i64 = 0
        for each in range(one.sides):
            if (each == side) == own:
                place = (at * one.sides + each) * ITEM_COUNT
                for kind in range(0 if item < 0 else item, ITEM_COUNT if item < 0 else item + 1):
                    difference += one.items[place + kind] - other.items[place + kind]
        count += 1
        total += difference
        squares += difference * difference
    return count, total, squares


def compared(one: Outcomes, other: Outcomes, side: i64, half: i64) -> tuple[int, int, int]:
    """Return how much the margins of `one` exceed those of `other` in the same samples.

    The result is for one half (0 or 1), or for both (-1): the number of samples, and the sums of
    the differences and of their squares. The outcomes must begin with an even sample.
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
