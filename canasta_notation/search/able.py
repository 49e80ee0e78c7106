"""Whether a seat can take the pile, and the ways to take it, each tried on a copy first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from canasta_notation.cards import (
    BARE,
    FOUR,
    JOKER_RANK,
    KIND,
    MELD_SIZE,
    RANK,
    RANKS,
    RED_THREE,
    SEQUENCE,
    TWO,
    UNKNOWN,
    UNKNOWN_RANK,
    is_wild,
)
from canasta_notation.engine.actions import Action, Lay, Take
from canasta_notation.engine.hands import (
    count_of_rank,
    free_cards,
    is_vague,
    loose_cards,
    nameless_of,
)
from canasta_notation.engine.knowledge import count_unseen
from canasta_notation.engine.side import (
    extends_sequence,
    free_place,
    has_opened,
    joins_sequence,
    meld_places,
    meld_size,
)
from canasta_notation.engine.table import MAYBE, NO, OPEN, YES, Table, Violation, copy_table, top_of
from canasta_notation.engine.take import frozen_for, frozen_why, is_dead
from canasta_notation.engine.turn import begin_turn, end_turn
from canasta_notation.search.ending import find_ending, find_special, objection
from canasta_notation.search.found import Refusal, TakeWay
from canasta_notation.search.placed import top_groups
from canasta_notation.search.plans import OF_THE_TAKE, Budget, Planner
from canasta_notation.search.trial import MELDABLE, Trial, attempt, held_cards, pile_rest

#: Findings at the turn's end that no further card of the hand can remove.
_OF_THE_MELD = (*OF_THE_TAKE, "meld-size")
#: The message of an opening that the rest of the hand does not reach, by that of one laid.
_OPENS: Final = {"low": "take", "deal": "take-deal", "raised": "take-raised"}
#: The message for what a hand lacks for a pair, by the number of its cards of the top's rank.
_LACKING = ("no-pair", "no-second")


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
    if barred(table, seat, top):
        return NO
    # A card that left the hand unseen may be one that the take needs, and whether the turn can end
    # depends on how many cards hand and pile have.
    able = YES
    if nameless_of(table, seat) or loose_cards(table, seat) or table.pile_loose:
        able = MAYBE
    if _surely_takes(table, seat, top):
        return able
    unsure = free_cards(table, seat) > 0 or table.pile_loose > 0
    if _suffices(table, seat, top) or table.rules.special_with_pile:
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


def may_take(table: Table, seat: int) -> bool:
    """Return, by counting, whether a hand has cards for a take of the pile.

    This does not decide whether a legal turn can begin with the take. Not checked: that there is a
    pile.
    """
    top = RANK[top_of(table)]
    if barred(table, seat, top):
        return False
    return table.rules.special_with_pile or _suffices(table, seat, top)


def _suffices(table: Table, seat: int, top: int) -> bool:
    """Return whether a hand has the cards for a take and, if one is due, for an opening."""
    return _has_cards(table, seat, top) and _may_open(table, seat)


def find_way(table: Table) -> TakeWay | None:
    """Return a certain way in which the seat due can take the pile, or None."""
    begun = copy_table(table)
    begin_turn(begun, table.due)
    ways = find_takes(begun, Budget())
    return next((way for way in ways if way.refusal is None and way.certain), None)


def must_take(table: Table, seat: int, budget: Budget | None = None) -> int:
    """Return YES, NO or MAYBE: whether the seat must take the pile, the stock being empty."""
    policy = table.rules.must_take
    if policy == "no":
        return NO
    if policy == "matching" and table.pile_size:
        side = table.rules.side_of[seat]
        frozen = frozen_for(table, side)
        if not _matches(table, side, top_of(table)) or frozen == YES:
            return NO
        return MAYBE if frozen == MAYBE else able_to_take(table, seat, budget)
    return able_to_take(table, seat, budget)


def _matches(table: Table, side: int, top: int) -> bool:
    """Return whether the top matches a meld of the side."""
    if table.places == RANKS:
        return meld_size(table, side, RANK[top]) > 0
    if table.rules.onto_sequence and joins_sequence(table, side, top):
        return True
    return any(KIND[place] == RANK[top] for place in meld_places(table, side))


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


def barred(table: Table, seat: int, rank: int) -> bool:
    """Return whether the pile cannot be taken whatever the hand holds."""
    rules = table.rules
    unfit = not rules.from_ace and (rank < FOUR or rank >= TWO)
    if rules.blockers[rank] or unfit or is_dead(table, rank):
        return True
    one_card = table.hand_sizes[seat] == 1 and not loose_cards(table, seat)
    return rules.one_card_rule and one_card and table.pile_size == 1 and not table.pile_loose


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
    """Return whether the cards that could be melded count enough for an opening, if one is due.

    It counts all wild cards, the ranks with enough naturals and, of the ranks that need a wild
    card, those that count most, one for each wild card. With sequences, it counts every natural.
    """
    rules = table.rules
    side = rules.side_of[seat]
    if has_opened(table, side) or rules.waived == "splash":
        return True
    top = RANK[top_of(table)]
    twos, jokers = count_of_rank(table, seat, TWO), count_of_rank(table, seat, JOKER_RANK)
    wilds = max(0, twos) + max(0, jokers)
    points_of = rules.rank_points
    points = points_of[TWO] * max(0, twos) + points_of[JOKER_RANK] * max(0, jokers)
    short: list[int] = []
    for rank in range(FOUR, TWO):
        counted = naturals = max(0, count_of_rank(table, seat, rank))
        if rank == top:
            naturals += 1
            counted += 1 if rules.top_counts else 0
        if naturals >= MELD_SIZE or rules.sequences:
            points += points_of[rank] * counted
        elif naturals >= rules.min_naturals and naturals + wilds >= MELD_SIZE:
            short.append(points_of[rank] * counted)
    short.sort(reverse=True)
    for more in short[: int(wilds)]:
        points += more
    return points >= table.minimums[side]


def _has_cards(table: Table, seat: int, rank: int) -> bool:
    """Return whether a seat has the cards of the rank that a take needs, which is rare."""
    side = table.rules.side_of[seat]
    if table.rules.takes_freely or (table.rules.from_ace and table.rules.onto_sequence):
        return True
    naturals = count_of_rank(table, seat, rank)
    if frozen_for(table, side) == YES:
        return naturals > 1
    return naturals > 0 or _matches(table, side, top_of(table))


# --- the ways -----------------------------------------------------------------------------------


def as_refusal(violation: Violation | None) -> Refusal | None:
    """Return a violation as a refusal, None for None."""
    if violation is None:
        return None
    facts = tuple(violation.facts.items())
    return Refusal(violation.code, violation.key, violation.message, facts)


def find_takes(table: Table, budget: Budget) -> Iterator[TakeWay]:
    """Yield the ways to take the pile, including refused ones; the way "" if there is none at all.

    If the budget's limit is reached, a way that was not decided is neither refused nor certain.
    """
    if table.pile_size == 0:
        yield TakeWay("", (), Refusal("pile-empty", "", "empty"))
        return
    top = top_of(table)
    if top == UNKNOWN:
        yield from _unwritten_takes(table, Planner(table, budget))
        return
    # No meld holds a red three: the end of the turn refuses its take.
    unfit = RANK[top] == RED_THREE and not table.rules.threes_melded
    refusal = as_refusal(attempt(table, (Take(top),), end=unfit).violation)
    if refusal is not None:
        yield TakeWay("", (), refusal)
        return
    if table.rules.special_with_pile:
        yield from _special_takes(table, top)
    if table.places > RANKS:
        yield from _placed_takes(table, budget, top)
        return
    planner = Planner(table, budget)
    naturals = planner.hand[RANK[top]] if RANK[top] in MELDABLE else []
    pair = tuple(naturals[:2])
    stands = meld_size(table, table.side, RANK[top]) > 0
    if stands:
        yield _take_way(table, budget, "join", ())
    if len(pair) > 1 or not stands or free_cards(table, table.seat):
        yield _take_way(table, budget, "pair", pair)
    for wilds in (planner.hand[TWO], planner.hand[JOKER_RANK]):
        if naturals and wilds:
            yield _take_way(table, budget, "with-wild", (naturals[0], wilds[0]))


def _special_takes(table: Table, top: int) -> Iterator[TakeWay]:
    """Yield the way to take the top alone for a special hand, if it completes one."""
    if free_cards(table, table.seat):
        return
    trial = attempt(table, (Take(top),), end=False)
    ending = find_special(trial.table)
    if ending is not None:
        yield TakeWay("special", (), None, certain=ending.certain, ending=ending.actions)


def _placed_takes(table: Table, budget: Budget, top: int) -> Iterator[TakeWay]:
    """Yield the ways to take the pile if a side may have sequences or several melds of a rank.

    Only one pair of the hand that leads to a legal turn is yielded.
    """
    if table.rules.takes_freely:
        yield _take_way(table, budget, "join", ())
        return
    rank = table.rules.set_of[RANK[top]]
    places = meld_places(table, table.side)
    for place in places:
        extends = table.rules.sequences and extends_sequence(table, table.side, place, top)
        if KIND[place] == rank or extends:
            yield _take_way(table, budget, "join", (), place)
    naturals = [code for code in held_cards(table) if table.rules.set_of[RANK[code]] == rank]
    stands = any(KIND[place] == rank for place in places)
    begun = attempt(table, (Take(top),), end=False).table
    found = None
    for group in top_groups(begun, naturals) if not begun.taken.melded else ():
        way = _take_way(table, budget, "pair", group.cards, group.rank)
        found = found or way
        if way.refusal is None:
            found = way
            break
    if begun.taken.melded and len(naturals) > 1:
        found = _take_way(table, budget, "pair", tuple(naturals[:2]), rank)
    if found is not None:
        yield found
    elif not stands or free_cards(table, table.seat):
        yield _take_way(table, budget, "pair", tuple(naturals), rank)
    wilds = [code for code in held_cards(table) if is_wild(code)]
    free = free_place(table, table.side, rank)
    for wild in {RANK[code]: code for code in wilds}.values() if naturals and free >= 0 else ():
        yield _take_way(table, budget, "with-wild", (naturals[0], wild), free)


def _unwritten_takes(table: Table, planner: Planner) -> Iterator[TakeWay]:
    """Yield the remaining ways to take a pile whose top is not written."""
    rules, frozen = table.rules, frozen_for(table, table.side)
    stands = any(meld_size(table, table.side, rank) for rank in range(FOUR, TWO))
    if rules.onto_meld and frozen != YES and stands:
        yield TakeWay("join", (), None, certain=False)
    naturals = max(len(planner.hand[rank]) for rank in range(FOUR, TWO))
    lacking = naturals < 2 and not free_cards(table, table.seat)
    refusal = Refusal("not-in-hand", "", "no-pairs") if lacking else None
    yield TakeWay("pair", (), refusal, certain=lacking)
    if rules.with_wild and frozen != YES and naturals and planner.wilds:
        yield TakeWay("with-wild", (), None, certain=False)


def _take_way(
    table: Table, budget: Budget, way: str, cards: tuple[int, ...], place: int = -1
) -> TakeWay:
    """Return a way to take the pile, tried with `cards` of the hand.

    Unwritten cards of the hand can be those that a pair lacks. Whatever else the hand has, the
    engine's objection to the meld holds.
    """
    top = top_of(table)
    kind = table.rules.set_of[RANK[top]]
    onto = None if place in (-1, kind) else place
    unknown = free_cards(table, table.seat) > 0
    lacking = 2 - len(cards) if way == "pair" and unknown else 0
    if lacking > 0 and not is_vague(table, table.seat):  # The deck may have no more of the rank.
        lacking = min(lacking, count_unseen(table, RANK[top]))
    laid = (*cards, *(BARE[RANK[top]],) * lacking)
    if laid:
        groups: tuple[Action, ...] = (Take(top), Lay(int(kind) if place < 0 else place, laid))
    else:
        groups = (Take(top, None, onto),)
    trial = attempt(table, groups, end=False)
    if way == "pair" and len(laid) < 2 and KIND[max(place, 0)] < SEQUENCE:
        _, key = frozen_why(trial.table)
        facts = (("rank", RANK[top]),)
        return TakeWay(way, cards, Refusal("not-in-hand", key, _LACKING[len(cards)], facts))
    if trial.violation is not None:
        return TakeWay(way, cards, as_refusal(trial.violation), onto=onto)
    wrong = None
    if not trial.table.taken.freely:
        form = copy_table(trial.table)
        end_turn(form, "")
        wrong = next((each for each in form.violations if each.code in _OF_THE_MELD), None)
    if wrong is None:
        budget.renew()
        ending = find_ending(trial.table, budget)
        if ending is not None:
            certain = ending.certain and trial.certain and lacking <= 0
            return TakeWay(way, cards, None, certain, onto, ending.actions if certain else ())
    refusal = as_refusal(wrong) or (None if unknown else _objection(trial))
    return TakeWay(way, cards, refusal, refusal is not None, onto)


def _objection(trial: Trial) -> Refusal:
    """Return the engine's first objection to ending the turn now, as one to the take."""
    found = as_refusal(objection(trial.table))
    top = int(trial.table.taken.top)
    facts = (("card", top), ("meld", int(trial.table.rules.set_of[RANK[top]])))
    refusal = found or Refusal("pile-unmeldable", "pile.onto_meld", "none", facts)
    if refusal.code == "opening-low":
        return replace(refusal, message=_OPENS[refusal.message])
    return refusal
