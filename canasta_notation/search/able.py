"""Whether a seat can take the pile: whether some legal turn begins with the take."""

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
from canasta_notation.engine.hands import count_of_rank, free_cards, nameless_of, slack_of
from canasta_notation.engine.side import count_canastas, has_opened, meld_ranks, meld_size, wilds_of
from canasta_notation.engine.table import MAYBE, NO, NOT_KNOWN, OPEN, YES, Table
from canasta_notation.engine.take import frozen_for, is_dead
from canasta_notation.search.plans import Budget
from canasta_notation.search.takes import can_take


def able_to_take(table: Table, seat: int, budget: Budget | None = None) -> int:
    """Return YES, NO or MAYBE: whether a legal turn of the seat can begin with the take.

    Unknown cards in the hand can only help, so they never turn a YES into a NO. The answer is also
    MAYBE if the search reaches its bound.
    """
    if not table.pile:
        return NO
    top = table.pile[-1]
    side = table.rules.side_of[seat]
    if top == UNKNOWN:
        return MAYBE
    if _barred(table, seat, RANK[top]):
        return NO
    frozen = frozen_for(table, side)
    if not table.rules.counted_takes:
        # The count below does not know every rule of this profile, so the engine is asked.
        able = can_take(table, seat, budget or Budget())
    else:
        able = YES if _can_take(table, seat, frozen != NO) else NO
    if able == YES:
        # A card that left the hand unseen may be one that the take needs, and whether the turn can
        # end depends on how many cards hand and pile have.
        return (
            MAYBE if nameless_of(table, seat) or slack_of(table, seat) or table.pile_slack else YES
        )
    if able == MAYBE or free_cards(table, seat) or table.pile_slack:
        return MAYBE
    if frozen == MAYBE and _can_take(table, seat, False):
        return MAYBE
    if not has_opened(table, side) and table.minimums[side] == NOT_KNOWN:
        return MAYBE
    return NO


def must_take(table: Table, seat: int, budget: Budget | None = None) -> int:
    """Return YES, NO or MAYBE: whether the seat must take the pile, the stock being empty."""
    policy = table.rules.must_take
    if policy == "no":
        return NO
    if policy == "matching" and table.pile:
        side = table.rules.side_of[seat]
        frozen = frozen_for(table, side)
        if not meld_size(table, side, RANK[table.pile[-1]]) or frozen == YES:
            return NO
        return MAYBE if frozen == MAYBE else able_to_take(table, seat, budget)
    return able_to_take(table, seat, budget)


def stock_over(table: Table, budget: Budget | None = None) -> int:
    """Return whether the empty stock has ended the deal: YES, NO or MAYBE.

    It has if the seat that is due does not have to take the pile. The caller asks only if the
    record shows no take.
    """
    if table.stock_fewest > 0 or table.ended != OPEN:
        return NO
    if table.stock_most > 0 or table.due < 0:
        return MAYBE
    return {YES: NO, NO: YES, MAYBE: MAYBE}[must_take(table, table.due, budget)]


def _barred(table: Table, seat: int, rank: int) -> bool:
    """Return whether the pile cannot be taken whatever the hand holds."""
    rules = table.rules
    if rules.blockers[rank] or rank < FOUR or rank >= TWO:
        return True
    if is_dead(table, rank):
        return True
    return (
        rules.one_card_rule
        and table.hand_sizes[seat] == 1
        and not slack_of(table, seat)
        and len(table.pile) == 1
        and not table.pile_slack
    )


def _can_take(table: Table, seat: int, frozen: bool) -> bool:
    """Return whether the known cards of the hand can take the pile and end the turn."""
    side = table.rules.side_of[seat]
    if not has_opened(table, side):
        return _can_open(table, seat, frozen)
    stands = meld_size(table, side, RANK[table.pile[-1]])
    joins = not frozen and table.rules.onto_meld and 0 < stands < table.rules.max_cards
    if joins and _can_end(table, seat, 0, []):
        return True
    return any(_can_end(table, seat, len(used), used) for used in _pairs(table, seat, frozen))


def _pairs(table: Table, seat: int, frozen: bool) -> list[list[int]]:
    """Return the pairs of ranks with which the hand can take the pile."""
    rules = table.rules
    top = RANK[table.pile[-1]]
    naturals = max(0, count_of_rank(table, seat, top))
    pairs = [[top, top]] if naturals >= 2 else []
    if naturals and not frozen and rules.with_wild and rules.max_wilds and not rules.no_wilds[top]:
        pairs += [[top, wild] for wild in (TWO, JOKER_RANK) if count_of_rank(table, seat, wild) > 0]
    return pairs


def _can_end(table: Table, seat: int, used: int, ranks: list[int]) -> bool:
    """Return whether the turn can end after a take that laid cards of those ranks on the top."""
    rules = table.rules
    top = RANK[table.pile[-1]]
    side = rules.side_of[seat]
    stood = meld_size(table, side, top)
    size = stood + 1 + used
    wilds = wilds_of(table, side, top) + sum(rank >= TWO for rank in ranks)
    if size > rules.max_cards or wilds > rules.max_wilds:
        return False
    if not rules.may_outnumber and wilds > size - wilds:
        return False
    rest = [RANK[code] for code in table.pile[:-1] if not rules.tabled[RANK[code]]]
    left = table.hand_sizes[seat] - used + len(rest)
    if left > 1:
        return True
    canastas = count_canastas(table, side) + (size >= CANASTA_SIZE > stood)
    if left == 0:
        return canastas >= rules.out_canastas and not rules.discard_required
    if canastas >= rules.out_canastas:
        return True
    last = rest[0] if rest else _kept_rank(table, seat, ranks)
    return not rules.discard_required and _completes(table, seat, last, canastas, size, wilds)


def _kept_rank(table: Table, seat: int, used: list[int]) -> int:
    """Return the rank of the one card that the hand keeps."""
    for rank in range(UNKNOWN_RANK):
        if count_of_rank(table, seat, rank) > used.count(rank):
            return rank
    return UNKNOWN_RANK


def _completes(
    table: Table, seat: int, last: int, canastas: int, top_size: int, top_wilds: int
) -> bool:
    """Return whether laying the last card on a meld makes the canasta that is still missing."""
    rules = table.rules
    if canastas + 1 < rules.out_canastas:
        return False
    top = RANK[table.pile[-1]]
    side = rules.side_of[seat]
    for rank in {*meld_ranks(table, side), top}:
        size, wilds = meld_size(table, side, rank), wilds_of(table, side, rank)
        if rank == top:
            size, wilds = top_size, top_wilds
        if size != CANASTA_SIZE - 1:
            continue
        if last == rank:
            return True
        if last in (TWO, JOKER_RANK) and wilds < rules.max_wilds:
            return rules.may_outnumber or wilds + 1 <= size - wilds
    return False


def _can_open(table: Table, seat: int, frozen: bool) -> bool:
    """Return whether the hand can open with the take and then end its turn."""
    rules = table.rules
    minimum = table.minimums[rules.side_of[seat]]
    if minimum == NOT_KNOWN:
        return False
    rest = sum(not rules.tabled[RANK[code]] for code in table.pile[:-1])
    top_points = RANK_POINTS[RANK[table.pile[-1]]] if rules.top_counts else 0
    for (wilds, laid, canastas), points in opening_plans(table, seat, frozen).items():
        count = points + wild_points(table, seat, wilds) + top_points
        if count < minimum:
            continue
        left = table.hand_sizes[seat] - laid + rest
        if left > 1:
            return True
        if canastas >= rules.out_canastas and (left == 1 or not rules.discard_required):
            return True
    return False


def wild_points(table: Table, seat: int, wilds: int) -> int:
    """Return the most points that `wilds` wild cards of the hand can count."""
    jokers = min(wilds, max(0, count_of_rank(table, seat, JOKER_RANK)))
    return jokers * RANK_POINTS[JOKER_RANK] + (wilds - jokers) * RANK_POINTS[TWO]


def opening_plans(table: Table, seat: int, frozen: bool) -> dict[tuple[int, int, int], int]:
    """Return the openings that a take allows, as (wild cards, cards laid, canastas) to points.

    The points are the most that the naturals can count. The top card is not included.
    """
    top = RANK[table.pile[-1]]
    if not _ways(table, seat, top, True, frozen):
        return {}
    wilds_held = max(0, count_of_rank(table, seat, TWO)) + max(
        0, count_of_rank(table, seat, JOKER_RANK)
    )
    plans: dict[tuple[int, int, int], int] = {(0, 0, 0): 0}
    for rank in range(FOUR, ACE + 1):
        ways = _ways(table, seat, rank, rank == top, frozen)
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
    table: Table, seat: int, rank: int, top: bool, frozen: bool
) -> list[tuple[int, int, int]]:
    """Return the groups of a rank that the hand can lay: (naturals, wilds, 1 for a canasta)."""
    rules = table.rules
    held = max(0, count_of_rank(table, seat, rank))
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
