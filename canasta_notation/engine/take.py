"""Taking the pile: whether it may be taken, and when its rest enters the hand.

Until the top is melded and the opening minimum is reached, the rest of the pile waits: `waiting` is
True, and cards can be laid only from the hand as it was before the take. Under rules that let no
card of the rest be melded in the turn, it then waits until the discard: `rest_kept` is True.
"""

from __future__ import annotations

from canasta_notation.cards import (
    ACE,
    BARE,
    CANASTA_SIZE,
    CODES,
    EXACT,
    FIRST_OF,
    FOUR,
    JOKER_RANK,
    KIND,
    LABELS,
    MELD_SIZE,
    RANK,
    RANKS,
    SEQUENCE,
    TWO,
    UNKNOWN,
    UNKNOWN_RANK,
    is_wild,
    meld_place,
    sequence_card,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.hands import (
    count_of_rank,
    free_cards,
    hand_counts,
    hand_needs,
    is_written,
    loose_cards,
)
from canasta_notation.engine.knowledge import (
    bare_departures,
    know_hand,
    take_unwritten,
    unknown_melded,
)
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.sequence import settle_two
from canasta_notation.engine.side import (
    add_to_sequence,
    bars_wilds,
    extends_sequence,
    has_label,
    has_opened,
    meld_size,
    naturals_of,
    note_meld,
    opening_met,
    put_cards,
    table_three,
    touched,
    wilds_of,
)
from canasta_notation.engine.stock import account, agree, fits, judge_late
from canasta_notation.engine.table import (
    MAYBE,
    NO,
    NOT_JUDGED,
    YES,
    Origins,
    Table,
    doubt,
    mark_unknowable,
    pile_of,
    put_on_pile,
    top_of,
    violate,
)


def frozen_for(table: Table, side: i64) -> i64:
    """Return whether the pile is frozen against a side: YES, NO or MAYBE."""
    rules = table.rules
    if rules.always_frozen or (rules.frozen_until_opened and not has_opened(table, side)):
        return YES
    return table.frozen_by_card


def take(table: Table, seat: i64, claimed: i64, count: i64 | None, onto: i64 = -1) -> None:
    """Take the pile, whose top is restated as `claimed` and whose size may be claimed.

    `onto` is the place of the meld that the record names for the top, or -1. Violates `after-end`
    (after the last three of the stock), `pile-empty`, `pile-top`, `pile-count`, `pile-blocked`,
    `pile-one-card`, `meld-label`, `meld-rank`, `pile-unmeldable` for a dead rank, and the codes of
    a sequence that is named. How the top is melded otherwise is judged at the turn's end.
    """
    taken = table.taken
    if table.last_three:
        violate(table, "after-end", "take", "draw.last_red3")
        mark_unknowable(table)
        return
    if table.kept_threes[seat] or table.late_open:
        judge_late(table)
    if table.pile_size == 0:
        violate(table, "pile-empty", "empty")
        mark_unknowable(table)
        return
    top = _judge_top(table, claimed)
    if count is not None:
        _judge_claim(table, count)
    side = table.rules.side_of[seat]
    if table.rules.one_card_rule and table.hand_sizes[seat] == 1 and table.pile_size == 1:
        if loose_cards(table, seat) or table.pile_loose:
            doubt(table, "pile-one-card")
        else:
            violate(table, "pile-one-card", "one", "pile.one_card_rule")
    taken.top = top
    taken.melded = taken.alone = taken.freely = False
    taken.stays, taken.used = 0, NO
    taken.only = _only_card(table, seat, top)
    if not table.rules.take_opens and not table.opened_before and not taken.refused:
        key = "pile.before_opening"
        violate(table, "pile-unmeldable", "unopened", key, card=top, meld=RANK[top])
        taken.refused = True
    taken.named, taken.other = onto >= 0, -1
    taken.place = table.rules.set_of[RANK[top]] if onto < 0 else meld_place(onto)
    if onto >= 0 and not _judge_named(table, top, claimed):
        return
    taken.meld_size = meld_size(table, side, taken.place)
    table.took = table.waiting = True
    taken.at = table.at
    taken.frozen = frozen_for(table, side)
    if table.rules.takes_freely:
        _take_freely(table, seat)
        return
    if KIND[taken.place] >= SEQUENCE:
        _join_sequence(table, seat)
        return
    joins = top_joins(table)
    sure = joins and taken.frozen == NO and table.opened_before
    table.traced = not sure or table.rules.score_concealed_canasta != 0
    if table.traced:
        _remember(table, seat)
    if joins and taken.frozen != YES:
        if taken.frozen == MAYBE and table.rules.several and not taken.named:
            taken.other = taken.place
        meld_top(table, seat)


def top_waits(table: Table) -> bool:
    """Return whether the turn has taken the pile, and must still meld the top."""
    return table.took and not (table.taken.melded or table.taken.freely)


def _only_card(table: Table, seat: i64, top: i64) -> i64:
    """Return the card of a pile of one card if it may not be discarded in this turn, else -1."""
    if table.rules.taken_returns or table.pile_size != 1 or table.pile_loose:
        return -1
    return -1 if table.counts[seat * CODES + top] > 0 else top


def _take_freely(table: Table, seat: i64) -> None:
    """Move the whole pile into the hand; the rules let no card of it wait for a meld."""
    taken = table.taken
    taken.freely, table.traced = True, False
    enter_rest(table, seat)


def note_used(table: Table, cards: vec[i64]) -> None:
    """Note whether one of some cards, which are laid now, can be of the pile just taken."""
    taken = table.taken
    if not taken.freely:
        return
    for code in cards:
        for at in range(max(0, taken.rest_size)):
            if code == table.piled[at]:
                taken.used = YES
            elif taken.used == NO and fits(table, code, table.piled[at]):
                taken.used = MAYBE
    if taken.rest_size < 0 and taken.used == NO:
        taken.used = MAYBE


def unused_cards(table: Table) -> set[int]:
    """Return the cards of a pile just taken, if one of them must be melded and none was yet."""
    taken, cards = table.taken, set[int]()
    if table.took and table.rules.needs_card and taken.used == NO:
        for at in range(max(0, taken.rest_size)):
            cards.add(table.piled[at])
    return cards


def _judge_used(table: Table) -> None:
    """Judge whether a card of the pile that was taken was melded, if one must be."""
    taken = table.taken
    if not table.rules.needs_card or taken.used == YES or taken.refused:
        return
    table.at = taken.at
    if taken.used == MAYBE:
        doubt(table, "pile-unmeldable")
    else:
        violate(table, "pile-unmeldable", "card", "pile.needs", card=taken.top, meld=taken.place)


def _judge_named(table: Table, top: i64, claimed: i64) -> bool:
    """Judge the label that a take names for the top; return False if the rules do not have it.

    If the take claims a top that the pile does not have, the label may be that of either card.
    """
    taken = table.taken
    place = taken.place
    if not has_label(table.rules, place):
        key = "meld.sequences" if KIND[place] >= SEQUENCE else "meld.several"
        if KIND[place] < SEQUENCE and not table.rules.sets[KIND[place]]:
            key = "meld.sets"
        violate(table, "meld-label", "never", key, text_label=LABELS[place])
        mark_unknowable(table)
        return False
    ranks = table.rules.set_of
    if KIND[place] < SEQUENCE and KIND[place] != ranks[RANK[top]] and top != UNKNOWN:
        if KIND[place] != ranks[RANK[claimed]]:
            violate(table, "meld-rank", "other", card=top, meld=place)
        taken.refused = True
    return True


def top_joins(table: Table) -> bool:
    """Return whether the rules let the top join the meld at its place, if that meld exists."""
    taken = table.taken
    if taken.meld_size >= CANASTA_SIZE and not table.rules.onto_canasta:
        return False
    return table.rules.onto_meld and taken.meld_size > 0


def _join_sequence(table: Table, seat: i64) -> None:
    """Put the top on the sequence that the take names; that happens at once or not at all.

    If the rules say so, the rest of the pile stays.
    """
    taken = table.taken
    rules, place = table.rules, taken.place
    top = _suited(taken.top, KIND[place])
    table.traced = True
    _remember(table, seat)
    if taken.refused:
        pass
    elif _waits_for_sequence(table, top):
        return
    elif taken.frozen == YES:
        why, key = frozen_why(table)
        why = why if taken.meld_size else "unmelded"
        violate(table, "pile-frozen", why, key, card=top, pair=0, meld=RANK[top])
        taken.refused = True
    elif rules.onto_sequence and not taken.meld_size:
        key = "pile.onto_sequence"
        violate(table, "pile-unmeldable", "absent", key, card=top, meld=place, side=table.side)
        taken.refused = True
    elif rules.onto_sequence and top == UNKNOWN:
        doubt(table, "pile-unmeldable")
        table.sequences[table.side * table.places + place] = NOT_JUDGED
    elif not rules.onto_sequence or not extends_sequence(table, table.side, place, top):
        message = "sequence" if rules.onto_sequence else "sequences"
        violate(table, "pile-unmeldable", message, "pile.onto_sequence", card=top, meld=place)
        taken.refused = True
    elif taken.frozen == MAYBE:
        doubt(table, "pile-frozen")
    if not rules.from_ace:
        add_to_sequence(table, table.side, place, top)
    if takes_alone(rules, place):
        taken.alone, taken.rest_size = True, 0
        table.waiting = False
    meld_top(table, seat)


def _waits_for_sequence(table: Table, top: i64) -> bool:
    """Return whether the top waits for cards of the hand with which it is in a sequence.

    Such a sequence begins with it, or has its place only with them.
    """
    taken, rules = table.taken, table.rules
    if not (rules.from_ace and rules.onto_sequence) or taken.frozen != NO or top == UNKNOWN:
        return False
    return not extends_sequence(table, table.side, taken.place, top)


def _suited(card: i64, kind: i64) -> i64:
    """Return a card as one of a sequence's suit if it is written without its suit."""
    if EXACT[card] or not FOUR <= RANK[card] <= ACE:
        return card
    return sequence_card(kind, RANK[card])


def go_with(table: Table, place: i64) -> None:
    """Let the waiting top go with a group of its rank, whatever the number, if it is not named.

    A top that has already joined a meld goes with that group if the pile turns out to be frozen.
    """
    taken = table.taken
    if taken.freely:
        return
    if taken.named or not goes_with(table, place):
        return
    if taken.melded:
        if taken.other == taken.place:
            taken.other = -1 if place == taken.place else place
    elif place != taken.place:
        taken.place = place
        taken.meld_size = meld_size(table, table.side, place)


def goes_with(table: Table, place: i64) -> bool:
    """Return whether the top belongs in a meld of the kind of a place.

    A card of a suit belongs in a sequence only where one may begin with it, and a wild card only
    where a sequence may hold it.
    """
    rules, top = table.rules, table.taken.top
    if KIND[place] == rules.set_of[RANK[top]]:
        return True
    if not rules.from_ace or not rules.onto_sequence or table.taken.melded:
        return False
    return rules.sequence_of[top] == KIND[place] or is_wild(top)


def _judge_top(table: Table, claimed: i64) -> i64:
    """Judge whether the pile can be taken; return its top as exactly as pile or claim spells it."""
    taken = table.taken
    top = top_of(table)
    if top != claimed and not agree(top, claimed):
        violate(table, "pile-top", "other", card=claimed, card_top=top)
        if RANK[top] != RANK[claimed]:
            mark_unknowable(table)
    elif top != claimed != UNKNOWN and top in (UNKNOWN, BARE[RANK[top]]):
        doubt(table, "pile-top")
        if top == UNKNOWN and table.pile_loose and table.pile_size == 1:
            account(table, claimed)
        top = table.piled[table.pile_size - 1] = claimed
    rank = RANK[top]
    taken.refused = False
    if table.rules.blockers[rank]:
        violate(table, "pile-blocked", "top", "pile.blockers", card=top, meld=RANK[top])
        taken.refused = True
    elif top == UNKNOWN:
        # It cannot be known which meld the top joined, or when the rest entered the hand.
        doubt(table, "pile-blocked")
        mark_unknowable(table)
    if top != UNKNOWN and is_dead(table, rank):
        violate(table, "pile-unmeldable", "dead", "meld.dead_ranks", meld=rank)
        taken.refused = True
    return top


def is_dead(table: Table, place: i64) -> bool:
    """Return whether a side has a canasta of the rank, so that no pile can be taken with it."""
    return table.rules.dead_takes and any(
        meld_size(table, side, place) >= CANASTA_SIZE for side in range(len(table.rules.sides))
    )


def _judge_claim(table: Table, count: i64) -> None:
    held = table.pile_size
    if held < count <= held + table.pile_loose:
        doubt(table, "pile-count")
    elif count != held:
        violate(table, "pile-count", "count", count=count, held=held)


def _remember(table: Table, seat: i64) -> None:
    """Note what the hand held before the take."""
    taken = table.taken
    taken.naturals = taken.wilds = taken.perhaps = taken.before_open = 0
    taken.before = hand_counts(table, seat)
    if table.knowledge is not None:
        needs = hand_needs(table, seat)
        for code in range(CODES):
            rank = RANK[code]
            taken.before[code] += needs[code]
            # If a card left without its suit, it is not known which of the others are still in the
            # hand.
            if EXACT[code] and taken.before[code] > 0 and bare_departures(table, seat, rank) > 0:
                taken.before_open |= 1 << rank
    taken.before_free = free_cards(table, seat)
    taken.before_partly = not is_written(table, seat)
    taken.before_vague = False
    taken.rest_size = -1


def enter_rest_if_due(table: Table, seat: i64) -> None:
    """Move the rest of the pile into the hand if the top is melded and the opening met.

    If the rules do not let the rest be melded in this turn, it stays there until the discard.
    """
    if not (table.waiting and table.taken.melded and (table.opened_before or opening_met(table))):
        return
    if table.rules.rest_usable or not _holds_more_than_threes(table):
        enter_rest(table, seat)
    else:
        table.waiting, table.rest_kept = False, True


def _holds_more_than_threes(table: Table) -> bool:
    """Return whether the pile may hold a card that goes into the hand that takes it."""
    if table.pile_loose:
        return True
    return any(not table.rules.tabled[RANK[code]] for code in rest_of(table))


def enter_rest(table: Table, seat: i64, *, keep_top: bool = False) -> None:
    """Move the pile into the hand, and table its threes without replacements.

    A top that has been melded is no longer in the pile. With `keep_top`, an unmelded one waits.
    """
    piled, size = table.piled, table.pile_size
    if keep_top:
        size -= 1
    stays = staying(table.rules, size - 1 if table.taken.freely else size)
    if table.knowledge is not None and not (table.opened_before or keep_top or table.pile_loose):
        table.origins = _origins(table, seat)
    tabled = table.rules.tabled
    counts, base = table.counts, seat * CODES
    came: i64 = 0
    for place in range(stays, size):
        code = piled[place]
        if tabled[RANK[code]]:
            table_three(table, seat, code)
        elif EXACT[code]:
            counts[base + code] += 1
            came += 1
        else:
            take_unwritten(table, seat, code, place)
    table.hand_sizes[seat] += came
    table.taken.rest_size = -1 if keep_top or table.pile_loose or stays else size
    table.taken.stays = stays
    if stays:
        _leave_rest(table, stays)
        table.rest_kept = table.waiting = False
        return
    if table.pile_loose:
        known = know_hand(table, seat)
        known.loose[seat] += table.pile_loose
        known.loose_taken[seat] += table.pile_loose
        known.threes_more[table.rules.side_of[seat]] += table.pile_loose
    table.pile_size = table.pile_loose = 0
    if table.knowledge is not None:
        table.knowledge.up_open = -1
    if keep_top:
        put_on_pile(table, piled[size])
    table.frozen_by_card = NO
    table.waiting = keep_top
    table.rest_kept = False


def staying(rules: Rules, size: i64) -> i64:
    """Return how many cards of a pile stay if the top and those under it are taken.

    `size` is the number of cards under the top. Cards that may lie at the bottom unseen stay too.
    """
    return max(0, size - (rules.most_taken - 1))


def _leave_rest(table: Table, stays: i64) -> None:
    """Leave the lowest cards on the pile, which may still be frozen by one of them."""
    table.pile_size = stays
    table.frozen_by_card = frozen_by_lowest(table, stays)


def frozen_by_lowest(table: Table, size: i64) -> i64:
    """Return whether one of the lowest `size` cards freezes the pile: YES, NO or MAYBE."""
    frozen: i64 = NO
    for place in range(size):
        rank = RANK[table.piled[place]]
        if table.rules.freezers[rank]:
            return YES
        if rank == UNKNOWN_RANK and any(table.rules.freezers):
            frozen = MAYBE
    return frozen


def _origins(table: Table, seat: i64) -> Origins:
    """Return which cards a hand, and the rest of the pile that is about to enter it, can have."""
    origins = Origins()
    for rank in range(RANKS):
        origins.own[rank] = count_of_rank(table, seat, rank)
    for place in range(staying(table.rules, table.pile_size), table.pile_size):
        code = table.piled[place]
        for rank in range(RANKS) if code == UNKNOWN else (RANK[code],):
            origins.rest[rank] += 1
    return origins


def from_hand(table: Table, code: i64) -> i64:
    """Return whether a card just laid was in the hand before the take: YES, NO or MAYBE.

    After the rest of the pile has come in, cards that the hand held before count as laid first.
    """
    taken = table.taken
    if code == UNKNOWN:
        taken.before_vague = True
        if not (table.waiting or table.rest_kept):
            return MAYBE
    bare_held = taken.before[BARE[RANK[code]]]
    spent = spend(table, code)
    if table.waiting or table.rest_kept:
        return YES
    # Any of the cards laid may be one of the unwritten ones.
    unsure = taken.before_vague or taken.before_open >> RANK[code] & 1 != 0
    if not spent:
        if not (unsure or taken.before_free):
            return NO
        return MAYBE if may_be_of_rest(table, code) else YES
    # A card without its suit may be a different card than the one with a suit that the hand held.
    swapped = not EXACT[code] and taken.before[BARE[RANK[code]]] == bare_held
    if (unsure or swapped or taken.before_partly) and may_be_of_rest(table, code):
        return MAYBE
    return YES


def may_be_of_rest(table: Table, code: i64) -> bool:
    """Return whether the rest of the pile taken last can have had a card of that rank."""
    taken = table.taken
    if code == UNKNOWN or taken.rest_size < 0:
        return True
    for place in range(taken.rest_size):
        if RANK[table.piled[place]] in (RANK[code], UNKNOWN_RANK):
            return True
    return False


def spend(table: Table, code: i64) -> bool:
    """Remove a card, with or without its suit, from `before`; return whether it was there."""
    taken = table.taken
    before = taken.before
    bare = BARE[RANK[code]]
    first: i64 = FIRST_OF[RANK[code]] if code == bare else code
    for kind in range(first, code + 1):
        if before[kind] > 0:
            before[kind] -= 1
            for other in range(kind + 1, code + 1):
                if before[other] > 0:
                    # It may have been the other one.
                    taken.before_vague = True
            return True
    if before[bare] > 0:
        before[bare] -= 1
        return True
    return False


def note_top_group(table: Table, code: i64, from_hand: i64) -> None:
    """Count a card laid on the top's meld, by where it came from."""
    taken = table.taken
    if from_hand == MAYBE:
        taken.perhaps += 1
    elif from_hand == YES and is_wild(code):
        taken.wilds += 1
    elif from_hand == YES:
        taken.naturals += 1


def settle_top(table: Table) -> None:
    """Decide, at the end of a turn, which of two melds the top joined; see `Taken.other`.

    If it can be either, the state of the deal cannot be known.
    """
    taken = table.taken
    first, other, side = taken.place, taken.other, table.side
    if other < 0 or other == first or taken.naturals + taken.perhaps < 2:
        return
    naturals = naturals_of(table, side, other) + unknown_melded(table, side, other)
    if meld_size(table, side, other) >= MELD_SIZE and naturals >= table.rules.min_naturals:
        doubt(table, "pile-frozen")
        mark_unknowable(table)
        return
    points = table.rules.card_points[taken.top]
    put_cards(table, side, first, -1, 0, 0, 0, -points)
    put_cards(table, side, other, 1, 0, 0, 0, points)
    table.laid_naturals[first] -= 1
    table.laid_naturals[other] += 1
    taken.place, taken.meld_size = other, 0


def judge_take(table: Table) -> None:
    """Judge how the top was melded with cards from the hand.

    Violates `pile-frozen`, `pile-unmeldable`, `meld-naturals`, `meld-short`, at the take.
    """
    taken = table.taken
    if taken.freely:
        _judge_used(table)
        return
    if taken.refused:
        return
    table.at = taken.at
    if KIND[taken.place] >= SEQUENCE:
        if not taken.melded:
            key = "pile.needs"
            violate(table, "pile-unmeldable", "none", key, card=taken.top, meld=taken.place)
        return
    if bars_wilds(table, taken.place) and _judge_mixed_aces(table):
        return
    if taken.frozen == NO and top_joins(table):
        return
    frozen = taken.frozen == YES
    code = _take_fault(table, taken.naturals, taken.wilds, frozen)
    if not code:
        maybe = taken.frozen == MAYBE
        if maybe and _take_fault(table, taken.naturals, taken.wilds, True):
            doubt(table, "pile-frozen")
    elif not _take_fault(table, taken.naturals + taken.perhaps, taken.wilds, frozen):
        doubt(table, code)
    else:
        _report_take(table, code)


def naturals_owed(table: Table) -> int:
    """Return how many more naturals of the hand a melded top needs, because the pile was frozen."""
    taken = table.taken
    if not (table.took and taken.melded) or taken.refused or taken.other >= 0:
        return 0
    if KIND[taken.place] >= SEQUENCE:
        return 0
    naturals = taken.naturals + taken.perhaps
    frozen = taken.frozen == YES
    fault = _take_fault(table, naturals, taken.wilds, frozen)
    return 2 - naturals if fault == "pile-frozen" else 0


def _judge_mixed_aces(table: Table) -> bool:
    """Judge an ace taken onto aces with a wild card; return whether it was reported."""
    taken = table.taken
    side, place = table.side, taken.place
    if wilds_of(table, side, place):
        key = "pile.onto_mixed_aces"
        violate(table, "pile-unmeldable", "mixed", key, card=taken.top, meld=place)
        return True
    if unknown_melded(table, side, place):
        doubt(table, "pile-unmeldable")
    return False


def _take_fault(table: Table, naturals: i64, wilds: i64, frozen: bool) -> str:
    """Return the code of what is wrong if the top was melded with these cards, or ""."""
    rules = table.rules
    stands = table.taken.meld_size > 0 and (frozen or rules.onto_meld)
    if naturals >= 2:
        return ""
    if stands and not frozen:
        return "" if top_joins(table) else "pile-unmeldable"
    if not naturals and not wilds and not stands:
        return "pile-frozen" if frozen and not _lays_pair(table) else "pile-unmeldable"
    if not stands and 1 + naturals + wilds < MELD_SIZE:
        return "meld-short"
    if not stands and 1 + naturals < rules.min_naturals:
        return "meld-naturals"
    if frozen or not rules.with_wild:
        return "pile-frozen"
    return "" if naturals or stands else "pile-unmeldable"


def _lays_pair(table: Table) -> bool:
    """Return whether the turn lays two naturals of the top's rank, in melds that it does not join.

    The top is not melded, so they are from the hand.
    """
    rank = RANK[table.taken.top]
    return sum(table.laid_naturals[place] for place in touched(table) if KIND[place] == rank) > 1


def _report_take(table: Table, code: str) -> None:
    taken = table.taken
    naturals, wilds, place = taken.naturals, taken.wilds, taken.place
    if code == "pile-frozen":
        why, key = frozen_why(table)
        why = why if taken.melded else "unmelded"
        if table.opened_before or not taken.melded:
            _drop_rest_violations(table)
        violate(table, "pile-frozen", why, key, card=taken.top, pair=naturals, meld=place)
    elif code == "pile-unmeldable":
        message, key = ("wilds", "pile.with_wild") if wilds else ("none", "pile.onto_meld")
        if taken.meld_size and table.rules.onto_meld:
            message, key = "canasta", "pile.onto_canasta"
        if not taken.melded:
            _drop_rest_violations(table)
        violate(table, "pile-unmeldable", message, key, card=taken.top, meld=place)
    elif code == "meld-naturals":
        key = "meld.min_naturals"
        violate(table, "meld-naturals", "top", key, naturals=1 + naturals, meld=place)
    else:
        violate(table, "meld-short", "top", "", cards=1 + naturals + wilds, meld=place)


def _drop_rest_violations(table: Table) -> None:
    """Drop the violations of using the rest too early: the pile could not be taken at all."""
    table.violations[:] = [each for each in table.violations if each.message != "rest"]


def frozen_why(table: Table) -> tuple[str, str]:
    """Return the message that says why a take needed a pair, and the key of its rule."""
    rules = table.rules
    if rules.always_frozen:
        return "always", "pile.always_frozen"
    if rules.frozen_until_opened and not table.opened_before:
        return "unopened", "pile.frozen_until_opened"
    if table.taken.frozen == YES:
        return "discard", "pile.freezers"
    return "with-wild", "pile.with_wild"


def meld_top(table: Table, seat: i64) -> None:
    """Meld the top card, and count it towards the opening if the profile does."""
    taken = table.taken
    top = taken.top
    points = table.rules.card_points[top]
    rank = RANK[top]
    in_row = KIND[taken.place] >= SEQUENCE and table.rules.from_ace
    if in_row and not add_to_sequence(table, table.side, taken.place, top):
        key = "meld.sequences"
        violate(table, "meld-sequence", "twice", key, card=top, meld=taken.place)
    if not table.opened_before and table.rules.top_counts:
        table.count_least += points
        table.count_most += points
    two: i64 = int(rank == TWO)
    joker: i64 = int(rank == JOKER_RANK)
    unknown: i64 = int(top == UNKNOWN)
    natural = 1 - two - joker
    place = taken.place
    note_meld(table, place, natural, two + joker, 0)
    if table.rules.top_counts:
        table.laid_points[place] += points
    put_cards(table, table.side, place, natural - unknown, two, joker, unknown, points)
    if KIND[place] >= SEQUENCE:
        settle_two(table, place)
    taken.melded = True
    table.pile_size -= 1
    enter_rest_if_due(table, seat)


def may_complete_special(table: Table) -> bool:
    """Return whether the top of the pile that the turn took may be a card of a special hand."""
    return table.rules.special_with_pile and table.waiting and not table.taken.melded


def enter_top(table: Table) -> None:
    """Move the top of a taken pile into the hand alone; the rest of the pile stays."""
    table.pile_size -= 1
    table.taken.alone = True
    top, at = table.taken.top, table.pile_size
    if EXACT[top]:
        table.counts[table.seat * CODES + top] += 1
        table.hand_sizes[table.seat] += 1
    else:
        take_unwritten(table, table.seat, top, at)
    table.waiting = False


def takes_alone(rules: Rules, onto: int | None) -> bool:
    """Return whether a take that names a place for the top takes the top alone."""
    return rules.top_alone and onto is not None and KIND[onto] >= SEQUENCE


def cards_taken(table: Table, pile: i64) -> i64:
    """Return how many cards this turn took; `pile` is the size of the pile before."""
    return 1 if table.taken.alone and pile > 0 else pile - table.taken.stays


def enter_waiting_rest(table: Table) -> None:
    """Move a waiting pile into the hand, because the turn lays no more groups."""
    taken = table.taken
    late = table.rules.from_ace and KIND[taken.place] >= SEQUENCE
    if table.waiting and taken.meld_size and not (taken.melded or taken.refused or late):
        # The top was put on a meld on the table although the rules do not allow that.
        _drop_rest_violations(table)
        meld_top(table, table.seat)
    if table.waiting or table.rest_kept:
        enter_rest(table, table.seat)


def pile_holds(table: Table, code: i64) -> bool:
    """Return whether the rest of the pile that was taken may hold the card."""
    if table.pile_loose and table.rules.up_covered[RANK[code]]:
        return True
    return any(fits(table, code, other) for other in rest_of(table))


def rest_of(table: Table) -> list[int]:
    """Return the rest of the pile whose take is in progress, which is not in the hand yet."""
    rest = pile_of(table) if table.taken.melded else pile_of(table)[:-1]
    return rest[staying(table.rules, len(rest)) :]
