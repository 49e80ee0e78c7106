"""The stock and the deck's account: what leaves them, and the draw with its threes replaced."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from canasta_notation.arrays import array
from canasta_notation.cards import (
    BARE,
    BLACK_THREE,
    CODES,
    EXACT,
    JOKER_RANK,
    OF_RANK,
    RANK,
    RED_THREE,
    UNKNOWN,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.hands import add_card, free_cards
from canasta_notation.engine.knowledge import (
    bound_stock,
    copies_left,
    count_accounted,
    has_room,
    know_hand,
    leave_deck,
    leave_deck_exact,
    refine,
    unnamed_cards,
)
from canasta_notation.engine.side import has_opened, opens_late, table_three
from canasta_notation.engine.table import (
    LINE,
    NO_TOTALS,
    STOCK,
    Table,
    doubt,
    mark_unknowable,
    violate,
)


def account(table: Table, code: i64) -> None:
    """Account for a card that left the deck; violates `deck-count`."""
    if not leave_deck(table, code) and table.knowable:
        overdraw(table, table, code)


def overdraw(table: Table, counted: Table, code: i64) -> None:
    """Report a card of which the deck, as counted by `counted`, has no copy left.

    From here on, the deal is unknowable.
    """
    rank = RANK[code]
    copies, of_rank = table.rules.copies[code], table.rules.rank_copies[rank]
    key = "deck.jokers" if rank == JOKER_RANK else "deck.packs"
    if code != UNKNOWN and count_accounted(counted, rank) > of_rank:
        violate(table, "deck-count", "rank", key, rank=rank, copies=of_rank)
    elif code != UNKNOWN and copies_left(counted, code) < 0:
        violate(table, "deck-count", "card", key, card=code, copies=copies)
    else:
        places = unnamed_cards(counted)
        violate(table, "deck-count", "places", key, places=places)
    mark_unknowable(table)


def judge_deck(table: Table, cards: list[int]) -> None:
    """Report the first card that one deck cannot have together with the cards before it."""
    counted = Table(table.rules, table.dealer, NO_TOTALS, has_stock=False)
    for code in cards:
        if not leave_deck(counted, code):
            overdraw(table, counted, code)
            return


def pull(table: Table, code: i64) -> i64:
    """Take a card off the stock; return it as the stock line spells it if that is more exact.

    Violates `stock-order` and `deck-count`. Not checked: that the stock has a card left.
    """
    table.stock_most -= 1
    table.stock_fewest = max(0, table.stock_fewest - 1)
    if table.knowledge is not None:
        table.knowledge.least -= 1
    if not table.has_stock:
        account(table, code)
        if code == UNKNOWN:
            doubt(table, "deck-count")
        return code
    expected = table.stock[table.stock_at] if table.stock_at < len(table.stock) else UNKNOWN
    table.stock_at += 1
    if expected == UNKNOWN:
        account(table, code)
        return code
    finer = code != expected and expected == BARE[RANK[code]]
    if finer and not refine(table, expected, code) and table.knowable:
        overdraw(table, table, code)
    if not fits(table, code, expected):
        violate(table, "stock-order", "other", card=code, card_due=expected)
        mark_unknowable(table)
        return code
    return expected if code in (UNKNOWN, BARE[RANK[expected]]) else code


def not_due(table: Table, cards: vec[i64], count: i64, due: i64) -> i64:
    """Return the place of the first of `count` cards from the stock that is not due, or -1.

    `due` cards are due at first; each three that is tabled makes one more due after it.
    """
    tabled = table.rules.tabled
    for at in range(count):
        if due == 0:
            return at
        due += tabled[RANK[cards[at]]] - 1
    return -1


def agree(code: i64, other: i64) -> bool:
    """Return whether two codes can spell the same card; an unknown card is never a red three."""
    if code == other:
        return True
    if code == UNKNOWN or other == UNKNOWN:
        return RED_THREE not in (RANK[code], RANK[other])
    return RANK[code] == RANK[other] and BARE[RANK[code]] in (code, other)


def fits(table: Table, code: i64, other: i64) -> bool:
    """Return whether two codes can spell the same card under the rules of a table.

    An unknown card may be a red three only if hands keep their threes.
    """
    return agree(code, other) or (table.rules.threes_held and UNKNOWN in (code, other))


def specify(codes: tuple[int, ...], expected: list[int]) -> list[int]:
    """Return cards as `expected` spells them if that is more exact."""
    return [
        other
        if code in (UNKNOWN, BARE[RANK[other]]) and agree(code, other) and other != UNKNOWN
        else code
        for code, other in zip_longest(codes, expected[: len(codes)], fillvalue=UNKNOWN)
    ]


def pair(cards: Iterable[int], others: Iterable[int]) -> tuple[list[int], list[int], list[int]]:
    """Pair as many cards of two lists as can be the same cards in two spellings.

    Returns the pairs, each as the more exact of its spellings, and what is left of each list.
    """
    left, rest, pairs = sorted(cards), sorted(others), []
    # First equal cards; then a rank without a suit is paired with an exact card before another
    # rank.
    for fits in (same_card, same_rank, agree):
        unpaired = []
        for code in left:
            found = next((at for at, other in enumerate(rest) if fits(code, other)), -1)
            if found < 0:
                unpaired.append(code)
            else:
                pairs.append(min(code, rest.pop(found)))
        left = unpaired
    return sorted(pairs), left, rest


def same_card(code: int, other: int) -> bool:
    """Return whether two codes are the same, and name a card exactly."""
    return code == other and bool(EXACT[code])


def same_rank(code: int, other: int) -> bool:
    """Return whether two different codes can spell the same card, and neither is unknown."""
    return code != other and UNKNOWN not in (code, other) and agree(code, other)


# --- the draw -------------------------------------------------------------------------------------


def draw(table: Table, cards: vec[i64], count: i64, bare: bool) -> None:
    """Draw the first `count` of `cards`; `bare` adds an unknown card for each one still due.

    Violates `stock-empty`, `draw-count`, `replacement`, `stock-order`, `deck-count`. Sets
    `ended` if the stock ran out with nothing drawn into the hand.
    """
    table.drew = True
    #: A three that must be tabled first; if the draw has too many cards, it was replaced too late.
    kept: i64 = -1
    if table.kept_threes[table.seat] or table.late_open:
        surplus = count - table.rules.draw_count
        for at in range(count):
            surplus -= table.rules.tabled[RANK[cards[at]]]
        if surplus > 0 and late_threes(table, table.seat):
            kept = excuse_late(table)
        else:
            judge_late(table)
    if count == 1 and pull_plain(table, cards[0]):
        table.counts[table.seat * CODES + cards[0]] += 1
        table.hand_sizes[table.seat] += 1
        return
    late = not_due(table, cards, count, table.rules.draw_count)
    known = late < 0 and not bare and table.rules.known_draws
    if known and _draw_known(table, table.seat, cards, count):
        return
    _draw_sequence(table, table.seat, tuple(cards[:count]), bare, late, kept)
    if table.knowable and not has_room(table):
        overdraw(table, table, UNKNOWN)


def pull_plain(table: Table, code: i64) -> bool:
    """Take one card off the stock if it is clearly the whole draw; return whether it is."""
    rules = table.rules
    if table.stock_fewest == 0 or not rules.plain_draw[code] or table.knowledge is not None:
        return False
    if table.has_stock:
        at = table.stock_at
        if at >= len(table.stock) or table.stock[at] != code:
            return False
        table.stock_at = at + 1
    else:
        accounted = table.accounted
        copies = accounted[code] + 1
        if copies > rules.copies[code]:
            return False
        accounted[code] = copies
    table.stock_most -= 1
    table.stock_fewest -= 1
    return True


def _draw_known(table: Table, seat: i64, cards: vec[i64], count: i64) -> bool:
    """Draw due cards that are clearly the whole draw, with every three replaced.

    Returns False and changes nothing if a card is unwritten, the stock may run out, or a rule might
    be broken.
    """
    tabled = table.rules.tabled
    due: i64 = table.rules.draw_count
    for at in range(count):
        due += tabled[RANK[cards[at]]]
    if due != count or table.stock_fewest <= count or table.knowledge is not None:
        return False
    if table.has_stock:
        if table.stock_at + count > len(table.stock):
            return False
        for at in range(count):
            if not EXACT[cards[at]] or table.stock[table.stock_at + at] != cards[at]:
                return False
        table.stock_at += count
    elif not leave_deck_exact(table, cards[:count]):
        return False
    table.stock_most -= count
    table.stock_fewest -= count
    for at in range(count):
        if tabled[RANK[cards[at]]]:
            table_three(table, seat, cards[at])
        else:
            add_card(table, seat, cards[at])
    return True


def _draw_sequence(
    table: Table, seat: i64, cards: tuple[int, ...], bare: bool, late: i64, kept: i64
) -> None:
    tabled = table.rules.tabled
    threes = sum(tabled[RANK[code]] for code in cards)
    due = table.rules.draw_count + threes
    bound_stock(table, threes)
    available = table.stock_most
    if available == 0 or len(cards) > available:
        violate(table, "stock-empty", "draw" if available else "none", stock=available)
        mark_unknowable(table)
        return
    perhaps: i64 = 0
    if bare:
        most = min(due, available)
        fewest = max(len(cards) + 1, min(due, table.stock_fewest))
        perhaps = max(0, most - fewest)
        cards += (UNKNOWN,) * (most - perhaps - len(cards))
    if late >= 0 and len(cards) <= due:
        violate(table, "draw-count", "late", "draw.count", card=cards[late])
    missing: i64 = 0
    if perhaps:
        doubt(table, "draw-count")
    else:
        missing = _judge_count(table, seat, cards, due, threes, kept)
    _place(table, seat, [pull(table, code) for code in cards], missing)
    if perhaps:
        _draw_perhaps(table, seat, perhaps)


def _draw_perhaps(table: Table, seat: i64, cards: i64) -> None:
    """Draw unknown cards that the stock may not have had."""
    known = know_hand(table, seat)
    known.unknown[seat] += cards
    known.loose[seat] += cards
    known.least -= cards
    table.stock_fewest = max(0, table.stock_fewest - cards)


def _judge_count(
    table: Table, seat: i64, cards: tuple[int, ...], due: i64, threes: i64, kept: i64
) -> i64:
    """Judge how many cards were drawn; return how many of those due are missing.

    `kept` is a three that the hand had to table first, or -1.
    """
    drawn = len(cards)
    if drawn == due or drawn == table.stock_most:
        return 0
    if drawn < due and table.stock_fewest <= drawn:
        doubt(table, "draw-count")
        table.perhaps_over = drawn == threes
        # Under American rules the last three stays in the hand either way: kept, or because the
        # stock is empty.
        if table.rules.last_three_held and table.rules.tabled[RANK[cards[-1]]]:
            return 1
        if threes and due - drawn == 1 and may_keep(table, seat):
            # It is unclear whether the three was kept, or tabled because the stock was empty.
            known = know_hand(table, seat)
            known.threes_less[table.rules.side_of[seat]] += 1
            known.unknown[seat] += 1
            known.loose[seat] += 1
            known.vague |= 1 << seat
            note_open(table, seat)
        return 0
    left = table.stock_most - drawn
    # If a turn before this one is missing, this draw may have emptied the stock.
    last = drawn < due and left <= table.rules.draw_count
    if not threes and kept >= 0:
        violate(table, "draw-count", "kept", "draw.count", drawn=drawn, due=due, card=kept)
    elif not threes:
        message = "joined" if drawn > due and table.tabled_late else "last" if last else "count"
        violate(table, "draw-count", message, "draw.count", drawn=drawn, due=due, stock=left)
    elif drawn > due:
        violate(table, "draw-count", "many", "draw.count", drawn=drawn, due=due)
    elif due - drawn > 1 or not may_keep(table, seat):
        message = "last" if last else "few"
        table.excused_threes[seat] += min(due - drawn, threes)
        violate(table, "replacement", message, "deal.three_kept", drawn=drawn, due=due, stock=left)
    return max(0, due - drawn)


def may_keep(table: Table, seat: i64) -> bool:
    """Return whether the seat may keep a three. Source: pagat.com, Modern American."""
    rules = table.rules
    if not rules.three_kept or table.kept_threes[seat]:
        return False
    # A packet comes after the groups that open.
    opens = table.laid and seat == table.seat
    return rules.kept_for_good or not (opens or has_opened(table, rules.side_of[seat]))


def _place(table: Table, seat: i64, cards: list[int], missing: i64) -> None:
    """Table the threes that were replaced, and put the other cards into the hand.

    Unreplaced threes are the last ones drawn. When the stock runs out, a three is tabled without a
    replacement (Wikipedia, Going out), or stays in the hand (pagat.com, Modern American).
    """
    tabled = table.rules.tabled
    if table.stock_most == 0 and table.rules.last_three_held and tabled[RANK[cards[-1]]]:
        missing += 1
    threes = [code for code in cards if tabled[RANK[code]]]
    kept = threes[max(0, len(threes) - missing) :]
    note_choice(table, seat, threes, kept)
    hold(table, seat, array(cards), kept)
    if table.stock_most == 0 and len(threes) == len(cards):
        _end_stock(table)


def _end_stock(table: Table) -> None:
    """End the deal, because the last card of the stock was a three, or let groups follow it."""
    if table.rules.last_melds:
        table.last_three = table.drew = True
    else:
        table.ended = STOCK


def note_choice(table: Table, seat: i64, threes: list[int], kept: list[int]) -> None:
    """Note the threes among which a seat chose those that it kept."""
    for code in threes if kept else ():
        table.kept_with[seat] |= 1 << code


def hold(table: Table, seat: i64, cards: vec[i64], kept: list[int]) -> None:
    """Put cards into the hand and threes on the table; threes in `kept` stay in the hand."""
    tabled = table.rules.tabled
    for code in cards:
        if not tabled[RANK[code]]:
            add_card(table, seat, code)
        elif code in kept:
            kept.remove(code)
            add_card(table, seat, code)
            table.kept_threes[seat] += 1
        else:
            table_three(table, seat, code)


# --- threes that a hand has kept ------------------------------------------------------------------


def late_threes(table: Table, seat: i64) -> i64:
    """Return how many threes, kept or from a packet, a seat must table at the start of its turn.

    Source: pagat.com, Modern American. None is due once the stock is empty.
    """
    rules = table.rules
    late = table.kept_threes[seat] - table.excused_threes[seat]
    if late <= 0 or table.stock_most == 0 or not _tables_late(table, seat):
        return 0
    return max(0, late - rules.kept_for_good)


def _tables_late(table: Table, seat: i64) -> bool:
    """Return whether a turn of the seat must begin by tabling the threes that the hand holds."""
    return table.rules.threes_wait or has_opened(table, table.rules.side_of[seat])


def note_open(table: Table, seat: i64) -> None:
    """Note that a hand may hold a three that the record does not name."""
    if table.rules.holds_threes:
        table.late_open |= 1 << seat


def held_three(table: Table, seat: i64) -> i64:
    """Return a three that a hand is known to hold, or UNKNOWN."""
    base = seat * CODES
    for rank in (RED_THREE, BLACK_THREE):
        for code in OF_RANK[rank]:
            if table.rules.tabled[rank] and table.counts[base + code] > 0:
                return code
    return UNKNOWN


def excuse_late(table: Table) -> i64:
    """Let the seat keep the threes that it must table now; return one of them."""
    table.excused_threes[table.seat] += late_threes(table, table.seat)
    return held_three(table, table.seat)


def judge_late(table: Table) -> None:
    """Report threes that the seat had to table before its draw or take; violates `replacement`."""
    seat = table.seat
    if table.late_open >> seat & 1 and _tables_late(table, seat):
        table.late_open &= ~(1 << seat)
        if table.stock_most and free_cards(table, seat):
            doubt(table, "replacement")
    late = late_threes(table, seat)
    if late == 0:
        return
    if opens_late(table) and table.at != LINE:
        table.late_waits = True
        return
    three = excuse_late(table)
    if table.stock_fewest == 0:
        doubt(table, "replacement")
        return
    key = "packet.threes" if table.packet_kept >> seat & 1 else "deal.three_kept"
    message = "stayed_all" if late > 1 else "stayed_too" if table.tabled_late else "stayed"
    violate(table, "replacement", message, key, card=three, seat=seat, missing=late)


def replace_threes(
    table: Table, seat: i64, threes: i64, cards: tuple[int, ...], bare: bool, key: str
) -> None:
    """Draw the replacements of threes that a seat has tabled; violates `replacement`.

    A three among them is tabled and replaced too. `bare` adds an unknown card for each one still
    due. Violates `stock-empty`, `stock-order`, `deck-count` too. Ends the deal if the last card of
    the stock is a three.
    """
    tabled = table.rules.tabled
    more = sum(tabled[RANK[code]] for code in cards)
    due = threes + more
    bound_stock(table, more)
    available = table.stock_most
    if len(cards) > available:
        violate(table, "stock-empty", "draw" if available else "none", stock=available)
        mark_unknowable(table)
        return
    if bare:
        if table.stock_fewest < due:
            doubt(table, "replacement")
        cards += (UNKNOWN,) * (min(due, available) - len(cards))
    late = not_due(table, array(cards), len(cards), threes)
    missing: i64 = 0
    if len(cards) > due:
        violate(table, "replacement", "many", drawn=len(cards), due=due)
    elif late >= 0:
        violate(table, "replacement", "late", card=cards[late])
    elif len(cards) < due and len(cards) < available:
        missing = due - len(cards)
        if table.stock_fewest <= len(cards):
            doubt(table, "replacement")
            # The last three of the stock stays in the hand; see `_judge_count`.
            missing = int(more > 0 and table.rules.last_three_held and tabled[RANK[cards[-1]]] != 0)
        elif missing > 1 or not more or not may_keep(table, seat):
            table.excused_threes[seat] += min(missing, more)
            message = "unreplaced" if table.packet_taken else "apart"
            word = table.rules.packet_word
            violate(table, "replacement", message, key, missing=missing, packet=word)
    if not cards:
        return
    _place(table, seat, [pull(table, code) for code in cards], min(missing, more))
    if table.stock_most == 0 and tabled[RANK[cards[-1]]]:
        _end_stock(table)
    if table.knowable and not has_room(table):
        overdraw(table, table, UNKNOWN)
