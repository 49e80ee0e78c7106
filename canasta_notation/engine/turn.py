"""A turn, action by action, and what is judged at its end."""

from __future__ import annotations

from typing import assert_never

from canasta_notation.arrays import array
from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    CARD_STEP,
    CODES,
    FIVE_NATURALS,
    JOKER_RANK,
    KIND,
    MELD_SIZE,
    RANK,
    RANKS,
    SEQUENCE,
    TWO,
    UNKNOWN,
)
from canasta_notation.counts import i64
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Combine,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    TableThrees,
    Take,
    TakeBack,
    TakePacket,
)
from canasta_notation.engine.back import raised, take_back, turns_back
from canasta_notation.engine.discard import discard, is_plain
from canasta_notation.engine.hands import loose_cards
from canasta_notation.engine.knowledge import know, unknown_melded
from canasta_notation.engine.lay import combine, lay, lay_special
from canasta_notation.engine.packets import (
    awaits_empty_hand,
    fill_stock,
    packet_due,
    pick_up_missing,
    picks_up,
    take_packet,
)
from canasta_notation.engine.ruleset import UNTOUCHED
from canasta_notation.engine.sequence import is_row, keep_two, others_of
from canasta_notation.engine.side import (
    count_canastas,
    lacks_canastas,
    lacks_kinds,
    may_keep_last,
    may_mix_aces,
    meld_size,
    naturals_of,
    report_canastas,
    splashed,
    touched,
    unfinished_melds,
    was_laid,
    wilds_of,
)
from canasta_notation.engine.stock import draw, judge_late, overdraw, pull_plain
from canasta_notation.engine.table import (
    LINE,
    MAYBE,
    NO,
    NOT_JUDGED,
    NOT_KNOWN,
    OPEN,
    OUT,
    SPECIAL,
    STOCK,
    YES,
    Origins,
    Table,
    doubt,
    is_reported,
    mark_unknowable,
    violate,
)
from canasta_notation.engine.take import enter_waiting_rest, judge_take, settle_top, take
from canasta_notation.engine.threes import table_threes


def begin_turn(table: Table, seat: i64) -> bool:
    """Start a seat's turn; return False if the deal is over.

    Changes nothing if the seat has begun its turn by tabling threes.
    Violates `after-end`, `wrong-seat`.
    """
    table.at = LINE
    if table.tabled_late and seat == table.seat:
        return True
    table.turn += 1
    if table.ended:
        violate(table, "after-end", "turn", ended=table.ended)
        mark_unknowable(table)
        return False
    if seat != table.due:
        if table.due < 0:
            doubt(table, "wrong-seat")
        else:
            violate(table, "wrong-seat", "turn", seat=seat, seat_due=table.due)
    table.seat = seat
    if table.packet_unplayed:
        table.packet_unplayed &= ~(1 << seat)
    table.drew = table.took = table.traced = table.laid = table.waiting = table.packet_taken = False
    table.rest_kept = table.last_three = False
    if table.touches:
        for at in range(table.touches):
            table.touched_at[table.touch_order[at]] = UNTOUCHED
        table.touches = 0
    table.count_least = table.count_most = 0
    table.origins = None
    if table.count_more:
        table.count_more = []
    if table.combines:
        table.combines = []
    table.answer = ""
    table.perhaps_over = False
    table.discarded = table.overdrawn = -1
    table.side = table.rules.side_of[seat]
    table.opened_before = table.opened >> table.side & 1 != 0
    return True


def awaits_draw(table: Table) -> bool:
    """Return whether the turn in progress has tabled threes, and neither drawn nor taken yet."""
    return table.tabled_late and not (table.drew or table.took)


def has_asked(table: Table) -> bool:
    """Return whether the side whose turn it is has already asked as often as it may."""
    if table.rules.ask_limit == "turn":
        return table.answer != ""
    return table.asked >> table.side & 1 != 0


def ask(table: Table, yes: bool) -> None:
    """Ask the partner for permission to go out; violates `ask-when`."""
    rules = table.rules
    if not rules.may_ask:
        message, key = ("never", "out.ask") if rules.partners else ("alone", "players")
        violate(table, "ask-when", message, key)
        return
    if has_asked(table):
        if not any(violation.message == "again" for violation in table.violations):
            violate(table, "ask-when", "again", "out.ask_limit")
        return
    if rules.ask_when == "before-melds" and table.laid:
        violate(table, "ask-when", "melds", "out.ask_when")
    elif rules.ask_when == "after-stock" and not table.drew:
        violate(table, "ask-when", "stock" if table.took else "undrawn", "out.ask_when")
    table.answer = "yes" if yes else "no"
    table.ask_at = table.at
    table.asked |= 1 << table.side


def play_plain(table: Table, seat: i64, drawn: i64, discarded: i64) -> bool:
    """Play a turn that draws one card, discards one and clearly breaks no rule.

    Returns False and changes nothing if any rule might apply; the turn is then played action by
    action. A card without its suit, or an invalid one, is not plain.
    """
    rules = table.rules
    if seat != table.due or table.ended:
        return False
    # What must not be put on an empty pile is left to `discard`.
    if not rules.plain_discard[discarded] or table.pile_size == 0:
        return False
    if table.hand_sizes[seat] == 0 or table.kept_threes[seat] or table.late_open:
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
    table.turn += 1
    table.seat = seat
    table.due = rules.next_seat[seat]
    return True


def discards_plainly(table: Table, code: i64) -> bool:
    """Return whether a discard now clearly ends the turn but not the deal.

    False if any rule might apply; the discard then has to be tried.
    """
    return (
        table.rules.quiet_ends
        and is_plain(table, code)
        and table.knowledge is None
        and table.knowable
        and not table.ended
        and not table.touches
        and not table.took
        and not table.last_three
        and not table.answer
        and not table.special_cards
        and not table.violations
        and table.overdrawn < 0
        and table.hand_sizes[table.seat] > 1
        and table.counts[table.seat * CODES + code] > 0
    )


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
            take(table, table.seat, action.card, action.count, _or_none(action.onto))
        case Combine():
            combine(table, action.rank, action.onto)
        case Ask():
            ask(table, action.yes)
        case LaySpecial():
            lay_special(table, action.kind, action.cards)
        case TakePacket():
            take_packet(table, action.cards, action.replacements, action.word)
        case TakeBack():
            take_back(table, action.cards)
        case TableThrees():
            table_threes(table, action.threes, action.cards, action.bare)
        case _:
            assert_never(action)


def _or_none(place: int | None) -> int:
    return -1 if place is None else place


# --- the end ------------------------------------------------------------------------------------


def end_turn(table: Table, mark: str) -> None:
    """End the turn; `mark` is the claim "", "#" or "##".

    Violates the rules about melds, the opening and going out, `out-claim` and `discard-missing`.
    """
    table.at = LINE
    table.went_out = table.out_concealed = False
    if table.rules.packet_early:
        pick_up_missing(table)
    if table.late_waits:
        table.late_waits = False
        if not table.special_cards:
            judge_late(table)
    if table.tabled_late:
        table.tabled_late = False
        played = table.drew or table.took or table.laid or table.discarded >= 0
        if not played and table.stock_fewest == 0 and table.knowable:
            _end_at_threes(table)
            return
    if not mark and _is_quiet(table):
        table.due = table.rules.next_seat[table.seat]
        _end_at_unplayed(table)
        return
    if table.knowable and table.overdrawn >= 0:
        _judge_overdrawn(table)
    if table.took and table.knowable:
        settle_top(table)
    if not table.knowable:
        return
    table.due = table.rules.next_seat[table.seat]
    special = bool(table.special_cards)
    over = table.ended != OPEN and not special
    if special:
        table.ended, table.ended_by = SPECIAL, table.seat
    elif not over:
        _judge_turn(table, mark)
        if table.last_three and not table.went_out:
            _end_at_last_three(table)
        if not table.went_out:
            _end_at_unplayed(table)
    table.at = LINE
    if mark:
        _judge_mark(table, mark, special)
    if table.answer and not over:
        _judge_answer(table, table.went_out or special)


def _is_quiet(table: Table) -> bool:
    """Return whether no rule has anything to judge at the end of the turn, so none is asked."""
    return (
        table.rules.quiet_ends
        and not table.touches
        and not table.took
        and table.discarded >= 0
        and not table.last_three
        and not table.answer
        and not table.special_cards
        and table.overdrawn < 0
        and table.knowable
        and not table.ended
        and table.hand_sizes[table.seat] > 0
    )


def _judge_overdrawn(table: Table) -> None:
    """Judge a card that the hand cannot have held before the turn."""
    took = table.took and not table.taken.freely
    if took and not table.taken.melded and not table.taken.meld_size:
        # The card may have come from the rest of the pile, whose top was never melded.
        judge_take(table)
        mark_unknowable(table)
    else:
        table.at = table.overdrawn_at
        overdraw(table, table, table.overdrawn)


def _judge_mark(table: Table, mark: str, special: bool) -> None:
    """Judge the claim that the seat went out, `#`, or went out concealed, `##`.

    `special` says that it went out with a special hand.
    """
    if not table.went_out and not special:
        violate(table, "out-claim", "not-out", mark=mark, held=table.hand_sizes[table.seat])
    elif mark == "##" and not table.out_concealed:
        violate(table, "out-claim", "not-concealed", "score.concealed_needs", mark=mark)


def _end_at_threes(table: Table) -> None:
    """End the deal by its stock after a turn that could only table threes.

    If some seat has to take a pile that it can take, the seat stays due (`search.able` decides).
    """
    rules = table.rules
    if rules.must_take != "no" and table.pile_size:
        table.due = table.seat
    else:
        table.ended = STOCK


def _end_at_unplayed(table: Table) -> None:
    """Fill an empty stock with a packet, or end the deal if the last cards are not played."""
    rules = table.rules
    if rules.packet_to_stock and table.stock_most == 0:
        fill_stock(table)
    if rules.unplayed and table.stock_fewest == 0:
        if table.stock_most == 0:
            table.ended = STOCK
        else:
            table.due = -1


def _end_at_last_three(table: Table) -> None:
    """End the deal by its stock, unless it is not known whether the seat has gone out."""
    if table.hand_sizes[table.seat] == 0 and loose_cards(table, table.seat):
        table.due = -1
    else:
        table.ended = STOCK


def _judge_turn(table: Table, mark: str) -> None:
    side = table.side
    if table.waiting or table.rest_kept:
        enter_waiting_rest(table)
    if table.took:
        judge_take(table)
    for at in range(table.touches):
        place = table.touch_order[at]
        table.at = table.touched_at[place]
        _judge_meld(table, side, place)
    if table.discarded < 0 or table.hand_sizes[table.seat] == 0 or was_laid(table, BLACK_THREE):
        _judge_out(table, side, mark)
    if table.touches:
        if table.rules.score_concealed_canasta:
            _note_concealed_canastas(table, side)
        if not table.opened_before:
            if table.origins is not None:
                _count_by_rank(table, table.origins)
            table.at = table.touched_at[table.touch_order[table.touches - 1]]
            _judge_opening(table, side)
            table.opened_turn[side] = table.turn
        table.opened |= 1 << side
        table.melded |= 1 << table.seat


def _judge_meld(table: Table, side: i64, place: i64) -> None:
    """Judge the shape of a meld touched in this turn."""
    rules = table.rules
    size = table.meld_sizes[side * table.places + place]
    if table.took and table.taken.refused and place == table.taken.place:
        return
    if rules.dead_lays and is_reported(table, "meld-dead", place):
        return
    kind = KIND[place]
    if size > rules.caps[kind]:
        key = "meld.max_cards" if size > rules.max_cards else "meld.max_wild_cards"
        if kind >= SEQUENCE:
            key = "sequence.cards" if rules.from_ace else "meld.sequences"
        message = "together" if _was_put_together(table, place) else "cap"
        violate(table, "meld-size", message, key, cards=size, meld=place)
    if not size:  # It was put on another meld.
        return
    if size < MELD_SIZE:
        if not is_reported(table, "meld-short", place):
            message = "wild" if kind == JOKER_RANK else "sequence" if kind >= SEQUENCE else "short"
            violate(table, "meld-short", message, "", cards=size, meld=place)
        return
    if kind == JOKER_RANK or (kind == BLACK_THREE and not rules.threes_melded):
        return
    if kind >= SEQUENCE:
        _judge_sequence(table, side, place)
        return
    naturals = table.naturals[side * table.places + place]
    if naturals >= rules.min_naturals and not table.laid_wilds[place]:
        return
    unknown = unknown_melded(table, side, place)
    if naturals + unknown < rules.min_naturals:
        if not is_reported(table, "meld-naturals", place):
            key = "meld.min_naturals"
            violate(table, "meld-naturals", "few", key, naturals=naturals, meld=place)
    elif naturals < rules.min_naturals or (unknown and table.laid_wilds[place]):
        doubt(table, "meld-naturals")
    if table.laid_wilds[place]:
        _judge_wilds_in(table, side, place)


def _judge_sequence(table: Table, side: i64, place: i64) -> None:
    """Judge whether the cards of a sequence follow one another, with few enough wild cards."""
    at = side * table.places + place
    own, rules = table.sequences[at], table.rules
    if own == NOT_JUDGED:
        return
    wilds, naturals = wilds_of(table, side, place), naturals_of(table, side, place)
    if wilds > rules.sequence_wilds:
        violate(table, "meld-wilds", "many", "sequence.wilds", wilds=wilds, meld=place)
    elif wilds and naturals < rules.min_naturals:
        key = "meld.min_naturals"
        violate(table, "meld-naturals", "few", key, naturals=naturals, meld=place)
    elif not is_row(rules, own, others_of(table, at)):
        violate(table, "meld-sequence", "gap", "meld.sequences", meld=place)
    keep_two(table, place)


def too_many_wilds(table: Table, side: i64, place: i64) -> str:
    """Return the key that the wild cards of a meld with enough naturals break, or ""."""
    rules, wilds = table.rules, wilds_of(table, side, place)
    if wilds > rules.max_wilds:
        return "meld.max_wilds"
    naturals = naturals_of(table, side, place) + unknown_melded(table, side, place)
    outnumber = rules.min_naturals <= naturals < wilds + rules.wild_margin
    return "meld.wild_share" if outnumber else ""


def _was_put_together(table: Table, place: i64) -> bool:
    """Return whether the last action of the turn on a meld put another meld on it."""
    return table.touched_at[place] in table.combines


def _judge_wilds_in(table: Table, side: i64, place: i64) -> None:
    """Judge the wild cards of a meld to which this turn added some."""
    rules = table.rules
    wilds, naturals = wilds_of(table, side, place), naturals_of(table, side, place)
    key = too_many_wilds(table, side, place)
    if key and is_reported(table, "meld-wilds", place):
        key = ""
    if key == "meld.max_wilds":
        message = "together" if _was_put_together(table, place) else "many"
        violate(table, "meld-wilds", message, key, wilds=wilds, meld=place)
    elif key:
        violate(table, "meld-wilds", "outnumber", key, wilds=wilds, naturals=naturals, meld=place)
    ace = KIND[place] == ACE
    if rules.no_wilds[KIND[place]]:
        was_mixed = wilds > table.laid_wilds[place]
        if ace and table.opened_before and not was_mixed and may_mix_aces(table, side, place):
            doubt(table, "meld-wild-ban")
        elif not ace or (table.opened_before and not was_mixed):
            message = "aces" if ace else "rank"
            violate(table, "meld-wild-ban", message, "meld.no_wilds_in", meld=place)
            return
    if not rules.rule_of_five or not table.opened_before or naturals >= FIVE_NATURALS:
        return
    if is_reported(table, "meld-wild-ban", place):
        return
    if naturals + unknown_melded(table, side, place) >= FIVE_NATURALS:
        doubt(table, "meld-wild-ban")
    else:
        violate(table, "meld-wild-ban", "five", "meld.rule_of_five", naturals=naturals, meld=place)


def _judge_out(table: Table, side: i64, mark: str) -> None:
    """Decide whether the seat went out, and judge how the turn ended."""
    size, loose = table.hand_sizes[table.seat], loose_cards(table, table.seat)
    empty = size == 0 and (loose == 0 or mark != "")
    table.at = LINE
    if size == 0 and not empty and not table.packet_taken:
        doubt(table, "out-canasta")
    if empty:
        _go_out(table, side)
    elif table.discarded < 0 and not table.last_three and not _waits_with_packet(table):
        keeps = may_keep_last(table) if size == 1 else NO
        if (loose and size < 2) or table.perhaps_over or keeps == MAYBE:
            doubt(table, "discard-missing")
        elif (
            size == 1
            and keeps == NO
            and not awaits_empty_hand(table)
            and not picks_up(table)
            and lacks_canastas(table, side)
        ):
            report_canastas(table, side, "stuck")
        elif keeps == NO:
            threes = table.rules.nothing_after_threes and was_laid(table, BLACK_THREE)
            violate(table, "discard-missing", "threes" if threes else "missing", cards=size)
    if empty or not table.rules.black_threes or not was_laid(table, BLACK_THREE):
        return
    if size == 0:
        doubt(table, "meld-threes")
    else:
        table.at = table.touched_at[BLACK_THREE]
        violate(table, "meld-threes", "not-out", "meld.black_threes")


def _waits_with_packet(table: Table) -> bool:
    """Return whether the turn ended when it picked up a packet that it may not play yet."""
    return table.rules.packet_waits and table.packet_taken


def _go_out(table: Table, side: i64) -> None:
    if lacks_canastas(table, side):
        packet = table.discarded >= 0 and packet_due(table) >= 0
        report_canastas(table, side, "packet" if packet else "out")
    elif lacks_kinds(table, side) == MAYBE:
        doubt(table, "out-canasta")
    elif table.rules.finished:
        for place in unfinished_melds(table, side):
            if KIND[place] != ACE or not may_mix_aces(table, side, place):
                violate(table, "out-canasta", "unfinished", "out.finished", meld=place)
                break
            doubt(table, "out-canasta")
    if table.discarded >= 0 and not table.rules.any_last:
        _judge_last(table)
    if table.rules.discard_required and table.discarded < 0:
        message = "last-three" if table.last_three else "required"
        violate(table, "out-discard", message, "out.discard")
    table.went_out = True
    table.out_concealed = _is_concealed(table, side)
    table.ended, table.ended_by = OUT, table.seat


def _judge_last(table: Table) -> None:
    """Report a last discard of a kind with which a seat cannot go out."""
    code = table.discarded
    if code == UNKNOWN:
        doubt(table, "out-discard")
    elif table.rules.never_last[RANK[code]]:
        violate(table, "out-discard", "last", "out.last", card=code)


def _is_concealed(table: Table, side: i64) -> bool:
    """Return whether the whole hand was melded in this turn, on new melds, with a canasta.

    Sources: Wikipedia, Going out and ending a hand; Davenport Games, Going Out; Board Game Arena,
    Going Out With a Concealed Hand.
    """
    if table.melded >> table.seat & 1 or not table.touches:
        return False
    if any(meld_size(table, side, place) > _laid_in_turn(table, place) for place in touched(table)):
        return False
    if not table.rules.concealed_own:
        return count_canastas(table, side) > 0
    return any(meld_size(table, side, place) >= CANASTA_SIZE for place in touched(table))


def _laid_in_turn(table: Table, place: i64) -> i64:
    return table.laid_naturals[place] + table.laid_wilds[place]


def _judge_answer(table: Table, went_out: bool) -> None:
    """Report a seat that did not act on its partner's answer."""
    table.at = table.ask_at
    seat = table.seat
    if not went_out and table.hand_sizes[seat] == 0 and loose_cards(table, seat):
        doubt(table, "out-promised")
    elif table.answer == "yes" and not went_out:
        violate(table, "out-promised", "stayed", "penalty.ask")
    elif table.answer == "no" and went_out:
        violate(table, "out-denied", "went", "out.ask")


def _judge_opening(table: Table, side: i64) -> None:
    """Judge the side's opening: its count, and the clean triple if one is asked for."""
    if any(violation.code == "opening-low" for violation in table.violations):
        return
    splash = splashed(table)
    minimum = table.minimums[side]
    # Going out concealed after a stock draw may waive the minimum.
    waived = table.rules.waived == "out-concealed-from-stock" and table.drew and table.out_concealed
    if splash != YES and not waived:
        low = table.count_most < minimum
        if minimum == NOT_KNOWN or (table.count_least < minimum and (not low or splash == MAYBE)):
            doubt(table, "opening-low")
        elif low:
            more, turns = raised(table, side), turns_back(table, side)
            message = "deal" if table.rules.opening_by_deal else "low"
            violate(
                table, "opening-low", "raised" if more else message,
                "opening.raise" if more else "opening.table", count=table.count_most,
                minimum=minimum, total=table.totals[side], deal=table.number,
                base=minimum - more, raised=more, times=len(turns), turns=turns,
            )  # fmt: skip
    rules = table.rules
    splashes = splash if rules.wild_triple else NO
    if rules.clean_triple and splashes != YES and not has_clean_triple(table):
        if splashes == MAYBE or has_clean_triple(table, perhaps=True):
            doubt(table, "opening-form")
        else:
            message = "triple" if rules.wild_triple else "natural"
            violate(table, "opening-form", message, "opening.clean_triple")
    if not rules.mixed_opening:
        _judge_mixed_opening(table, side)


def _judge_mixed_opening(table: Table, side: i64) -> None:
    """Report canastas of natural and wild cards in the side's opening."""
    for place in touched(table):
        if meld_size(table, side, place) < CANASTA_SIZE or KIND[place] >= TWO:
            continue
        table.at = table.touched_at[place]
        if wilds_of(table, side, place):
            violate(table, "opening-form", "canasta", "opening.mixed_canasta", meld=place)
        elif unknown_melded(table, side, place):
            doubt(table, "opening-form")


def _count_by_rank(table: Table, origins: Origins) -> None:
    """Count the cards laid that came from the hand or from the pile's rest, rank by rank.

    At least as many came from the hand as the rest did not have, and, if the hand was known, no
    more than it held.
    """
    for rank in range(RANKS):
        laid = origins.perhaps[rank]
        if not laid:
            continue
        fewest = max(0, laid - max(0, origins.rest[rank]))
        most = laid if table.taken.before_free else max(fewest, min(laid, origins.own[rank]))
        points = table.rules.rank_points[rank]
        table.count_least += fewest * points
        table.count_most -= (laid - most) * points
        table.count_more.append({more * points for more in range(most - fewest + 1)})


def has_clean_triple(table: Table, *, perhaps: bool = False) -> bool:
    """Return whether a meld that is a clean triple under the rules was laid from the hand.

    The pile's top is one of its cards only if it counts for the opening. With `perhaps`, cards that
    may have come from the hand count too.
    """
    rules = table.rules
    for place in touched(table):
        cards = _laid_with_top(table, place) if rules.top_counts else table.laid_from_hand[place]
        cards += table.laid_perhaps[place] if perhaps else 0
        clean = place != BLACK_THREE and not table.laid_wilds[place]
        if KIND[place] == JOKER_RANK:
            clean = rules.wild_triple
        if clean and cards >= MELD_SIZE:
            return True
    return False


def _laid_with_top(table: Table, place: i64) -> i64:
    """Return how many of the cards laid surely came from the hand, plus 1 for the pile's top."""
    if table.took and table.taken.melded and place == table.taken.place:
        return table.laid_from_hand[place] + 1
    return table.laid_from_hand[place]


def judge_open_claim(table: Table, claimed: i64) -> None:
    """Judge the claimed count of the side's opening; violates `opening-claim`."""
    if table.opened_before or not table.touches:
        violate(table, "opening-claim", "none", claimed=claimed)
    elif not _may_count(table, claimed):
        violate(table, "opening-claim", "count", claimed=claimed, count=table.count_most)
    elif table.count_least != table.count_most:
        doubt(table, "opening-claim")


def _may_count(table: Table, points: i64) -> bool:
    """Return whether the opening can count exactly that many points."""
    # As bits, the possible counts: bit n is n steps above the fewest points.
    counts = 1
    for more in table.count_more:
        before = counts
        counts = 0
        for amount in more:
            counts |= before << amount // CARD_STEP
    over: int = points - table.count_least  # the counts can have more than 64 bits
    return over >= 0 and over % CARD_STEP == 0 and counts >> over // CARD_STEP & 1 == 1


def _note_concealed_canastas(table: Table, side: i64) -> None:
    """Mark the canastas laid whole from the hand; the pile's top card may be one of their cards.

    Source: Wikipedia's older text.
    """
    for place in touched(table):
        laid = _laid_with_top(table, place)
        if meld_size(table, side, place) > _laid_in_turn(table, place):
            continue
        if laid >= CANASTA_SIZE:
            table.concealed[side] |= 1 << place
        elif laid + table.laid_perhaps[place] >= CANASTA_SIZE:
            know(table).perhaps_concealed[side] |= 1 << place
