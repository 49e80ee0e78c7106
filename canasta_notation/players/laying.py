"""Which cards a player lays: to open, to go out, and otherwise. By counts, without actions.

A plan says for each rank how many naturals and wild cards go on its meld. The engine decides
whether a meld may have that shape, once for each shape (`holds`).
"""

from __future__ import annotations

from typing import Final

from canasta_notation.arrays import zeros
from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    CODES,
    FIRST_OF,
    FOUR,
    JOKER,
    JOKER_RANK,
    KIND,
    MELD_SIZE,
    RANK,
    RANKS,
    SEVEN,
    TWO,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.actions import Action, Lay
from canasta_notation.engine.lay import lay
from canasta_notation.engine.packets import awaits_empty_hand
from canasta_notation.engine.ruleset import UNTOUCHED, Rules
from canasta_notation.engine.side import bars_wilds, count_canastas, dead_for, lacks_packet
from canasta_notation.engine.table import Table
from canasta_notation.players.figures import Figures
from canasta_notation.players.sight import wilds_in
from canasta_notation.search.trial import meld_holds

#: The bits for one number of cards in the key of a shape.
_BITS: Final[i64] = 6


class Plan:
    """What to lay: by rank, naturals and wild cards; `cards` is how many cards that is."""

    __slots__ = ("cards", "naturals", "wilds", "wilds_used")

    def __init__(self) -> None:
        self.naturals: vec[i64] = zeros(RANKS)
        self.wilds: vec[i64] = zeros(RANKS)
        self.cards: i64 = 0
        self.wilds_used: i64 = 0

    def add(self, rank: i64, naturals: i64, wilds: i64) -> None:
        """Add cards to the plan."""
        self.naturals[rank] += naturals
        self.wilds[rank] += wilds
        self.cards += naturals + wilds
        self.wilds_used += wilds


def holds(table: Table, figures: Figures, place: i64, naturals: i64, wilds: i64) -> bool:
    """Return whether the engine allows that many more cards on the side's set at a place."""
    if dead_for(table, table.side, place) >= 0:
        return False
    if bars_wilds(table, place) and wilds:
        return False
    side_at = table.side * table.places + place
    stood = table.naturals[side_at]
    stood_wilds = table.twos[side_at] + table.jokers[side_at]
    if table.touched_at[place] != UNTOUCHED:
        stood -= table.laid_naturals[place]
        stood_wilds -= table.laid_wilds[place]
        naturals += table.laid_naturals[place]
        wilds += table.laid_wilds[place]
    rank = KIND[place]
    key = rank << _BITS | stood
    key = key << _BITS | stood_wilds
    key = key << _BITS | naturals
    key = (key << _BITS | wilds) << 1 | (1 if table.opened_before else 0)
    found = figures.shapes.get(key)
    if found is None:
        found = meld_holds(
            table.rules, rank, (stood, stood_wilds), (naturals, wilds), table.opened_before
        )
        figures.shapes[key] = found
    return found


def lay_plan(table: Table, plan: Plan, log: list[Action] | None) -> None:
    """Lay the groups of a plan: the rank of a waiting top first, black threes last."""
    if table.waiting:
        top = RANK[table.taken.top]
        _lay_rank(table, top, plan, log)
        plan.naturals[top] = plan.wilds[top] = 0
    for rank in range(FOUR, JOKER_RANK + 1):
        if plan.naturals[rank] or plan.wilds[rank]:
            _lay_rank(table, rank, plan, log)
    if plan.naturals[BLACK_THREE]:
        _lay_rank(table, BLACK_THREE, plan, log)


def take_laid(held: vec[i64], plan: Plan) -> None:
    """Take the cards of a plan off a hand from which they have been laid."""
    for rank in range(BLACK_THREE, TWO):
        held[rank] -= plan.naturals[rank]
    jokers = min(held[JOKER_RANK], plan.wilds_used)
    held[JOKER_RANK] -= jokers
    held[TWO] -= plan.wilds_used - jokers


def _lay_rank(table: Table, rank: i64, plan: Plan, log: list[Action] | None) -> None:
    """Lay cards of the hand on a meld: naturals by suit, jokers before twos."""
    naturals, wilds = plan.naturals[rank], plan.wilds[rank]
    cards = zeros(naturals + wilds)
    base = table.seat * CODES
    count: i64 = 0
    for code in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
        for _ in range(min(table.counts[base + code], naturals - count)):
            cards[count] = code
            count += 1
    jokers = min(table.counts[base + JOKER], wilds)
    if rank == JOKER_RANK:
        count = 0
    for _ in range(jokers):
        cards[count] = JOKER
        count += 1
    for code in range(FIRST_OF[TWO], FIRST_OF[TWO + 1]):
        for _ in range(min(table.counts[base + code], naturals + wilds - count)):
            cards[count] = code
            count += 1
    lay(table, rank, cards)
    if log is not None:
        log.append(Lay(rank, tuple(cards)))


def room_of(table: Table, seat: i64) -> i64:
    """Return how many cards of the hand can be laid if one is kept, and one discarded if due.

    Of a hand that picks up a packet when it is empty, every card can be laid.
    """
    if awaits_empty_hand(table):
        return table.hand_sizes[seat]
    return table.hand_sizes[seat] - table.kept_threes[seat] - (1 if table.last_three else 2)


def finishes(table: Table, figures: Figures, rank: i64, cards: i64) -> bool:
    """Return whether to begin a meld of a rank, which may cost points until it is a canasta."""
    if rank != SEVEN and rank != ACE and rank != JOKER_RANK:
        return True
    return not table.rules.score_unfinished or cards >= figures.must_finish


# --- opening --------------------------------------------------------------------------------------


def plan_opening(
    table: Table, figures: Figures, held: vec[i64], top: i64, rest: i64, most: i64
) -> Plan | None:
    """Return groups that open, as few as are needed, with at most `most` wild cards; or None.

    `top` is the rank of the pile's top card that the groups must meld, or -1, and `rest` is how
    many cards come into the hand with it.
    """
    rules, points_of = table.rules, table.rules.rank_points
    plan = Plan()
    need: i64 = table.minimums[rules.side_of[table.seat]]
    jokers = held[JOKER_RANK]
    wilds = min(held[TWO] + jokers, most)
    splash = False
    if top >= 0:
        if held[top] < 2 or not holds(table, figures, top, held[top] + 1, 0):
            return None
        plan.add(top, held[top], 0)
        if not rules.others_count:
            need -= points_of[top] * (held[top] + (1 if rules.top_counts else 0))
    if rules.waived == "splash" and top < 0:
        for rank in range(FOUR, ACE + 1):
            if held[rank] >= CANASTA_SIZE and not splash:
                splash = True
                plan.add(rank, CANASTA_SIZE, 0)
    if rules.all_wild and held[TWO] + jokers >= figures.wild_meld and not splash:
        count = min(held[TWO] + jokers, CANASTA_SIZE)
        if holds(table, figures, JOKER_RANK, 0, count):
            plan.add(JOKER_RANK, 0, count)
            wilds = 0
            need -= _wild_points(points_of, jokers, 0, count)
            splash = count >= CANASTA_SIZE and rules.waived == "splash" and rules.wild_triple
    #: The rank of the top if it can complete a clean triple.
    clean_top: i64 = top if rules.top_counts else -1
    if not splash:
        need = _add_triples(table, figures, held, plan, need)
        if rules.clean_triple and not _has_clean(rules, plan, clean_top):
            return None
        if need > 0:
            need = _add_wilds(table, figures, held, plan, need, wilds)
        if need > 0:
            return None
        _drop_needless(rules, plan, -need, top, clean_top)
    room = room_of(table, table.seat) + rest
    return plan if plan.cards <= room else None


def _wild_points(points_of: vec[i64], jokers: i64, used: i64, count: i64) -> i64:
    """Return the points of the next wild cards of a hand, jokers first."""
    points: i64 = 0
    for at in range(used, used + count):
        points += points_of[JOKER_RANK] if at < jokers else points_of[TWO]
    return points


def _add_triples(table: Table, figures: Figures, held: vec[i64], plan: Plan, need: i64) -> i64:
    """Plan melds of naturals, those that count most first; return the points still missing."""
    clean = table.rules.clean_triple
    for back in range(ACE - FOUR + 1):
        rank = ACE - back
        count = min(held[rank], table.rules.max_cards)
        if need <= 0 and not clean:
            break
        if count < MELD_SIZE or plan.naturals[rank]:
            continue
        if finishes(table, figures, rank, count) and holds(table, figures, rank, count, 0):
            plan.add(rank, count, 0)
            need -= table.rules.rank_points[rank] * count
            clean = False
    return need


def _add_wilds(
    table: Table, figures: Figures, held: vec[i64], plan: Plan, need: i64, wilds: i64
) -> i64:
    """Plan pairs with a wild card, then more wild cards; return what is missing."""
    jokers, points_of = held[JOKER_RANK], table.rules.rank_points
    for back in range(ACE - FOUR + 1):
        rank = ACE - back
        if need <= 0 or plan.wilds_used >= wilds:
            return need
        if held[rank] != 2 or plan.naturals[rank] or not finishes(table, figures, rank, 0):
            continue
        if holds(table, figures, rank, 2, 1):
            need -= points_of[rank] * 2 + _wild_points(points_of, jokers, plan.wilds_used, 1)
            plan.add(rank, 2, 1)
    for back in range(ACE - FOUR + 1):
        rank = ACE - back
        if plan.cards and plan.naturals[rank] and finishes(table, figures, rank, 0):
            while need > 0 and plan.wilds_used < wilds:
                naturals = plan.naturals[rank]
                if table.took or (table.rules.clean_triple and not plan.wilds[rank]):
                    break
                if not holds(table, figures, rank, naturals, plan.wilds[rank] + 1):
                    break
                need -= _wild_points(points_of, jokers, plan.wilds_used, 1)
                plan.add(rank, 0, 1)
    return need


def _has_clean(rules: Rules, plan: Plan, top: i64) -> bool:
    """Return whether a plan has a clean triple."""
    if plan.wilds[JOKER_RANK] and rules.wild_triple:
        return True
    for rank in range(FOUR, ACE + 1):
        if plan.naturals[rank] + (1 if rank == top else 0) >= MELD_SIZE and not plan.wilds[rank]:
            return True
    return False


def _drop_needless(rules: Rules, plan: Plan, spare: i64, top: i64, clean_top: i64) -> None:
    """Drop melds of naturals that the plan does not need, those that count least first."""
    for rank in range(FOUR, ACE + 1):
        count = plan.naturals[rank]
        points = count * rules.rank_points[rank]
        if rank == top or not count or plan.wilds[rank] or points > spare:
            continue
        plan.add(rank, -count, 0)
        if plan.cards == 0 or (rules.clean_triple and not _has_clean(rules, plan, clean_top)):
            plan.add(rank, count, 0)
        else:
            spare -= points


# --- more -----------------------------------------------------------------------------------------


def plan_more(table: Table, figures: Figures, held: vec[i64], late: bool) -> Plan:
    """Return what to lay on the side's melds and as new ones; two cards stay in the hand.

    `late` says that cards left in the hand are likely to be lost.
    """
    plan = Plan()
    room = room_of(table, table.seat)
    base = table.side * table.places
    sizes, most = table.meld_sizes, table.rules.max_cards
    wilds = wilds_in(held)
    everything = late or figures.new_melds == 0
    for rank in range(FOUR, ACE + 1):
        count = held[rank]
        if not count or room <= 0:
            continue
        size = sizes[base + rank]
        if size:
            count = min(count, most - size)
            keeps = not late and table.hand_sizes[table.seat] - plan.cards <= figures.add_hand
            if keeps and (size >= CANASTA_SIZE or size + count < CANASTA_SIZE):
                continue
        elif (
            count < MELD_SIZE
            or not finishes(table, figures, rank, count)
            or (
                not everything
                and count < figures.new_melds
                and count + min(wilds, figures.canasta_wilds) < CANASTA_SIZE
            )
        ):
            continue
        # Of three numbers, `min` is slow if it is compiled.
        count = min(min(count, room), most)
        if count > 0 and (size or count >= MELD_SIZE) and holds(table, figures, rank, count, 0):
            plan.add(rank, count, 0)
            room -= count
    if wilds and room > 0:
        _plan_wilds(table, figures, held, plan, late)
    return plan


def _plan_wilds(table: Table, figures: Figures, held: vec[i64], plan: Plan, late: bool) -> None:
    """Plan wild cards: for canastas, and late also for anything else."""
    base, sizes = table.side * table.places, table.meld_sizes
    wilds = wilds_in(held)
    room = room_of(table, table.seat) - plan.cards
    size = sizes[base + JOKER_RANK]
    if table.rules.all_wild:
        _plan_wild_meld(table, figures, plan, size, min(wilds, room))
        if 0 < size + plan.wilds[JOKER_RANK] < CANASTA_SIZE:
            return
    _complete_canastas(
        table, figures, held, plan, wilds if late else min(wilds, figures.canasta_wilds)
    )
    if not late and figures.new_melds > 0:
        return
    _plan_pairs(table, figures, held, plan)
    room = room_of(table, table.seat) - plan.cards
    for back in range(ACE - FOUR + 1):
        rank = ACE - back
        have = sizes[base + rank] + plan.naturals[rank]
        if not have or not finishes(table, figures, rank, 0):
            continue
        while room > 0 and plan.wilds_used < wilds:
            if not holds(table, figures, rank, plan.naturals[rank], plan.wilds[rank] + 1):
                break
            plan.add(rank, 0, 1)
            room -= 1


def _complete_canastas(
    table: Table, figures: Figures, held: vec[i64], plan: Plan, most: i64
) -> None:
    """Plan wild cards that complete canastas, at most `most` for each."""
    base, sizes = table.side * table.places, table.meld_sizes
    wilds = wilds_in(held)
    room = room_of(table, table.seat) - plan.cards
    for missing in range(1, most + 1):
        for back in range(ACE - FOUR + 1):
            rank = ACE - back
            have = sizes[base + rank] + plan.naturals[rank] + plan.wilds[rank]
            if have + missing != CANASTA_SIZE or have < MELD_SIZE:
                continue
            if missing > room or missing > wilds - plan.wilds_used:
                continue
            if holds(table, figures, rank, plan.naturals[rank], plan.wilds[rank] + missing):
                plan.add(rank, 0, missing)
                room -= missing


def _plan_pairs(table: Table, figures: Figures, held: vec[i64], plan: Plan) -> None:
    """Plan new melds of a pair and a wild card."""
    base, sizes = table.side * table.places, table.meld_sizes
    wilds = wilds_in(held)
    room = room_of(table, table.seat) - plan.cards
    for rank in range(FOUR, ACE + 1):
        if room < MELD_SIZE or plan.wilds_used >= wilds:
            break
        new = held[rank] == 2 and not sizes[base + rank] and finishes(table, figures, rank, 2)
        if new and holds(table, figures, rank, 2, 1):
            plan.add(rank, 2, 1)
            room -= MELD_SIZE


def _plan_wild_meld(table: Table, figures: Figures, plan: Plan, size: i64, wilds: i64) -> None:
    """Plan wild cards for a meld of their own."""
    count = min(wilds, CANASTA_SIZE - size)
    if count <= 0 or (not size and wilds < figures.wild_meld):
        return
    if holds(table, figures, JOKER_RANK, 0, count):
        plan.add(JOKER_RANK, 0, count)


# --- going out ------------------------------------------------------------------------------------


def plan_out(table: Table, figures: Figures, held: vec[i64]) -> Plan | None:
    """Return a plan that lays the hand except at most one card to discard, or None.

    With the plan, the side must have its canastas. The search only counts, so it does not find
    every way.
    """
    seat, threes = table.seat, held[BLACK_THREE]
    if table.kept_threes[seat] or table.rest_kept:
        return None
    melds_threes = table.rules.black_threes and threes >= MELD_SIZE
    if _leaves_too_much(table, held, 0 if melds_threes else threes):
        return None
    plan = _plan_naturals(table, figures, held)
    if melds_threes:
        plan.add(BLACK_THREE, threes, 0)
    if plan.wilds_used > wilds_in(held):
        return None
    _spread_wilds(table, figures, held, plan, table.hand_sizes[seat] - plan.cards)
    return plan if _may_end(table, plan) and _has_canastas(table, plan) else None


def _leaves_too_much(table: Table, held: vec[i64], threes: i64) -> bool:
    """Return whether more than one card cannot be laid; `threes` are black threes to discard."""
    base, sizes, most = table.side * table.places, table.meld_sizes, table.rules.max_cards
    loose: i64 = threes
    pairs: i64 = 0
    for rank in range(FOUR, ACE + 1):
        count, size = held[rank], sizes[base + rank]
        if size:
            loose += max(0, count - (most - size))
        elif count == 2:
            pairs += 1
        elif count == 1:
            loose += 1
    wilds = wilds_in(held)
    return loose > 1 or loose + max(0, pairs - wilds) * 2 > 1


def _plan_naturals(table: Table, figures: Figures, held: vec[i64]) -> Plan:
    """Plan all natural cards that can be laid, a pair with a wild card."""
    plan = Plan()
    base, sizes, most = table.side * table.places, table.meld_sizes, table.rules.max_cards
    for rank in range(FOUR, ACE + 1):
        count, size = held[rank], sizes[base + rank]
        if size:
            count = min(count, most - size)
        elif count < 2:
            continue
        wild: i64 = 0 if size or count > 2 else 1
        if count > 0 and holds(table, figures, rank, min(count, most), wild):
            plan.add(rank, min(count, most), wild)
    return plan


def _may_end(table: Table, plan: Plan) -> bool:
    """Return whether the turn can end after the plan: with a discard, or legally without one."""
    rules = table.rules
    left = table.hand_sizes[table.seat] - plan.cards
    if left > (0 if table.last_three else 1) or (rules.discard_required and left == 0):
        return False
    return not (left == 1 and plan.naturals[BLACK_THREE] and rules.nothing_after_threes)


def _has_canastas(table: Table, plan: Plan) -> bool:
    """Return whether the side then has the canastas that going out needs."""
    rules = table.rules
    base, sizes = table.side * table.places, table.meld_sizes
    canastas = count_canastas(table, table.side)
    natural = mixed = 0
    for rank in range(FOUR, JOKER_RANK + 1):
        size, wilds = sizes[base + rank], plan.wilds[rank]
        if size + plan.naturals[rank] + wilds < CANASTA_SIZE:
            continue
        if size < CANASTA_SIZE:
            canastas += 1
        if rank <= ACE and not (rank == SEVEN and rules.out_sevens):
            wild = table.twos[base + rank] + table.jokers[base + rank] + wilds > 0
            natural, mixed = natural + (not wild), mixed + wild
    enough = natural >= rules.out_natural and mixed >= rules.out_mixed
    if lacks_packet(table, table.side):
        return False
    if rules.out_sevens and not _is_canasta(table, plan, SEVEN):
        return False
    if rules.out_wild and not _is_canasta(table, plan, JOKER_RANK):
        return False
    return enough and canastas >= rules.out_canastas


def _is_canasta(table: Table, plan: Plan, rank: i64) -> bool:
    """Return whether the plan makes the meld of a rank a canasta, or it is one."""
    size = table.meld_sizes[table.side * table.places + rank]
    return size + plan.naturals[rank] + plan.wilds[rank] >= CANASTA_SIZE


def _spread_wilds(table: Table, figures: Figures, held: vec[i64], plan: Plan, left: i64) -> None:
    """Plan the wild cards that are left: the fewest that complete a canasta first."""
    base, sizes = table.side * table.places, table.meld_sizes
    spare = wilds_in(held) - plan.wilds_used
    if table.rules.discard_required and left == spare:
        spare -= 1
    if table.rules.all_wild and spare > 0:
        size = sizes[base + JOKER_RANK]
        count = min(spare, CANASTA_SIZE - size)
        if size and count > 0 and holds(table, figures, JOKER_RANK, 0, count):
            plan.add(JOKER_RANK, 0, count)
            spare -= count
    for want in range(CANASTA_SIZE):
        for rank in range(FOUR, ACE + 1):
            have = sizes[base + rank] + plan.naturals[rank] + plan.wilds[rank]
            if have == 0 or (want > 0 and have + want != CANASTA_SIZE) or want > spare:
                continue
            wilds = plan.wilds[rank]
            if want and holds(table, figures, rank, plan.naturals[rank], wilds + want):
                plan.add(rank, 0, want)
                spare -= want
    for rank in range(FOUR, ACE + 1):
        have = sizes[base + rank] + plan.naturals[rank]
        while have and spare > 0:
            if not holds(table, figures, rank, plan.naturals[rank], plan.wilds[rank] + 1):
                break
            plan.add(rank, 0, 1)
            spare -= 1
