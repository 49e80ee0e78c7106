"""A deal: the lines before play, penalties, and its end."""

from __future__ import annotations

from canasta_notation.cards import BARE, BLACK_THREE, CODES, RANK, RED_THREE, UNKNOWN, UNKNOWN_RANK
from canasta_notation.counts import i64, vec
from canasta_notation.engine.hands import add_card, loose_cards, pull_codes
from canasta_notation.engine.knowledge import (
    add_unknown_again,
    bound_stock,
    count_unseen,
    know,
    leave_deck_exact,
)
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.side import table_three
from canasta_notation.engine.stock import (
    account,
    agree,
    hold,
    judge_deck,
    not_due,
    note_choice,
    note_open,
    pull,
)
from canasta_notation.engine.table import (
    LINE,
    MAYBE,
    NO,
    OPEN,
    OUT,
    SPECIAL,
    STOCK,
    YES,
    Table,
    doubt,
    mark_unknowable,
    put_on_pile,
    top_of,
    violate,
)


def deal_hand(
    table: Table,
    seat: i64,
    dealt: vec[i64],
    rest_unknown: bool,
    replacements: vec[i64],
    used_up: bool = False,
) -> None:
    """Give a seat its hand as dealt, table its threes and add their replacements.

    `used_up` says that the stock had no card for a replacement that is missing. Violates
    `deal-size`, `deck-count`, `replacement`; `...` excuses what is missing.
    """
    size = table.rules.hand
    if len(dealt) != size and not (rest_unknown and len(dealt) < size):
        violate(table, "deal-size", "hand", "deal.hand", cards=len(dealt), due=size, seat=seat)
        table.undealt += size - len(dealt)
        table.stock_most += size - len(dealt)
        table.stock_fewest += size - len(dealt)
    given = len(replacements)
    if leave_deck_exact(table, dealt):
        counts, base = table.counts, seat * CODES
        for code in dealt:
            counts[base + code] += 1
        table.hand_sizes[seat] += len(dealt)
        dealt = pull_codes(table, seat, table.rules.tabled_codes)
        if not (given or rest_unknown or len(dealt)):
            return
    else:
        for code in dealt:
            account(table, code)
    threes: list[int] = []
    unknown = _pick(table, dealt, threes)
    for code in replacements:
        _leave_stock(table, code)
    late = -1 if rest_unknown else not_due(table, replacements, given, len(threes))
    if _pick(table, replacements, threes) or unknown or rest_unknown:
        doubt(table, "deck-count")
    if late >= 0 and given <= len(threes):
        violate(table, "replacement", "late", card=replacements[late])
    kept = _kept(table, seat, threes, given, rest_unknown, used_up)
    note_choice(table, seat, [] if table.rules.threes_wait else threes, kept)
    hold(table, seat, dealt, kept)
    hold(table, seat, replacements, kept)
    if rest_unknown:
        _open_hand(table, seat, threes, given)
    elif unknown and table.rules.threes_wait:
        note_open(table, seat)


def _open_hand(table: Table, seat: i64, threes: list[int], given: i64) -> None:
    """Fill a hand that is written in part with unknown cards, and note the threes it may have had.

    `threes` are those written, `given` says how many replacements are. A replacement that no
    written three explains shows a red three, unless the rules table black ones too.
    """
    note_open(table, seat)
    if not table.rules.threes_wait:
        _open_threes(table, seat, threes, given)
    for _ in range(table.rules.hand - table.hand_sizes[seat]):
        add_card(table, seat, UNKNOWN)


def _open_threes(table: Table, seat: i64, threes: list[int], given: i64) -> None:
    """Note the threes that a hand which is written in part may have had, and what replaced them."""
    rules, known, side = table.rules, know(table), table.rules.side_of[seat]
    known.threes_more[side] = rules.deck_size
    unwritten = max(0, given - len(threes))
    surplus = table.hand_sizes[seat] - rules.hand
    if unwritten and surplus > 0:
        violate(table, "replacement", "surplus", seat=seat, given=given, due=given - surplus)
    elif rules.black_tabled:
        known.replaced += unwritten
    else:
        for _ in range(unwritten):
            account(table, BARE[RED_THREE])
            table_three(table, seat, BARE[RED_THREE])
    missing = max(0, len(threes) - given)
    table.stock_most -= max(0, missing - 1) if rules.three_kept else missing
    table.stock_fewest -= missing
    if len(threes) and rules.three_kept and surplus < 0:
        # One of the threes may be in the hand rather than on the table.
        known.threes_less[side] += 1
        add_unknown_again(table, seat)


def _pick(table: Table, cards: vec[i64], threes: list[int]) -> bool:
    """Add the threes that must be tabled to `threes`; return whether a card is unwritten."""
    tabled = table.rules.tabled
    unknown = False
    for code in cards:
        if tabled[RANK[code]]:
            threes.append(code)
        elif code == UNKNOWN:
            unknown = True
    return unknown


def _leave_stock(table: Table, code: i64) -> None:
    """Take a card off the stock; if the stock is written, `match_stock` compares it later."""
    if table.has_stock:
        table.stock_most -= 1
        table.stock_fewest -= 1
    else:
        pull(table, code)


def _kept(
    table: Table, seat: i64, threes: list[int], given: i64, rest_unknown: bool, used_up: bool
) -> list[int]:
    """Return the threes that stay in the hand because nothing replaced them."""
    if table.rules.threes_wait:
        return _waiting(table, seat, threes, given)
    due, missing = len(threes), len(threes) - given
    if missing == 0 or rest_unknown:
        return []
    if missing < 0:
        violate(table, "replacement", "surplus", seat=seat, given=given, due=due)
        return []
    # No source says which three is kept. A black one is chosen if there is one.
    kept = sorted(threes, key=lambda code: RANK[code] != BLACK_THREE)[:missing]
    if used_up:
        return kept if table.rules.last_three_held else []
    if not table.rules.three_kept or missing > 1:
        key = "deal.three_kept"
        table.excused_threes[seat] += missing - table.rules.three_kept
        violate(table, "replacement", "dealt", key, seat=seat, given=given, due=due)
    return kept


def _waiting(table: Table, seat: i64, threes: list[int], given: i64) -> list[int]:
    """Return the threes that stay in the hand until its first turn: all, unless some were replaced.

    Violates `replacement` for a replacement before that turn.
    """
    if given:
        due = len(threes)
        violate(table, "replacement", "waits", "deal.three_kept", seat=seat, given=given, due=due)
    return threes[given:]


def deal_unseen(table: Table, seat: i64) -> None:
    """Give a seat a hand that was never seen; its threes are unknown too."""
    doubt(table, "deal-size")
    note_open(table, seat)
    if not table.rules.threes_wait:
        know(table).threes_more[table.rules.side_of[seat]] = table.rules.deck_size
    for _ in range(table.rules.hand):
        add_card(table, seat, UNKNOWN)


def turn_up(table: Table, cards: vec[i64]) -> None:
    """Start the pile with the cards turned up, the last one on top; violates `up-cards`."""
    rules = table.rules
    reported = not rules.up_turned
    if reported:
        violate(table, "up-cards", "none", "up.turned")
    for at in range(len(cards)):
        code = cards[at]
        covered = rules.up_covered[RANK[code]]
        last = at == len(cards) - 1
        if not reported and code != UNKNOWN and covered == last:
            reported = True
            message = "cover" if last else "over"
            violate(table, "up-cards", message, "up.covered", card=code)
        if rules.up_freezes[RANK[code]]:
            table.frozen_by_card = YES
        elif code == UNKNOWN and table.frozen_by_card == NO:
            table.frozen_by_card = _frozen_by_unknown(table, not last)
        _leave_stock(table, code)
        if code == UNKNOWN and not last and may_be_three(rules, True):
            # A three does not come into the hand that takes the pile.
            table.pile_loose += 1
        else:
            put_on_pile(table, code)
            if code == UNKNOWN and may_be_three(rules, False):
                know(table).up_open = table.pile_size - 1


def may_be_three(rules: Rules, covered: bool) -> bool:
    """Return whether an unwritten up card, covered or not, may be a three that is tabled."""
    threes = [rank for rank in (RED_THREE, BLACK_THREE) if rules.tabled[rank]]
    return any(rules.up_covered[rank] == covered for rank in threes)


def _frozen_by_unknown(table: Table, covered: bool) -> i64:
    """Return whether an unwritten up card, covered or not, freezes the pile: YES, NO or MAYBE."""
    rules = table.rules
    ranks = [rank for rank in range(UNKNOWN_RANK) if rules.up_covered[rank] == covered]
    freezing = [rules.up_freezes[rank] for rank in ranks]
    if not any(freezing):
        return NO
    return YES if all(freezing) else MAYBE


def turn_unseen(table: Table) -> None:
    """Start the pile with unwritten up cards: one, and any that it covered."""
    rules = table.rules
    if not rules.up_turned:
        return
    wild_and_threes = sum(
        copies for rank, copies in enumerate(rules.rank_copies) if rules.up_covered[rank]
    )
    doubt(table, "up-cards")
    put_on_pile(table, UNKNOWN)
    if may_be_three(rules, False):
        know(table).up_open = 0
    table.pile_loose = wild_and_threes
    table.stock_most -= 1
    table.stock_fewest = max(0, table.stock_fewest - 1 - wild_and_threes)
    if any(rules.up_freezes):
        table.frozen_by_card = MAYBE


def set_stock(table: Table, cards: vec[i64]) -> None:
    """Set the stock as written; `match_stock` compares what has already left it.

    Violates `deck-count` if the line is longer or shorter than the undealt cards.
    """
    due = table.undealt
    if len(cards) != due:
        violate(table, "deck-count", "stock", "deck.jokers", cards=len(cards), due=due)
        table.has_stock = False
        return
    table.stock = cards
    if not leave_deck_exact(table, cards):
        for code in cards:
            account(table, code)


def judge_stock(table: Table, cards: vec[i64], hands: list[vec[i64]]) -> None:
    """Judge a stock line that cannot be followed, because not every hand is written.

    `hands` are the written ones, as dealt. Violates `deck-count` for the line's length, and for a
    card of which the line and these hands have more copies than the deck.
    """
    if len(cards) != table.undealt:
        violate(table, "deck-count", "stock", "deck.jokers", cards=len(cards), due=table.undealt)
        return
    judge_deck(table, [code for codes in (*hands, cards) for code in codes])


def match_up(table: Table, up: vec[i64], stock: vec[i64]) -> None:
    """Compare the up cards with the first cards of a stock line that cannot be followed further.

    Violates `stock-order`.
    """
    for at in range(len(up)):
        if stock[at] != UNKNOWN and not agree(up[at], stock[at]):
            violate(table, "stock-order", "other", card=up[at], card_due=stock[at])
            mark_unknowable(table)
            return


def match_stock(table: Table, cards: vec[i64]) -> None:
    """Compare cards that left the stock before play with its line, in the order in which they left.

    They are the up cards, then each seat's replacements, starting at the dealer's left. Violates
    `stock-order`.
    """
    if table.has_stock:
        table.stock_most += len(cards)
        table.stock_fewest += len(cards)
        for code in cards:
            pull(table, code)


def begin_play(table: Table) -> None:
    """End the dealing: threes that may have been dealt unseen make the stock uncertain."""
    known = table.knowledge
    if known is not None and any(known.threes_more) and not table.rules.threes_held:
        known.threes_dealt, known.least = True, table.stock_fewest
        table.stock_fewest = 0
        bound_stock(table, 0)


# --- the end ------------------------------------------------------------------------------------


def penalize(table: Table, side: i64, points: i64, word: str) -> None:
    """Take points from a side for a ruling; violates `penalty` (a warning)."""
    table.at = LINE
    table.penalties[side] += points
    if word not in table.rules.penalties:
        return
    due = table.rules.penalties[word]
    if due is None:
        violate(table, "penalty", "none", f"penalty.{word}", word=word, points=points)
    elif due != points:
        violate(table, "penalty", "amount", f"penalty.{word}", word=word, points=points, due=due)


def award(table: Table, side: i64, points: i64) -> None:
    """Give points to a side, as the table decided."""
    table.at = LINE
    table.bonuses[side] += points


def end_deal(table: Table, reason: str, seat: i64, over: i64) -> bool:
    """Judge an end line; return whether the deal counts as ended and can be scored.

    `over` says whether the empty stock has ended the deal: YES, NO or MAYBE. The caller passes it
    in (`search.able.stock_over`), because only a search for a legal take can decide it. Violates
    `end-claim`, `end-stock-left`, `pile-must-take`.
    """
    table.at = LINE
    if table.ended == OPEN and reason == STOCK:
        _end_by_stock(table, over)
    elif table.ended == OPEN and reason == OUT and seat == table.seat and _may_be_empty(table):
        doubt(table, "end-claim")
        _end_unseen(table)
    elif table.ended == OPEN and over == YES:
        table.ended = STOCK
    if table.ended == OPEN:
        if reason in (OUT, SPECIAL):
            violate(table, "end-claim", "open", claimed=_end_text(table, reason, seat))
        elif over == MAYBE:
            doubt(table, "end-claim")
        return False
    if reason != table.ended or (reason in (OUT, SPECIAL) and seat != table.ended_by):
        how = _end_text(table, table.ended, table.ended_by)
        violate(table, "end-claim", "other", claimed=_end_text(table, reason, seat), how=how)
    return True


def claim_concealed(table: Table) -> None:
    """Judge the claim that the seat that went out did so concealed; violates `end-claim`.

    If the play does not show how it went out, the claim is accepted.
    """
    table.at = LINE
    if table.ended != OUT:
        return
    if table.out_unseen:
        table.out_unseen = False
        table.out_concealed = True
    elif not table.out_concealed:
        violate(table, "end-claim", "concealed", "score.concealed_needs", seat_out=table.ended_by)


def _end_by_stock(table: Table, over: i64) -> None:
    if over == NO and table.stock_most > 0:
        threes = 0 if table.rules.threes_held else count_unseen(table, RED_THREE)
        few = table.stock_fewest <= threes
        violate(table, "end-stock-left", "few" if few else "left", stock=table.stock_fewest)
    elif over == NO:
        violate(table, "pile-must-take", "able", "pile.must_take", card=top_of(table))
    elif over == MAYBE:
        doubt(table, "end-stock-left" if table.stock_most else "pile-must-take")
    table.ended = STOCK


def _may_be_empty(table: Table) -> bool:
    """Return whether the hand that played last has no known card, but may have some of a pile."""
    seat = table.seat
    return seat >= 0 and table.hand_sizes[seat] == 0 and loose_cards(table, seat) > 0


def _end_unseen(table: Table) -> None:
    """End the deal by the seat that played last; how it went out is not known."""
    table.ended, table.ended_by, table.out_unseen = OUT, table.seat, True


def _end_text(table: Table, reason: str, seat: i64) -> str:
    return f"{reason} {table.rules.seats[seat]}" if seat >= 0 else reason


def reopen(table: Table) -> None:
    """Reopen a deal that the empty stock ended: the seat that is due may still take the pile."""
    table.ended = OPEN


def end_unclaimed(table: Table, over: i64, followed: bool) -> i64:
    """Close a deal without an end line; return whether the play ended it: YES, NO or MAYBE.

    `followed` says that a score or another deal follows, so that the deal must have ended; if there
    is only one way, it has. `over` is that of `end_deal`.
    """
    table.at = LINE
    if table.ended != OPEN:
        return YES
    out = _may_be_empty(table)
    if over == YES and not out:
        table.ended = STOCK
        return YES
    if over == NO and not out:
        return NO
    doubt(table, "end-missing")
    surely_out = out and table.discarded < 0 and not table.perhaps_over
    if not followed or (out and over != NO and not surely_out):
        return MAYBE
    if out:
        _end_unseen(table)
    else:
        table.ended = STOCK
    return YES
