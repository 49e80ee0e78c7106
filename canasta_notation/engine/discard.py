"""The discard, and the talon that may follow it."""

from __future__ import annotations

from typing import Final

from canasta_notation.cards import (
    ACE,
    CANASTA_SIZE,
    CODES,
    EXACT,
    FOUR,
    JOKER_RANK,
    KIND,
    RANK,
    SEVEN,
    TWO,
    UNKNOWN,
    is_wild,
)
from canasta_notation.counts import i64
from canasta_notation.engine.hands import (
    add_card,
    can_hold,
    count_of_rank,
    free_cards,
    is_written,
    loose_cards,
    release_three,
    remove_card,
    unnamed_in,
)
from canasta_notation.engine.knowledge import add_unknown_again, unaccount
from canasta_notation.engine.lay import may_go_on, take_from_hand
from canasta_notation.engine.side import (
    lacks_canastas,
    meld_size,
    report_canastas,
    table_three,
    unfinished_melds,
)
from canasta_notation.engine.stock import (
    account,
    agree,
    note_open,
    pair,
    pull,
    replace_threes,
    same_card,
    same_rank,
)
from canasta_notation.engine.table import (
    LINE,
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

#: The key of the rule by which a turn earns no talon, by the message of `talon` that says so.
TALON_KEYS: Final = {"": "deal.talons", "pile": "talon.with_pile", "stock": "talon.until"}


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


def _discard_other(table: Table, code: i64) -> bool:
    """Make a discard that a rule may concern; return False if the hand cannot hold the card."""
    rules = table.rules
    if rules.tabled[RANK[code]]:
        violate(table, "discard-three", "three", card=code)
        if not can_hold(table, table.seat, code) or not remove_card(table, table.seat, code):
            mark_unknowable(table)
        release_three(table, table.seat, code)
        return True
    banned = _is_banned(table, code) if rules.bans else NO
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
    if others > 0:
        return YES
    return MAYBE if free_cards(table, seat) else NO


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


def take_talon(table: Table, cards: tuple[int, ...], replacements: tuple[int, ...] = ()) -> None:
    """Take the talon that the side's opening earned.

    `replacements` are the cards that replaced its threes at once. Violates `talon`, `deck-count`,
    `stock-order` if talons are drawn from the stock, and `replacement` and the codes of a draw if
    the rules replace the threes at another time, or not at all.
    """
    if _is_out(table):
        violate(table, "talon", "out", "deal.talons", seat=table.seat)
        return
    due = talon_due(table)
    if due < 0:
        _report_undue(table)
    elif not _has_size(table, len(cards), table.rules.talons[due]):
        pass
    elif due < len(table.talons) and not _is_talon(table, cards, due):
        violate(table, "talon", "other", "deal.talons", cards=len(cards), due=len(cards))
    elif table.stock_fewest < table.rules.talon_until:
        doubt(table, "talon")
    if table.rules.talon_drawn and len(cards) > table.stock_most:
        mark_unknowable(table)
        return
    written = table.talons[due] if 0 <= due < len(table.talons) else []
    counted = bool(table.talons) and all(EXACT[code] for code in written)
    cards = _leave_deck(table, cards, written, counted)
    table.talon_taken = True
    if due >= 0:
        table.talons_gone |= 1 << due
    seat, rules = table.seat, table.rules
    threes: i64 = 0
    tables = bool(replacements) or rules.talon_threes != "next-turn"
    for code in cards:
        three = rules.tabled[RANK[code]]
        if three and tables:
            threes += 1
            table_three(table, seat, code)
        elif counted and code == UNKNOWN:
            add_unknown_again(table, seat)
        else:
            add_card(table, seat, code)
            table.kept_threes[seat] += three
            table.talon_kept |= three << seat
        if code == UNKNOWN:
            note_open(table, seat)
    _replace_threes(table, threes, replacements)


def _has_size(table: Table, cards: i64, size: i64) -> bool:
    """Return whether a talon has the size that is due; report a wrong size."""
    fewest = most = size
    if table.rules.talon_drawn:
        most, fewest = min(size, table.stock_most), min(size, table.stock_fewest)
    if fewest <= cards <= most:
        if fewest < most:
            doubt(table, "talon")
        return True
    violate(table, "talon", "size", "deal.talons", cards=cards, due=most)
    return False


def _leave_deck(
    table: Table, cards: tuple[int, ...], written: list[int], counted: bool
) -> tuple[int, ...]:
    """Account for the cards of a talon; return them in the most exact spelling that any line has.

    `written` are those of its talon line; `counted` says that they have left the deck, because the
    line names each with its suit.
    """
    if table.rules.talon_drawn:
        return tuple(_pull_talon(table, cards))
    if counted:
        return tuple(written) if len(written) == len(cards) else cards
    for code in written:
        unaccount(table, code)
    for code in cards:
        account(table, code)
    return cards


def _pull_talon(table: Table, cards: tuple[int, ...]) -> list[int]:
    """Take the cards of a talon off the stock, in the order of the stock if that is written."""
    end = table.stock_at + len(cards)
    due = list(table.stock[table.stock_at : end] if table.has_stock else ())
    left = list(cards)
    pulled = [-1] * len(due)
    # First equal cards, then cards of a rank, then known cards for unknown places.
    for fits in (same_card, same_rank, _named_alike, _fills, agree):
        for at, code in enumerate(due):
            found = next((other for other in left if pulled[at] < 0 and fits(other, code)), -1)
            if found >= 0:
                left.remove(found)
                pulled[at] = found
    for at, code in enumerate(due):
        # A three that goes into the hand need not be named.
        held = table.rules.talon_threes == "next-turn" and table.rules.tabled[RANK[code]]
        if pulled[at] < 0 and left:
            pulled[at] = left.pop(left.index(UNKNOWN) if UNKNOWN in left else 0)
            if held and pulled[at] == UNKNOWN:
                pulled[at] = code
    return [pull(table, code) for code in (*pulled, *left)]


def _named_alike(code: int, place: int) -> bool:
    """Return whether two codes can spell the same card, and neither is unknown."""
    return UNKNOWN not in (code, place) and agree(code, place)


def _fills(code: int, place: int) -> bool:
    """Return whether a known card can be at a place of the stock that is not written."""
    return code != UNKNOWN and agree(code, place)


def _is_talon(table: Table, cards: tuple[int, ...], due: i64) -> bool:
    """Return whether cards can be those of a talon that is written."""
    _, unmatched, missing = pair(cards, table.talons[due])
    if table.rules.talon_threes != "next-turn":
        return not unmatched and not missing
    # A red three that goes into the hand need not be named.
    held = all(table.rules.tabled[RANK[code]] for code in missing)
    return held and all(code == UNKNOWN for code in unmatched)


def _replace_threes(table: Table, threes: i64, replacements: tuple[int, ...]) -> None:
    """Draw the cards that replace the threes of a talon; violates `replacement`."""
    when = table.rules.talon_threes
    if replacements and when != "at-once":
        message = "early" if when == "next-turn" else "talon"
        violate(table, "replacement", message, "talon.threes")
    if replacements or (when == "at-once" and threes):
        replace_threes(table, table.seat, threes, replacements, False, "talon.threes")


def _is_out(table: Table) -> bool:
    """Return whether the discard was the last card, and the seat may go out with it."""
    seat, side = table.seat, table.side
    if table.discarded < 0 or table.hand_sizes[seat] or loose_cards(table, seat):
        return False
    if lacks_canastas(table, side) or table.answer == "no":
        return False
    return not (table.rules.finished and unfinished_melds(table, side))


def talon_due(table: Table) -> i64:
    """Return the index of the talon that this turn's opening earned, or -1."""
    if not table.laid or table.last_three or talons_left(table) == 0 or why_no_talon(table):
        return -1
    return int(table.opened).bit_count()


def talon_passed(table: Table) -> i64:
    """Return the index of the talon that the last turn earned and did not take, or -1."""
    played = table.laid and table.discarded >= 0 and not table.ended
    if not played or table.opened_before or table.talon_taken or table.last_three:
        return -1
    at: i64 = int(table.opened).bit_count() - 1
    return at if at < len(table.rules.talons) and not why_no_talon(table) else -1


def talons_left(table: Table) -> i64:
    """Return how many talons the side may still earn in this turn, and others after it."""
    if table.opened_before:
        return 0
    return max(0, len(table.rules.talons) - int(table.opened).bit_count())


def why_no_talon(table: Table) -> str:
    """Return the message of `talon` that says why no opening in this turn earns one, or ""."""
    if table.took and not table.rules.talon_with_pile:
        return "pile"
    return "stock" if table.stock_most < table.rules.talon_until else ""


def talon_facts(table: Table) -> dict[str, object]:
    """Return the facts of these messages."""
    return {"seat": table.seat, "stock": table.stock_most, "due": table.rules.talon_until}


def _report_undue(table: Table) -> None:
    """Report a talon that is not due and, before it, a last card that only a talon would allow."""
    seat = table.seat
    emptied = table.discarded >= 0 and not table.hand_sizes[seat] and not loose_cards(table, seat)
    if emptied and lacks_canastas(table, table.side):
        at, table.at = table.at, LINE
        report_canastas(table, table.side, "out")
        table.at = at
    why = why_no_talon(table) if table.laid and talons_left(table) else ""
    violate(table, "talon", why or "undue", TALON_KEYS[why], **talon_facts(table))
