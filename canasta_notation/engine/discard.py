"""The discard."""

from __future__ import annotations

from canasta_notation.cards import (
    ACE,
    CANASTA_SIZE,
    CODES,
    EXACT,
    FOUR,
    JOKER_RANK,
    KIND,
    RANK,
    RED_THREE,
    SEVEN,
    TWO,
    UNKNOWN,
    is_wild,
)
from canasta_notation.counts import i64
from canasta_notation.engine.hands import (
    can_hold,
    count_of_rank,
    free_cards,
    is_written,
    release_three,
    remove_card,
    unnamed_in,
)
from canasta_notation.engine.lay import may_go_on, take_from_hand
from canasta_notation.engine.packets import judge_waiting
from canasta_notation.engine.side import (
    count_seven_canastas,
    meld_size,
)
from canasta_notation.engine.stock import agree
from canasta_notation.engine.table import (
    MAYBE,
    NO,
    YES,
    Table,
    doubt,
    mark_unknowable,
    put_on_pile,
    violate,
)
from canasta_notation.engine.take import enter_waiting_rest


def is_plain(table: Table, code: i64) -> bool:
    """Return whether no rule concerns a discard, if it is in the hand and nothing forbids it."""
    rules = table.rules
    return rules.plain_discard[code] != 0 and (table.pile_size > 0 or not rules.bans_dead)


def discard(table: Table, code: i64) -> None:
    """Put a card on the pile.

    Violates `not-in-hand`, `discard-three`, `discard-ban`, `out-discard`, `after-end`.
    """
    rules = table.rules
    if (table.ended or rules.nothing_after_threes) and not may_go_on(table, "discard"):
        return
    if table.last_three:
        violate(table, "out-discard", "stock", "draw.last_red3", card=code)
    if table.special_cards:
        violate(table, "out-discard", "special", "special")
        remove_card(table, table.seat, code)
        return
    if table.waiting or table.rest_kept:
        enter_waiting_rest(table)
    if table.took and table.taken.only >= 0:
        _judge_returned(table, code)
    counts, seat = table.counts, table.seat
    at = seat * CODES + code
    written = table.knowledge is None or is_written(table, seat)
    if written and counts[at] > 0 and is_plain(table, code):
        counts[at] -= 1
        table.hand_sizes[seat] -= 1
    elif not _discard_other(table, code):
        return
    put_on_pile(table, code)
    table.discarded = code


def _judge_returned(table: Table, code: i64) -> None:
    """Report the discard of the card that was taken alone, if the hand had no other of its kind."""
    only = table.taken.only
    if code == only and EXACT[code] and is_written(table, table.seat):
        violate(table, "discard-ban", "taken", "discard.taken", card=code)
    elif agree(code, only):
        doubt(table, "discard-ban")


def _discard_other(table: Table, code: i64) -> bool:
    """Make a discard that a rule may concern; return False if the hand cannot hold the card."""
    rules = table.rules
    if rules.tabled[RANK[code]]:
        violate(table, "discard-three", "three", card=code)
        if not can_hold(table, table.seat, code) or not remove_card(table, table.seat, code):
            mark_unknowable(table)
        release_three(table, table.seat, code)
        return True
    if rules.packet_waits:
        judge_waiting(table)
    if rules.red_three_stays and RANK[code] == RED_THREE:
        violate(table, "discard-three", "red", "discard.banned", card=code)
    banned = _is_banned(table, code) if rules.bans else NO
    if rules.bans_sevens and RANK[code] == SEVEN:
        _judge_seven(table, code)
    if not take_from_hand(table, code):
        return False
    if banned == YES:
        message = "wild" if is_wild(code) else "empty"
        violate(table, "discard-ban", message, "discard.banned", card=code)
    elif banned == MAYBE:
        doubt(table, "discard-ban")
    if rules.freezers[RANK[code]]:
        table.frozen_by_card = YES
    elif code == UNKNOWN and table.frozen_by_card == NO and any(rules.freezers):
        table.frozen_by_card = MAYBE
    return True


def _is_banned(table: Table, code: i64) -> i64:
    """Return whether a card may not be discarded from the hand that holds it: YES, NO or MAYBE.

    This concerns wild cards, and on an empty pile an ace, a seven or, in the League, a dead card.

    Sources: MeggieSoft Games, Discarding; pagat.com for the exceptions; Canasta League of America.
    """
    wild = is_wild(code)
    barred = [TWO, JOKER_RANK] if wild or table.pile_size else barred_on_empty(table)
    seat = table.seat
    size = table.hand_sizes[seat]
    if RANK[code] not in barred or (wild and size == 1):
        return NO
    held = sum(max(0, count_of_rank(table, seat, rank)) for rank in barred)
    others = size - held - table.kept_threes[seat] - unnamed_in(table, seat)
    if table.took and table.taken.only >= 0 and RANK[table.taken.only] not in barred:
        # The card that was taken alone cannot be discarded either.
        others -= min(1, table.counts[seat * CODES + table.taken.only])
    if others > 0:
        return YES
    return MAYBE if free_cards(table, seat) else NO


def lacks_sevens(table: Table) -> i64:
    """Return the side whose missing canasta of sevens bans the discard of a seven, or -1."""
    rules = table.rules
    if not rules.bans_sevens:
        return -1
    for side in range(len(rules.sides)):
        asked = side == table.side or not rules.own_sevens
        if asked and not count_seven_canastas(table, side):
            return side
    return -1


def _judge_seven(table: Table, code: i64) -> None:
    """Report the discard of a seven while a side lacks a canasta of sevens.

    A hand of sevens alone may discard one: no text says what else it could do.
    """
    side, seat = lacks_sevens(table), table.seat
    if side < 0:
        return
    held = max(0, count_of_rank(table, seat, SEVEN))
    others = table.hand_sizes[seat] - held - unnamed_in(table, seat)
    if others > 0:
        violate(table, "discard-ban", "sevens", "discard.banned", card=code, side=side)
    elif free_cards(table, seat):
        doubt(table, "discard-ban")


def barred_on_empty(table: Table) -> list[int]:
    """Return the ranks barred from an empty pile unless the hand has no other natural card."""
    ranks = [SEVEN, ACE, TWO, JOKER_RANK]
    for side in range(len(table.rules.sides) if table.rules.bans_dead else 0):
        for place in table.rules.meld_order:
            rank = KIND[place]
            closed = FOUR <= rank <= ACE and meld_size(table, side, place) >= CANASTA_SIZE
            if closed and rank not in ranks:
                ranks.append(rank)
    return ranks
