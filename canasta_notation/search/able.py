"""Whether a seat can take the pile: whether some legal turn begins with the take."""

from __future__ import annotations

from canasta_notation.cards import FOUR, MELD_SIZE, POINTS, RANK, RANK_POINTS, TWO, UNKNOWN_RANK
from canasta_notation.engine.hands import count_of_rank, free_cards, nameless_of, slack_of
from canasta_notation.engine.side import has_opened, meld_size
from canasta_notation.engine.table import MAYBE, NO, OPEN, YES, Table, copy_table, top_of
from canasta_notation.engine.take import frozen_for, is_dead
from canasta_notation.engine.turn import begin_turn
from canasta_notation.search.plans import Budget
from canasta_notation.search.takes import find_takes
from canasta_notation.search.trial import pile_rest


def able_to_take(table: Table, seat: int, budget: Budget | None = None) -> int:
    """Return YES, NO or MAYBE: whether a legal turn of the seat can begin with the take.

    Unknown cards in the hand can only help, so they never turn a YES into a NO. The answer is also
    MAYBE if the search reaches its limit.
    """
    if table.pile_size == 0:
        return NO
    top = RANK[top_of(table)]
    if top == UNKNOWN_RANK:
        return MAYBE
    if _barred(table, seat, top):
        return NO
    # A card that left the hand unseen may be one that the take needs, and whether the turn can end
    # depends on how many cards hand and pile have.
    able = MAYBE if nameless_of(table, seat) or slack_of(table, seat) or table.pile_slack else YES
    if _surely_takes(table, seat, top):
        return able
    unsure = free_cards(table, seat) > 0 or table.pile_slack > 0
    if _has_cards(table, seat, top) and _may_open(table, seat):
        begun = copy_table(table)
        begun.due = seat
        begin_turn(begun, seat)
        budget = budget or Budget()
        for way in find_takes(begun, budget):
            if way.refusal is None and way.certain:
                return able
            unsure = unsure or way.refusal is None
        unsure = unsure or not budget.complete
    return MAYBE if unsure else NO


def must_take(table: Table, seat: int, budget: Budget | None = None) -> int:
    """Return YES, NO or MAYBE: whether the seat must take the pile, the stock being empty."""
    policy = table.rules.must_take
    if policy == "no":
        return NO
    if policy == "matching" and table.pile_size:
        side = table.rules.side_of[seat]
        frozen = frozen_for(table, side)
        if not meld_size(table, side, RANK[top_of(table)]) or frozen == YES:
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
        and table.pile_size == 1
        and not table.pile_slack
    )


def _surely_takes(table: Table, seat: int, rank: int) -> bool:
    """Return whether a side that has opened takes a top of the rank, and two cards are left.

    Under most rules this is decided by counting; under others it is tried.
    """
    side, most = table.rules.side_of[seat], table.rules.max_cards
    if not table.rules.counted_takes or not has_opened(table, side):
        return False
    stands = meld_size(table, side, rank)
    joins = frozen_for(table, side) == NO and 0 < stands < most
    if not joins and (count_of_rank(table, seat, rank) < 2 or stands + MELD_SIZE > most):
        return False
    left = table.hand_sizes[seat] - (0 if joins else MELD_SIZE - 1)
    return left + len(pile_rest(table)) > 1


def _may_open(table: Table, seat: int) -> bool:
    """Return whether the hand and the top together count enough for an opening, if one is due."""
    side = table.rules.side_of[seat]
    if has_opened(table, side) or table.rules.waived == "splash":
        return True
    points = POINTS[top_of(table)]
    for rank in range(UNKNOWN_RANK):
        points += RANK_POINTS[rank] * max(0, count_of_rank(table, seat, rank))
    return points >= table.minimums[side]


def _has_cards(table: Table, seat: int, rank: int) -> bool:
    """Return whether a seat has the cards of the rank that a take needs, which is rare."""
    side = table.rules.side_of[seat]
    naturals = count_of_rank(table, seat, rank)
    if frozen_for(table, side) == YES:
        return naturals > 1
    return naturals > 0 or meld_size(table, side, rank) > 0
