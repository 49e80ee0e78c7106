"""How the players play if a side may have sequences or several melds of a rank.

They lay what they can, sequences first, and keep wild cards for canastas; late in a deal, or if the
player holds nothing back, wild cards go anywhere. They go out as soon as they can. What a turn does
is counted first. A turn that lays anything is then played on a copy, because only the engine knows
whether it is legal as a whole.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.cards import (
    BLACK_THREE,
    CANASTA_SIZE,
    CODES,
    FIRST_OF,
    KIND,
    RANK,
    SEQUENCE,
    TWO,
)
from canasta_notation.counts import i64
from canasta_notation.dealing import pick_up, take_due
from canasta_notation.engine.actions import Action, Discard, Take
from canasta_notation.engine.discard import discard
from canasta_notation.engine.side import extends_sequence, has_opened, joins_sequence, opening_met
from canasta_notation.engine.table import NO, OPEN, YES, Table, copy_table, top_of
from canasta_notation.engine.take import enter_waiting_rest, frozen_for, staying, take
from canasta_notation.engine.turn import begin_turn, end_turn
from canasta_notation.players.discarding import choose_discard
from canasta_notation.players.figures import Figures
from canasta_notation.players.laying import holds, room_of
from canasta_notation.players.placed_laying import (
    PlacedPlan,
    free_for,
    growing_place,
    lay_placed,
    plan_leaving,
    plan_placed,
    plan_wilds_to_open,
    put_together,
    standing_places,
)
from canasta_notation.players.searching import end_somehow, take_somehow
from canasta_notation.players.sight import is_late, own_hand
from canasta_notation.search.able import barred, must_take

#: The way to take the pile with a pair of the hand; any other way is the place of a meld to join.
_PAIR: Final[i64] = -1


# --- taking the pile ------------------------------------------------------------------------------


def take_pile_placed(table: Table, figures: Figures, log: list[Action] | None) -> Table | None:
    """Play a turn that takes the pile if the player can; see `seat_turn.take_pile`."""
    seat = table.due
    must = table.stock_most == 0 and must_take(table, seat) == YES
    if not must and not _wants_pile(table, figures, seat):
        return None
    for way in _ways(table, seat):
        play = copy_table(table)
        done: list[Action] | None = None if log is None else []
        begin_turn(play, seat)
        if _take(play, figures, way, done):
            play = _rest(play, figures, done)
            if not play.violations and not _only_exchanged(table, play, seat):
                if log is not None and done is not None:
                    log.extend(done)
                return play
    return take_somehow(table, seat, log) if must else None


def _only_exchanged(table: Table, after: Table, seat: i64) -> bool:
    """Return whether a turn took one card and laid none: such turns could follow without end."""
    if not table.rules.takes_freely or table.pile_size > 1:
        return False
    laid: i64 = 0
    base = table.rules.side_of[seat] * table.places
    for place in range(table.places):
        laid += after.meld_sizes[base + place] - table.meld_sizes[base + place]
    return laid == 0


def _wants_pile(table: Table, figures: Figures, seat: i64) -> bool:
    """Return whether the player takes a pile that brings as many cards, if it can."""
    size = min(table.pile_size, table.rules.most_taken)
    if size == 0 or barred(table, seat, RANK[top_of(table)]):
        return False
    return size >= figures.least_pile_pair or is_late(table, seat, figures)


def _ways(table: Table, seat: i64) -> list[int]:
    """Return the ways to meld the top of the pile: sequences, sets, a pair of the hand."""
    ways: list[int] = []
    rules, top = table.rules, top_of(table)
    if rules.takes_freely:
        ways.append(_PAIR)
        return ways
    rank, side = RANK[top], rules.side_of[seat]
    most = rules.caps[rank] if rules.onto_canasta else CANASTA_SIZE
    if has_opened(table, side) and frozen_for(table, side) == NO:
        sets: list[int] = []
        for place in standing_places(table, side):
            size = table.meld_sizes[side * table.places + place]
            if KIND[place] >= SEQUENCE:
                if rules.onto_sequence and extends_sequence(table, side, place, top):
                    ways.append(place)
            elif KIND[place] == rank and rules.onto_meld and size < most:
                sets.append(place)
        ways += sets
    naturals: i64 = 0
    for code in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
        naturals += table.counts[seat * CODES + code]
    if naturals > 1:
        ways.append(_PAIR)
    return ways


def _take(table: Table, figures: Figures, way: i64, log: list[Action] | None) -> bool:
    """Take the pile and meld its top; return False if the hand cannot, after all."""
    seat, top = table.seat, top_of(table)
    rank = RANK[top]
    under = table.pile_size - 1
    rest: i64 = under - staying(table.rules, under)
    named: i64 = way if way >= 0 and way != rank else -1
    take(table, seat, top, None, named)
    if log is not None:
        log.append(Take(top, None, int(named) if named >= 0 else None))
    if table.violations or table.taken.melded or table.taken.freely:
        return not table.violations and not table.waiting
    plan = PlacedPlan(table, table.hand_sizes[seat] + rest - 2)
    place = growing_place(table, plan, rank)
    if place < 0 or plan.size(table, place) >= CANASTA_SIZE:
        place = free_for(table, plan, rank)
    count = min(plan.held[rank], plan.spare)
    if place < 0 or count < 2 or not holds(table, figures, place, count + 1, 0):
        return False
    plan.add(place, count, 0)
    if not table.opened_before:
        if table.rules.top_counts:
            plan.points += plan.points_of[rank]
        _plan_opening(table, figures, plan, figures.open_wilds_pile)
    lay_placed(table, plan, log)
    return not table.waiting and not table.violations


# --- the rest of the turn -------------------------------------------------------------------------


def play_on_placed(table: Table, figures: Figures, log: list[Action] | None) -> Table:
    """Play the rest of a turn that began with a draw; see `seat_turn.play_on`."""
    if table.ended != OPEN:
        end_turn(table, "")
        return table
    if table.laid and not opening_met(table):
        # The turn has laid a part of an opening.
        return end_somehow(table, log)
    late = is_late(table, table.seat, figures)
    plan = _plan(table, figures, late=late)
    play = copy_table(table)
    done: list[Action] | None = None if log is None else []
    if plan.cards:
        lay_placed(play, plan, done)
    play = _end(play, figures, plan, done, late=late)
    if play.violations:
        return end_somehow(table, log)
    if log is not None and done is not None:
        log.extend(done)
    return play


def _rest(table: Table, figures: Figures, log: list[Action] | None) -> Table:
    """Lay what the player wants to lay, discard, and end the turn; return the table after it."""
    late = is_late(table, table.seat, figures)
    plan = _plan(table, figures, late=late)
    lay_placed(table, plan, log)
    return _end(table, figures, plan, log, late=late)


def _plan(table: Table, figures: Figures, *, late: bool) -> PlacedPlan:
    """Return what to lay: to go out, to open, or more; it may be nothing."""
    room = room_of(table, table.seat)
    if table.opened_before or table.laid:
        leaving = plan_leaving(table, figures)
        if leaving is not None:
            return leaving
        plan = PlacedPlan(table, room)
        everything = late or figures.new_melds == 0
        most = plan.wilds_left if everything else figures.canasta_wilds
        plan_placed(table, figures, plan, most, everything=everything)
        return plan
    plan = PlacedPlan(table, room)
    if _plan_opening(table, figures, plan, plan.wilds_left if late else figures.open_wilds):
        return plan
    return PlacedPlan(table, 0)


def _plan_opening(table: Table, figures: Figures, plan: PlacedPlan, most: i64) -> bool:
    """Plan groups that open, with at most `most` wild cards; return whether they count enough."""
    need = table.minimums[table.side]
    if _points_held(plan) + plan.points < need:
        return False
    plan_placed(table, figures, plan, 0, everything=False)
    if plan.points < need:
        plan_wilds_to_open(table, figures, plan, need, most)
    return plan.points >= need


def _points_held(plan: PlacedPlan) -> i64:
    """Return the points of the cards that are left."""
    points: i64 = 0
    for rank in range(len(plan.held)):
        points += plan.held[rank] * plan.points_of[rank]
    return points


def _end(
    table: Table, figures: Figures, plan: PlacedPlan, log: list[Action] | None, *, late: bool
) -> Table:
    """Discard, and end the turn; return the table. A side that has just opened may go out first."""
    if plan.cards and not table.violations:
        put_together(table, log)
        if not table.opened_before and table.hand_sizes[table.seat]:
            leaving = plan_leaving(table, figures)
            if leaving is not None:
                lay_placed(table, leaving, log)
    if table.rest_kept:
        enter_waiting_rest(table)
    if not pick_up(table, log) or table.violations:
        _discard(table, figures, log, late=late)
    elif not table.rules.packet_waits:
        return _play_packet(table, figures, log, late=late)
    end_turn(table, "")
    return table


def _play_packet(table: Table, figures: Figures, log: list[Action] | None, *, late: bool) -> Table:
    """Lay what a packet has brought like what was held, discard, and end the turn.

    Whatever it brought, the turn goes on, because nobody knew these cards before.
    """
    play = copy_table(table)
    done: list[Action] | None = None if log is None else []
    plan = _plan(play, figures, late=late)
    if plan.cards:
        lay_placed(play, plan, done)
    _discard(play, figures, done, late=late)
    end_turn(play, "")
    if play.violations:
        return end_somehow(table, log)
    if log is not None and done is not None:
        log.extend(done)
    return play


def _discard(table: Table, figures: Figures, log: list[Action] | None, *, late: bool) -> None:
    """Discard, if the turn ends so."""
    if table.hand_sizes[table.seat] and not (table.last_three or table.violations):
        card = _discard_card(table, figures, late=late)
        discard(table, card)
        if log is not None:
            log.append(Discard(int(card)))
        take_due(table, log)


def _discard_card(table: Table, figures: Figures, *, late: bool) -> i64:
    """Return the card to discard: the best by the figures that the next seat's sequences leave."""
    seat, rules = table.seat, table.rules
    held = own_hand(table, seat)
    best = card = choose_discard(table, figures, held, late)
    side = rules.side_of[rules.next_seat[seat]]
    if not rules.onto_sequence or frozen_for(table, side) == YES:
        return best
    counts = table.counts
    while True:
        rank = RANK[card]
        for code in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
            if counts[seat * CODES + code] and not joins_sequence(table, side, code):
                return code
        held[rank] = 0
        left: i64 = 0
        for other in range(BLACK_THREE, TWO):
            left += held[other]
        if not left:
            return best
        card = choose_discard(table, figures, held, late)
