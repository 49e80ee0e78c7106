"""A turn of a player that chooses by figures, played on the engine's table; and whole deals.

`play_turn` plays a whole turn at a table whose stock is written. Its two decisions can be made one
at a time: `take_pile` before anything is drawn, `play_on` after the draw. All of them return the
table after the turn, which may be another one, and add the turn's actions to `log` if there is one.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.cards import (
    ACE,
    CANASTA_SIZE,
    CODES,
    FIRST_OF,
    FOUR,
    MELD_SIZE,
    RANK,
    RANKS,
    TWO,
)
from canasta_notation.counts import i64, vec
from canasta_notation.dealing import draw_due, pick_up, table_late, take_due
from canasta_notation.engine.actions import Action, Discard, LaySpecial, Take
from canasta_notation.engine.deal import end_deal
from canasta_notation.engine.discard import discard
from canasta_notation.engine.lay import lay_special
from canasta_notation.engine.side import has_opened, meld_size
from canasta_notation.engine.table import NO, OPEN, STOCK, YES, Table, copy_table, top_of
from canasta_notation.engine.take import enter_waiting_rest, frozen_for, staying, take
from canasta_notation.engine.turn import begin_turn, end_turn
from canasta_notation.players.discarding import card_of, choose_discard
from canasta_notation.players.figures import Figures
from canasta_notation.players.laying import (
    Plan,
    holds,
    lay_plan,
    plan_more,
    plan_opening,
    plan_out,
    take_laid,
)
from canasta_notation.players.placed_turn import play_on_placed, take_pile_placed
from canasta_notation.players.searching import end_somehow, take_somehow
from canasta_notation.players.sight import is_late, lays_all, own_hand, wilds_in
from canasta_notation.players.specials import (
    keeps_three,
    special_kind,
    waits_for_special,
    worst_card,
)
from canasta_notation.search.able import barred, must_take, stock_over

#: More turns than any deal has; a player that never stops is a bug.
_MOST_TURNS: Final = 2_000
#: How the top card of the pile is melded.
_JOIN: Final[i64] = 1
_PAIR: Final[i64] = 2
_WITH_WILD: Final[i64] = 3
_OPENING: Final[i64] = 4


def play_deal(table: Table, players: list[Figures]) -> Table:
    """Play a deal to its end, each seat by its figures; return the table at the end.

    The stock must be written. Raises RuntimeError if a play is illegal, which would be a bug.
    """
    while table.ended == OPEN:
        table = play_turn(table, players[table.due])
        check_legal(table)
        if table.turn > _MOST_TURNS:
            raise RuntimeError("the deal does not end")
    return table


def check_legal(table: Table) -> None:
    """Raise RuntimeError if a play was illegal."""
    if table.violations:
        first = table.violations[0]
        raise RuntimeError(f"a play was illegal: {first.code} ({first.message})")


def play_turn(table: Table, figures: Figures, log: list[Action] | None = None) -> Table:
    """Play the turn of the seat that is due, or end the deal if the stock is empty.

    The stock must be written. Not checked: that the deal is open.
    """
    if not table_due(table, log):
        return table
    if table.last_three:
        return play_on(table, figures, log)
    if table.pile_size or table.stock_most == 0:
        after = take_pile(table, figures, log)
        if after is not None:
            return after
        if table.stock_most == 0:
            if table.tabled_late:
                end_turn(table, "")
            end_deal(table, STOCK, -1, stock_over(table))
            return table
    begin_turn(table, table.due)
    draw_due(table, keeps_three(table, figures, table.seat))
    return play_on(table, figures, log)


def table_due(table: Table, log: list[Action] | None = None) -> bool:
    """Table the threes with which the turn must begin; return False if that ends the deal.

    The stock must be written.
    """
    action = table_late(table)
    if action is None:
        return True
    if log is not None:
        log.append(action)
    if table.ended == OPEN:
        return True
    end_turn(table, "")
    return False


# --- the first decision ---------------------------------------------------------------------------


def take_pile(table: Table, figures: Figures, log: list[Action] | None = None) -> Table | None:
    """Play a turn that takes the pile if the player wants to or has to; else return None.

    The turn must not have begun. If None is returned, the table is as before.
    """
    rules, seat = table.rules, table.due
    if table.places > RANKS:
        return take_pile_placed(table, figures, log)
    must = table.stock_most == 0 and must_take(table, seat) == YES
    way = _way(table, figures, seat)
    if not way and not must:
        return None
    play = table
    counted = rules.counted_takes and not must
    if not counted or way == _OPENING:
        play = copy_table(table)
    done: list[Action] | None = None if log is None else []
    begin_turn(play, seat)
    if way and _take(play, figures, way, done):
        _rest(play, figures, done)
        if not play.violations:
            if log is not None and done is not None:
                log.extend(done)
            return play
    if must:
        return take_somehow(table, seat, log)
    return None


def _way(table: Table, figures: Figures, seat: i64) -> i64:
    """Return how the player would meld the top of the pile, or 0 if it leaves the pile."""
    rules = table.rules
    size = min(table.pile_size, rules.most_taken)
    if size == 0:
        return 0
    rank = RANK[top_of(table)]
    if barred(table, seat, rank):
        return 0
    side = rules.side_of[seat]
    naturals = _naturals(table, seat, rank)
    stands = meld_size(table, side, rank)
    frozen = frozen_for(table, side) != NO
    joins = rules.onto_meld and not frozen and 0 < stands < rules.max_cards
    least: i64 = 2 if frozen or not rules.with_wild else 1
    if not joins and naturals < least:
        return 0
    late = is_late(table, seat, figures)
    if not has_opened(table, side):
        if naturals < 2 or (size < figures.least_pile_open and not late):
            return 0
        return 0 if waits_for_special(table, figures, seat, own_hand(table, seat)) else _OPENING
    left = table.hand_sizes[seat] + _rest_size(table)
    if joins:
        return _JOIN if left > 1 and (late or size >= figures.least_pile) else 0
    if left < MELD_SIZE + 1 or stands + MELD_SIZE > rules.max_cards:
        return 0
    if naturals > 1:
        return _PAIR if late or size >= figures.least_pile_pair else 0
    held = own_hand(table, seat)
    if wilds_in(held) and (late or size >= figures.least_pile_wild):
        return _WITH_WILD
    return 0


def _naturals(table: Table, seat: i64, rank: i64) -> i64:
    """Return how many naturals of a rank a hand holds."""
    held: i64 = 0
    for code in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
        held += table.counts[seat * CODES + code]
    return held


def _rest_size(table: Table) -> i64:
    """Return how many cards come into the hand with the pile's top."""
    rest: i64 = 0
    under = table.pile_size - 1
    for at in range(staying(table.rules, under), under):
        rest += 1 - table.rules.tabled[RANK[table.piled[at]]]
    return rest


def _take(table: Table, figures: Figures, way: i64, log: list[Action] | None) -> bool:
    """Take the pile and meld its top; return False if the hand cannot, after all."""
    seat = table.seat
    top = top_of(table)
    rank = RANK[top]
    held = own_hand(table, seat)
    plan = Plan()
    if way == _OPENING:
        most = figures.open_wilds_pile
        opening = plan_opening(table, figures, held, rank, _rest_size(table), most)
        if opening is None:
            return False
        plan = opening
    elif way == _PAIR:
        stands = meld_size(table, table.side, rank)
        room = table.hand_sizes[seat] + _rest_size(table) - 2
        plan.add(rank, max(2, min(held[rank], table.rules.max_cards - 1 - stands, room)), 0)
    elif way == _WITH_WILD:
        if not holds(table, figures, rank, 2, 1):
            return False
        plan.add(rank, 1, 1)
    if log is not None:
        log.append(Take(top))
    take(table, seat, top, None)
    if plan.cards:
        lay_plan(table, plan, log)
    return not table.waiting and not table.violations


# --- the second decision --------------------------------------------------------------------------


def play_on(table: Table, figures: Figures, log: list[Action] | None = None) -> Table:
    """Play the rest of a turn that began with a draw: lay, discard and end the turn.

    Under rules for which counting is not enough, the turn is tried on a copy first.
    """
    if table.places > RANKS:
        return play_on_placed(table, figures, log)
    if table.ended != OPEN:
        end_turn(table, "")
        return table
    if table.rules.counted_takes:
        _rest(table, figures, log)
        return table
    play = copy_table(table)
    done: list[Action] | None = None if log is None else []
    _rest(play, figures, done)
    if play.violations:
        return end_somehow(table, log)
    if log is not None and done is not None:
        log.extend(done)
    return play


def _rest(table: Table, figures: Figures, log: list[Action] | None) -> None:
    """Lay what the player wants to lay, discard, and end the turn."""
    seat = table.seat
    held = own_hand(table, seat)
    late = is_late(table, seat, figures)
    may_lay_special = table.rules.special and not table.laid and not table.opened_before
    if may_lay_special and _special(table, figures, held, log):
        return
    opened = table.opened_before or table.laid
    saved: i64 = -1
    if _lays(table, held, opened) and (opened or _open(table, figures, held, late, log)):
        saved = _lay_more(table, figures, held, late, log)
    if table.rest_kept:
        enter_waiting_rest(table)
        held = own_hand(table, seat)
    picked = pick_up(table, log)
    waits = picked and table.rules.packet_waits
    if picked and not waits:
        # What came in is laid like what was held.
        held, saved = own_hand(table, seat), -1
        if _lays(table, held, opened):
            saved = _lay_more(table, figures, held, late, log)
    if table.hand_sizes[seat] and not (table.last_three or waits):
        card = card_of(table, saved) if saved >= 0 else choose_discard(table, figures, held, late)
        _discard(table, card, log)
    end_turn(table, "")


def _open(
    table: Table, figures: Figures, held: vec[i64], late: bool, log: list[Action] | None
) -> bool:
    """Lay an opening if there is one that the player wants; return whether it did."""
    most = wilds_in(held) if late else figures.open_wilds
    plan = plan_opening(table, figures, held, -1, 0, most)
    if plan is None or not (late or plan.cards <= figures.open_cards):
        return False
    lay_plan(table, plan, log)
    take_laid(held, plan)
    return True


def _lay_more(
    table: Table, figures: Figures, held: vec[i64], late: bool, log: list[Action] | None
) -> i64:
    """Lay all to go out, or else what the player wants; return the rank saved to discard, or -1."""
    saved: i64 = -1
    plan = plan_out(table, figures, held)
    if plan is None:
        saved = _saved_rank(table, figures, held, late)
        if saved >= 0:
            held[saved] -= 1
        plan = plan_more(table, figures, held, late or lays_all(table, figures))
        if saved >= 0:
            held[saved] += 1
    if plan.cards:
        lay_plan(table, plan, log)
        take_laid(held, plan)
    return saved


def _lays(table: Table, held: vec[i64], opened: bool) -> bool:
    """Return whether the hand may have anything to lay; most hands have nothing."""
    base = table.side * table.places
    wilds = wilds_in(held)
    for rank in range(FOUR, ACE + 1):
        count = held[rank]
        if count >= MELD_SIZE or (wilds and count >= 2):
            return True
        if opened and count and table.meld_sizes[base + rank]:
            return True
    return opened and (wilds > 0 or table.hand_sizes[table.seat] < MELD_SIZE)


def _saved_rank(table: Table, figures: Figures, held: vec[i64], late: bool) -> i64:
    """Return the rank to discard if it fits a meld of the side and is saved for that, else -1."""
    if table.pile_size < figures.save_pile:
        return -1
    for rank in range(FOUR, TWO):
        if _fits(table, held, rank):
            chosen: i64 = RANK[choose_discard(table, figures, held, late)]
            return chosen if chosen < TWO and _fits(table, held, chosen) else -1
    return -1


def _fits(table: Table, held: vec[i64], rank: i64) -> bool:
    """Return whether the hand's cards of a rank fit a meld of the side without completing it."""
    size = table.meld_sizes[table.side * table.places + rank]
    return held[rank] > 0 and size > 0 and size + held[rank] != CANASTA_SIZE


def _discard(table: Table, card: i64, log: list[Action] | None) -> None:
    """Discard a card, and take the packet that is due."""
    discard(table, card)
    if log is not None:
        log.append(Discard(card))
    take_due(table, log)


def _special(table: Table, figures: Figures, held: vec[i64], log: list[Action] | None) -> bool:
    """Lay a special hand, or discard what does not fit the one that the player waits for."""
    if table.took:
        return False
    kind, cards = special_kind(table, figures, held)
    if kind:
        lay_special(table, kind, cards)
        if log is not None:
            log.append(LaySpecial(kind, cards))
        end_turn(table, "")
        return True
    if table.last_three or not waits_for_special(table, figures, table.seat, held):
        return False
    card = worst_card(table, figures, held)
    if card < 0:
        return False
    _discard(table, card, log)
    end_turn(table, "")
    return True
