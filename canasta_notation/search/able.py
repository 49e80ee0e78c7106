"""Whether a seat is able to take the pile: whether some legal turn begins with the take."""

from __future__ import annotations

from canasta_notation.cards import (
    ACE,
    CANASTA_SIZE,
    FOUR,
    JOKER_RANK,
    MELD_SIZE,
    RANK,
    RANK_POINTS,
    TWO,
    UNKNOWN,
    UNKNOWN_RANK,
)
from canasta_notation.engine.hand import Hand
from canasta_notation.engine.side import NOT_KNOWN, Side
from canasta_notation.engine.table import MAYBE, NO, OPEN, YES, Table
from canasta_notation.engine.take import frozen_for
from canasta_notation.search.takes import can_take


def able_to_take(table: Table, seat: int) -> int:
    """Return YES, NO or MAYBE: whether a legal turn of the seat can begin with the take.

    Unknown cards in the hand can only help, so that a known YES stands whatever they are.
    """
    if not table.pile:
        return NO
    top = table.pile[-1]
    hand = table.hands[seat]
    side = table.sides[table.rules.side_of[seat]]
    if top == UNKNOWN:
        return MAYBE
    if _barred(table, hand, RANK[top]):
        return NO
    frozen = frozen_for(table, side)
    if not table.rules.counted_takes:
        # The count below does not know every rule of this profile: the engine is asked.
        able = can_take(table, seat)
    else:
        able = _can(table, hand, side, frozen != NO)
    if able:
        # A card that left unnamed may have been one that the take needs, and how many cards hand
        # and pile hold decides whether the turn can end.
        return MAYBE if hand.nameless or hand.slack or table.pile_slack else YES
    if hand.free() or table.pile_slack or (frozen == MAYBE and _can(table, hand, side, False)):
        return MAYBE
    if not side.opened and side.minimum == NOT_KNOWN:
        return MAYBE
    return NO


def must_take(table: Table, seat: int) -> int:
    """Return YES, NO or MAYBE: whether the seat must take the pile, the stock being empty."""
    policy = table.rules.must_take
    if policy == "no":
        return NO
    if policy == "matching" and table.pile:
        side = table.sides[table.rules.side_of[seat]]
        frozen = frozen_for(table, side)
        if not side.sizes[RANK[table.pile[-1]]] or frozen == YES:
            return NO
        return MAYBE if frozen == MAYBE else able_to_take(table, seat)
    return able_to_take(table, seat)


def stock_over(table: Table) -> int:
    """Return whether the empty stock has ended the deal: YES, NO or MAYBE.

    It has when the next seat need not take the pile and the record shows no take.
    """
    if table.stock_fewest > 0 or table.ended != OPEN:
        return NO
    if table.stock_most > 0 or table.due < 0:
        return MAYBE
    return {YES: NO, NO: YES, MAYBE: MAYBE}[must_take(table, table.due)]


def _barred(table: Table, hand: Hand, rank: int) -> bool:
    """Return whether the pile cannot be taken whatever the hand holds."""
    rules = table.rules
    if rules.blockers[rank] or rank < FOUR or rank >= TWO:
        return True
    if rules.dead_ranks and any(side.sizes[rank] >= CANASTA_SIZE for side in table.sides):
        return True
    return (
        rules.one_card_rule
        and hand.size == 1
        and not hand.slack
        and len(table.pile) == 1
        and not table.pile_slack
    )


def _can(table: Table, hand: Hand, side: Side, frozen: bool) -> bool:
    """Return whether the known cards of the hand can take the pile and end the turn."""
    if not side.opened:
        return _can_open(table, hand, side, frozen)
    top = RANK[table.pile[-1]]
    stands = side.sizes[top]
    joins = not frozen and table.rules.onto_meld and 0 < stands < table.rules.max_cards
    if joins and _can_end(table, hand, side, 0, []):
        return True
    return any(_can_end(table, hand, side, len(used), used) for used in _pairs(table, hand, frozen))


def _pairs(table: Table, hand: Hand, frozen: bool) -> list[list[int]]:
    """Return the pairs of ranks that, laid with the top card, take the pile."""
    rules = table.rules
    top = RANK[table.pile[-1]]
    naturals = max(0, hand.of_rank(top))
    pairs = [[top, top]] if naturals >= 2 else []
    if naturals and not frozen and rules.with_wild and rules.max_wilds and not rules.no_wilds[top]:
        pairs += [[top, wild] for wild in (TWO, JOKER_RANK) if hand.of_rank(wild) > 0]
    return pairs


def _can_end(table: Table, hand: Hand, side: Side, used: int, ranks: list[int]) -> bool:
    """Return whether the turn can end after a take that laid cards of those ranks on the top."""
    rules = table.rules
    top = RANK[table.pile[-1]]
    size = side.sizes[top] + 1 + used
    wilds = side.wilds(top) + sum(rank >= TWO for rank in ranks)
    if size > rules.max_cards or wilds > rules.max_wilds:
        return False
    if not rules.may_outnumber and wilds > size - wilds:
        return False
    rest = [RANK[code] for code in table.pile[:-1] if not rules.tabled[RANK[code]]]
    left = hand.size - used + len(rest)
    if left > 1:
        return True
    canastas = side.canastas() + (size >= CANASTA_SIZE > side.sizes[top])
    if left == 0:
        return canastas >= rules.out_canastas and not rules.discard_required
    if canastas >= rules.out_canastas:
        return True
    last = rest[0] if rest else _last(hand, ranks)
    return not rules.discard_required and _completes(table, side, last, canastas, size, wilds)


def _last(hand: Hand, used: list[int]) -> int:
    """Return the rank of the one card that the hand keeps."""
    for rank in range(UNKNOWN_RANK):
        if hand.of_rank(rank) > used.count(rank):
            return rank
    return UNKNOWN_RANK


def _completes(
    table: Table, side: Side, last: int, canastas: int, top_size: int, top_wilds: int
) -> bool:
    """Return whether laying the last card on a meld makes the canasta that is still wanted."""
    rules = table.rules
    if canastas + 1 < rules.out_canastas:
        return False
    top = RANK[table.pile[-1]]
    for rank in {*side.melds(), top}:
        size, wilds = side.sizes[rank], side.wilds(rank)
        if rank == top:
            size, wilds = top_size, top_wilds
        if size != CANASTA_SIZE - 1:
            continue
        if last == rank:
            return True
        if last in (TWO, JOKER_RANK) and wilds < rules.max_wilds:
            return rules.may_outnumber or wilds + 1 <= size - wilds
    return False


def _can_open(table: Table, hand: Hand, side: Side, frozen: bool) -> bool:
    """Return whether the hand can open with the take and then end its turn."""
    rules = table.rules
    if side.minimum == NOT_KNOWN:
        return False
    rest = sum(not rules.tabled[RANK[code]] for code in table.pile[:-1])
    top_points = RANK_POINTS[RANK[table.pile[-1]]] if rules.top_counts else 0
    for (wilds, laid, canastas), points in opening_plans(table, hand, frozen).items():
        count = points + wild_points(hand, wilds) + top_points
        if count < side.minimum:
            continue
        left = hand.size - laid + rest
        if left > 1:
            return True
        if canastas >= rules.out_canastas and (left == 1 or not rules.discard_required):
            return True
    return False


def wild_points(hand: Hand, wilds: int) -> int:
    """Return the most points that so many wild cards of the hand count."""
    jokers = min(wilds, max(0, hand.of_rank(JOKER_RANK)))
    return jokers * RANK_POINTS[JOKER_RANK] + (wilds - jokers) * RANK_POINTS[TWO]


def opening_plans(table: Table, hand: Hand, frozen: bool) -> dict[tuple[int, int, int], int]:
    """Return the openings that a take allows: (wilds, cards laid, canastas) to natural points.

    For each combination the most points that naturals can count; the top card is not counted.
    """
    top = RANK[table.pile[-1]]
    if not _ways(table, hand, top, True, frozen):
        return {}
    wilds_held = max(0, hand.of_rank(TWO)) + max(0, hand.of_rank(JOKER_RANK))
    plans: dict[tuple[int, int, int], int] = {(0, 0, 0): 0}
    for rank in range(FOUR, ACE + 1):
        ways = _ways(table, hand, rank, rank == top, frozen)
        grown: dict[tuple[int, int, int], int] = {}
        for (wilds, laid, canastas), points in plans.items():
            for naturals, with_wilds, canasta in ways:
                if wilds + with_wilds > wilds_held:
                    continue
                key = (wilds + with_wilds, laid + naturals + with_wilds, canastas + canasta)
                value = points + naturals * RANK_POINTS[rank]
                grown[key] = max(grown.get(key, 0), value)
        plans = grown
    return plans


def _ways(
    table: Table, hand: Hand, rank: int, top: bool, frozen: bool
) -> list[tuple[int, int, int]]:
    """Return the melds of a rank that the hand can lay: (naturals, wilds, 1 for a canasta)."""
    rules = table.rules
    held = max(0, hand.of_rank(rank))
    ways = [] if top else [(0, 0, 0)]
    extra = 1 if top else 0
    fewest = 1 if top and not frozen and rules.with_wild else 2
    most_wilds = 0 if rules.no_wilds[rank] and rank != ACE else rules.max_wilds
    for naturals in range(fewest, held + 1):
        for wilds in range(most_wilds + 1):
            size = naturals + extra + wilds
            if size < MELD_SIZE or size > rules.max_cards:
                continue
            if not rules.may_outnumber and wilds > naturals + extra:
                continue
            if naturals + extra >= rules.min_naturals:
                ways.append((naturals, wilds, int(size >= CANASTA_SIZE)))
    return ways
