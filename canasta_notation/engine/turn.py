"""A turn, action by action; what is judged at its end is in `turn_end`."""

from __future__ import annotations

from typing import assert_never

from canasta_notation.arrays import array
from canasta_notation.cards import CODES
from canasta_notation.counts import i64
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    Take,
    TakeTalon,
)
from canasta_notation.engine.discard import discard, take_talon
from canasta_notation.engine.lay import lay, lay_special
from canasta_notation.engine.stock import draw, pull_plain
from canasta_notation.engine.table import LINE, SURE, UNTOUCHED, Table, doubt, lose, violate
from canasta_notation.engine.take import take


def begin_turn(table: Table, seat: i64) -> bool:
    """Start a seat's turn; return False if the deal is over.

    Violates `after-end`, `wrong-seat`.
    """
    table.at = LINE
    table.turns += 1
    if table.ended:
        violate(table, "after-end", "turn", ended=table.ended)
        lose(table)
        return False
    if seat != table.due:
        if table.due < 0:
            doubt(table, "wrong-seat")
        else:
            violate(table, "wrong-seat", "turn", seat=seat, seat_due=table.due)
    table.seat = seat
    table.drew = table.took = table.traced = table.laid = table.waiting = table.talon_taken = False
    if table.touches:
        for at in range(table.touches):
            table.touched_at[table.touch_order[at]] = UNTOUCHED
        table.touches = 0
    table.count_least = table.count_most = table.laid_perhaps = 0
    table.count_more = SURE
    table.answer = table.special = ""
    table.perhaps_over = False
    table.discarded = table.overdrawn = -1
    table.side = table.rules.side_of[seat]
    table.opened_before = table.opened >> table.side & 1 != 0
    return True


def has_asked(table: Table) -> bool:
    """Return whether the side whose turn it is has already asked as often as it may."""
    return (
        table.answer != ""
        if table.rules.ask_limit == "turn"
        else table.asked >> table.side & 1 != 0
    )


def ask(table: Table, yes: bool) -> None:
    """Ask the partner for permission to go out; violates `ask-when`."""
    rules = table.rules
    if not rules.may_ask:
        message, key = ("never", "out.ask") if rules.partners else ("alone", "players")
        violate(table, "ask-when", message, key)
        return
    if has_asked(table):
        violate(table, "ask-when", "again", "out.ask_limit")
        return
    if rules.ask_when == "before-melds" and table.laid:
        violate(table, "ask-when", "melds", "out.ask_when")
    elif rules.ask_when == "after-stock" and not table.drew:
        violate(table, "ask-when", "stock", "out.ask_when")
    table.answer = "yes" if yes else "no"
    table.ask_at = table.at
    table.asked |= 1 << table.side


def play_plain(table: Table, seat: i64, drawn: i64, discarded: i64) -> bool:
    """Play a turn of one card drawn and one discarded that clearly breaks no rule.

    Returns False and changes nothing if any rule might apply; the turn is then played action by
    action. A card without its suit, or an invalid one, is not plain.
    """
    rules = table.rules
    if seat != table.due or table.ended or not rules.plain_discard[discarded]:
        return False
    if table.hand_sizes[seat] == 0:
        return False
    counts, at = table.counts, seat * CODES + discarded
    held = counts[at]
    if (held == 0 and discarded != drawn) or not pull_plain(table, drawn):
        return False
    if discarded != drawn:
        counts[at] = held - 1
        counts[seat * CODES + drawn] += 1
    # The cards of one deck always fit, and `put_on_pile` would cost interpreted code 2 %.
    table.piled[table.pile_size] = discarded
    table.pile_size += 1
    table.turns += 1
    table.seat = seat
    table.due = rules.next_seat[seat]
    return True


def perform(table: Table, action: Action, *, at: int = LINE) -> None:
    """Play one action of the turn; `at` is its place in the turn.

    What it violates is in `table.violations`.
    """
    table.at = at
    match action:
        case Discard():
            discard(table, action.card)
        case Lay():
            lay(table, action.rank, array(action.cards))
        case Draw():
            draw(table, array(action.cards), len(action.cards), action.bare)
        case Take():
            take(table, table.seat, action.card, action.count)
        case Ask():
            ask(table, action.yes)
        case LaySpecial():
            lay_special(table, action.kind, action.cards)
        case TakeTalon():
            take_talon(table, action.cards)
        case _:
            assert_never(action)
