"""What a side has on the table in a deal, and what this turn adds: melds, threes, the opening."""

from __future__ import annotations

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    CODES,
    FOUR,
    JOKER_RANK,
    KIND,
    KINDS,
    MELD_SIZE,
    RANK,
    SEQUENCE,
    SEVEN,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.knowledge import know, unknown_melded
from canasta_notation.engine.ruleset import UNTOUCHED, Rules
from canasta_notation.engine.sequence import (
    fits_with,
    is_other,
    is_row,
    is_semi,
    others_of,
    with_card,
)
from canasta_notation.engine.table import (
    MAYBE,
    NO,
    NOT_JUDGED,
    NOT_KNOWN,
    YES,
    Table,
    violate,
)


def put_cards(
    table: Table,
    side: i64,
    place: i64,
    naturals: i64,
    twos: i64,
    jokers: i64,
    unknown: i64,
    points: i64,
) -> None:
    """Add cards, a number of each kind, to a side's meld, whether or not they belong there."""
    at = side * table.places + place
    table.naturals[at] += naturals
    table.meld_sizes[at] += naturals + twos + jokers + unknown
    if table.rules.packet_on_canasta and table.seat >= 0:
        size = table.meld_sizes[at]
        if size >= CANASTA_SIZE and size - naturals - twos - jokers - unknown < CANASTA_SIZE:
            table.completed |= 1 << table.seat
    if table.rules.dead_lays and table.meld_sizes[at] >= CANASTA_SIZE and not table.closed_at[at]:
        table.closed_at[at] = table.turn
    table.meld_points[at] += points
    if twos or jokers:
        table.twos[at] += twos
        table.jokers[at] += jokers
    if unknown:
        known = know(table)
        known.unknown_melded[at] += unknown
        if KIND[place] == ACE and not table.opened_before:
            known.mixed_aces |= 1 << side


def table_three(table: Table, seat: i64, code: i64) -> None:
    """Put a three on the table for the seat's side."""
    table.threes[table.rules.side_of[seat] * CODES + code] += 1


def has_opened(table: Table, side: i64) -> bool:
    """Return whether the side has opened."""
    return table.opened >> side & 1 != 0


def meld_size(table: Table, side: i64, place: i64) -> i64:
    """Return how many cards the side's meld holds."""
    return table.meld_sizes[side * table.places + place]


def naturals_of(table: Table, side: i64, place: i64) -> i64:
    """Return how many naturals the side's meld is known to hold."""
    return table.naturals[side * table.places + place]


def wilds_of(table: Table, side: i64, place: i64) -> i64:
    """Return how many wild cards the side's meld holds."""
    at = side * table.places + place
    return table.twos[at] + table.jokers[at]


def count_canastas(table: Table, side: i64) -> i64:
    """Return how many of the side's melds are canastas."""
    canastas: i64 = 0
    sizes = table.meld_sizes
    for at in range(side * table.places, (side + 1) * table.places):
        if sizes[at] >= CANASTA_SIZE:
            canastas += 1
    return canastas


def count_sequences(table: Table, side: i64) -> i64:
    """Return how many of the side's canastas are sequences, if these are a kind of their own."""
    sequences: i64 = 0
    if table.rules.sequences and table.rules.sequences_apart:
        for place in table.rules.meld_order:
            whole = table.meld_sizes[side * table.places + place] >= CANASTA_SIZE
            if whole and KIND[place] >= SEQUENCE:
                sequences += 1
    return sequences


def count_kind(table: Table, side: i64, *, mixed: bool) -> i64:
    """Return how many of the side's canastas are surely natural, or surely mixed."""
    found: i64 = 0
    apart = table.rules.out_sevens > 0
    for place in range(table.places):
        if apart and KIND[place] == SEVEN:
            continue
        if is_mixable(table.rules, place) and meld_size(table, side, place) >= CANASTA_SIZE:
            wilds = wilds_of(table, side, place) > 0
            if wilds if mixed else not (wilds or may_have_wilds(table, side, place)):
                found += 1
    return found


def is_mixable(rules: Rules, place: i64) -> bool:
    """Return whether a canasta at a place is natural or mixed, not of a kind of its own."""
    kind = KIND[place]
    if kind >= SEQUENCE:
        return rules.sequences and not rules.sequences_apart
    return rules.lowest_set <= kind <= ACE


def count_wild_canastas(table: Table, side: i64) -> i64:
    """Return how many of the side's canastas are of wild cards alone."""
    found: i64 = 0
    if not table.rules.out_wild:
        return found
    for place in range(table.places):
        if KIND[place] == JOKER_RANK and meld_size(table, side, place) >= CANASTA_SIZE:
            found += 1
    return found


def count_seven_canastas(table: Table, side: i64) -> i64:
    """Return how many of the side's canastas are of sevens, natural or mixed."""
    found: i64 = 0
    for place in range(table.places):
        if KIND[place] == SEVEN and meld_size(table, side, place) >= CANASTA_SIZE:
            found += 1
    return found


def may_have_wilds(table: Table, side: i64, place: i64) -> bool:
    """Return whether an unwritten card of a meld of 4 to A may be a wild card."""
    if KIND[place] < SEQUENCE and table.rules.no_wilds[KIND[place]] and KIND[place] != ACE:
        return False
    return unknown_melded(table, side, place) > 0


def lacks_kinds(table: Table, side: i64) -> i64:
    """Return whether too few canastas are natural, or mixed, for going out: YES, NO or MAYBE."""
    rules = table.rules
    if count_wild_canastas(table, side) < rules.out_wild:
        return YES
    if rules.out_sevens and count_seven_canastas(table, side) < rules.out_sevens:
        return YES
    if not rules.out_natural and not rules.out_mixed:
        return NO
    natural, mixed = count_kind(table, side, mixed=False), count_kind(table, side, mixed=True)
    missing = max(0, rules.out_natural - natural) + max(0, rules.out_mixed - mixed)
    unsure: i64 = 0
    for place in range(table.places):
        if rules.out_sevens and KIND[place] == SEVEN:
            continue
        if is_mixable(rules, place) and meld_size(table, side, place) >= CANASTA_SIZE:
            unsure += 1
    unsure -= natural + mixed
    if not missing:
        return NO
    return MAYBE if missing <= unsure else YES


def lacks_packet(table: Table, side: i64) -> bool:
    """Return whether going out needs a packet that the seat, or its side, has not taken."""
    if not table.rules.out_packet:
        return False
    if table.rules.packet_of_seat:
        return not (table.packets_gone | table.packets_open) >> table.seat & 1
    if table.packets_stocked and table.packets_gone == (1 << len(table.rules.packets)) - 1:
        return False  # The packet became the stock.
    return not table.packet_sides >> side & 1 and table.packets_open == 0


def lacks_canastas(table: Table, side: i64) -> bool:
    """Return whether the seat that plays may not go out for its side.

    The side has too few canastas, or too few of one kind; or a packet is needed, and was not taken.
    """
    if lacks_packet(table, side):
        return True
    if count_canastas(table, side) < table.rules.out_canastas:
        return True
    if lacks_kinds(table, side) == YES:
        return True
    due = table.rules.out_sequences
    return due > 0 and count_sequences(table, side) < due


def may_keep_last(table: Table) -> i64:
    """Return whether the turn may end without a discard, because its seat may not go out.

    That is YES, NO or MAYBE. Not checked: that the hand has one card.
    """
    rules, side = table.rules, table.side
    if not rules.last_kept:
        return NO
    if lacks_canastas(table, side) or table.answer == "no":
        return YES
    unfinished = unfinished_melds(table, side) if rules.finished else []
    if any(KIND[at] != ACE or not may_mix_aces(table, side, at) for at in unfinished):
        return YES
    return MAYBE if unfinished or lacks_kinds(table, side) == MAYBE else NO


def report_canastas(table: Table, side: i64, message: str) -> None:
    """Report that the side lacks canastas.

    `message` is "out" for an empty hand, "packet" if a packet that was not taken is due to it, or
    "stuck".
    """
    rules = table.rules
    canastas, due = count_canastas(table, side), rules.out_canastas
    if canastas >= due:
        held, due = count_sequences(table, side), rules.out_sequences
        if held < due:
            message = "stuck-sequence" if message == "stuck" else "out-sequence"
            violate(table, "out-canasta", message, "out.sequences", held=held, due=due)
            return
        message = "stuck-kind" if message == "stuck" else "out-kind"
        if lacks_kinds(table, side) != YES:
            message = "stuck-packet" if message == "stuck-kind" else "out-packet"
            facts = {"seat": table.seat, "packet": rules.packet_word}
            violate(table, "out-canasta", message, "out.packet", **facts)
            return
        held, due = count_wild_canastas(table, side), rules.out_wild
        if held < due:
            facts = {"held": held, "due": due, "kind": "wild"}
            violate(table, "out-canasta", message, "out.wild", **facts)
            return
        held, due = count_seven_canastas(table, side), rules.out_sevens
        if held < due:
            message = "stuck-sevens" if message == "stuck-kind" else "out-sevens"
            violate(table, "out-canasta", message, "out.sevens", held=held, due=due)
            return
        kind = "natural" if count_kind(table, side, mixed=False) < rules.out_natural else "mixed"
        held = count_kind(table, side, mixed=kind == "mixed")
        due = rules.out_mixed if kind == "mixed" else rules.out_natural
        violate(table, "out-canasta", message, f"out.{kind}", held=held, due=due, kind=kind)
        return
    violate(table, "out-canasta", message, "out.canastas", canastas=canastas, due=due)


def canasta_kind(rules: Rules, place: i64, size: i64, wilds: i64, own: i64 = 0) -> str:
    """Return "natural", "semi", "mixed", "wild" or "sequence" for a canasta, else "".

    `own` are the own cards of a sequence.
    """
    if size < CANASTA_SIZE:
        return ""
    kind = KIND[place]
    if kind >= SEQUENCE and rules.sequences_apart:
        return "sequence"
    if kind == JOKER_RANK:
        return "wild"
    if not wilds:
        return "natural"
    return "semi" if is_semi(rules, place, size, wilds, own) else "mixed"


def meld_kind(table: Table, side: i64, place: i64) -> str:
    """Return what kind of canasta a side's meld is; see `canasta_kind`."""
    at = side * table.places + place
    own: i64 = table.sequences[at] if KIND[place] >= SEQUENCE else 0
    wilds = table.twos[at] + table.jokers[at]
    return canasta_kind(table.rules, place, table.meld_sizes[at], wilds, max(0, own))


def meld_places(table: Table, side: i64) -> list[int]:
    """Return the places of the side's melds, in the order in which they are shown."""
    sizes, base = table.meld_sizes, side * table.places
    return [place for place in table.rules.meld_order if sizes[base + place]]


def free_place(table: Table, side: i64, kind: i64) -> i64:
    """Return the place with the lowest number at which a side may begin a meld of a kind, or -1."""
    # Melds of black threes have no number.
    numbered = table.rules.several and kind >= FOUR and free_numbers(table.rules, kind)
    for place in range(kind, table.places if numbered else kind + 1, KINDS):
        if not meld_size(table, side, place):
            return place
    return -1


def add_to_sequence(table: Table, side: i64, place: i64, code: i64) -> bool:
    """Note a card of a sequence; return False if the sequence has its rank already."""
    at = side * table.places + place
    if table.sequences[at] == NOT_JUDGED:
        return True
    if table.rules.sequence_of[code] != KIND[place] and is_other(table.rules, code):
        return True
    own = with_card(table.rules, table.sequences[at], RANK[code])
    if own < 0:
        return False
    table.sequences[at] = own
    return True


def joins_sequence(table: Table, side: i64, code: i64) -> bool:
    """Return whether a card would lengthen one of the side's sequences; see `extends_sequence`."""
    return any(extends_sequence(table, side, place, code) for place in meld_places(table, side))


def extends_sequence(table: Table, side: i64, place: i64, code: i64) -> bool:
    """Return whether a card would lengthen a sequence on the table, not yet complete, at an end.

    True for a sequence that is no longer judged.
    """
    at = side * table.places + place
    if KIND[place] < SEQUENCE or not table.meld_sizes[at]:
        return False
    if table.sequences[at] == NOT_JUDGED:
        room = table.meld_sizes[at] < table.rules.sequence_cards
        return room and table.rules.sequence_of[code] == KIND[place]
    return fits_with(table, side, place, code)


def has_label(rules: Rules, place: i64) -> bool:
    """Return whether the rules have the label of a place."""
    if place >= KINDS and not (rules.several and free_numbers(rules, KIND[place])):
        return False
    if KIND[place] >= SEQUENCE:
        return rules.sequences
    return rules.sets[KIND[place]] != 0


def free_numbers(rules: Rules, kind: i64) -> bool:
    """Return whether a side may have several melds of a kind, if it may have any several."""
    return kind >= SEQUENCE or not rules.several_sequences


def dead_for(table: Table, side: i64, place: i64) -> i64:
    """Return the side whose canasta makes a meld dead for a side, or -1.

    No card may be laid on a dead meld, and none may begin one. Melds of wild cards and sequences
    are never dead. A side's own canasta is dead for it if no other limit of its size is set.
    """
    rules, rank = table.rules, KIND[place]
    if not rules.dead_lays or not FOUR <= rank <= ACE:
        return -1
    for other in range(len(rules.sides)):
        bars = other != side or rules.caps[rank] == rules.deck_size
        if bars and meld_size(table, other, rank) >= CANASTA_SIZE:
            return other
    return -1


def unfinished_melds(table: Table, side: i64) -> list[int]:
    """Return which melds of sevens, natural aces and wild cards are smaller than a canasta."""
    return [
        place
        for kind in (SEVEN, ACE, JOKER_RANK)
        for place in range(kind, table.places, KINDS)
        if 0 < meld_size(table, side, place) < CANASTA_SIZE
        and (kind != ACE or not wilds_of(table, side, place))
    ]


def unfinished_wilds(table: Table, side: i64) -> bool:
    """Return whether the side has a meld of wild cards that is smaller than a canasta."""
    for place in range(JOKER_RANK, table.places, KINDS):
        if 0 < meld_size(table, side, place) < CANASTA_SIZE:
            return True
    return False


def may_mix_aces(table: Table, side: i64, place: i64) -> bool:
    """Return whether an unwritten card of a side's meld of aces may be a wild card."""
    known = table.knowledge
    if known is None or not known.unknown_melded[side * table.places + place]:
        return False
    if table.rules.no_wilds[ACE] and not known.mixed_aces >> side & 1:
        return False
    cards = naturals_of(table, side, place) + known.unknown_melded[side * table.places + place]
    return cards > table.rules.min_naturals


def bars_wilds(table: Table, place: i64) -> bool:
    """Return whether the turn took an ace that bars wild cards from the meld that it joins.

    An ace that waits, and is not named, goes with the next group of aces.
    """
    taken = table.taken
    if not table.took or KIND[place] != ACE or table.rules.onto_mixed_aces:
        return False
    return place == taken.place or (RANK[taken.top] == ACE and not (taken.melded or taken.named))


def opens_late(table: Table) -> bool:
    """Return whether the seat may lay a special hand although its side has opened.

    It may in its first turn after its partner has opened, if it has not melded itself.
    """
    if not table.rules.courtesy or table.melded >> table.seat & 1 or not table.opened_before:
        return False
    return table.turn - table.opened_turn[table.side] < table.rules.players


def set_threes(table: Table, side: i64, codes: list[int]) -> None:
    """Replace the threes that a side has tabled with these."""
    base = side * CODES
    for code in range(CODES):
        table.threes[base + code] = 0
    for three in codes:
        table.threes[base + three] += 1
    known = table.knowledge
    if known is not None:
        known.threes_more[side] = known.threes_less[side] = 0


def tabled_threes(table: Table, side: i64) -> list[int]:
    """Return the threes that the side has tabled, as card codes in their order."""
    threes = table.threes[side * CODES : side * CODES + CODES]
    return [code for code in range(CODES) if threes[code] for _ in range(threes[code])]


# --- in this turn -------------------------------------------------------------------------------


def was_laid(table: Table, place: i64) -> bool:
    """Return whether a meld was laid in this turn and is judged at its end."""
    return table.touched_at[place] != UNTOUCHED


def must_leave(table: Table) -> bool:
    """Return whether the turn laid threes, which only a seat that goes out may do."""
    return not table.rules.threes_melded and was_laid(table, BLACK_THREE)


def touched(table: Table) -> list[int]:
    """Return the places of the melds that are judged at the end of this turn, in the order laid."""
    return list(table.touch_order[: table.touches])


def note_meld(table: Table, place: i64, naturals: i64, wilds: i64, from_hand: i64) -> None:
    """Count cards that this turn puts on a meld."""
    if table.touched_at[place] == UNTOUCHED:
        table.touch_order[table.touches] = place
        table.touches += 1
        table.laid_naturals[place] = naturals
        table.laid_wilds[place] = wilds
        table.laid_from_hand[place] = from_hand
        table.laid_points[place] = table.laid_perhaps[place] = 0
    else:
        table.laid_naturals[place] += naturals
        table.laid_wilds[place] += wilds
        table.laid_from_hand[place] += from_hand
    table.touched_at[place] = table.at


def move_meld(table: Table, place: i64, onto: i64) -> None:
    """Put a meld of the side whose turn it is on another one, with what this turn laid of it."""
    side = table.side
    at, to = side * table.places + place, side * table.places + onto
    _move(table.meld_sizes, at, to)
    _move(table.naturals, at, to)
    _move(table.twos, at, to)
    _move(table.jokers, at, to)
    _move(table.meld_points, at, to)
    known = table.knowledge
    if known is not None:
        _move(known.unknown_melded, at, to)
    # The wild cards are judged again, in the meld that they are now in.
    wilds = table.twos[to] + table.jokers[to]
    fresh = was_laid(table, place)
    wilds -= table.laid_wilds[onto] if was_laid(table, onto) else 0
    naturals: i64 = table.laid_naturals[place] if fresh else 0
    note_meld(table, onto, naturals, wilds, table.laid_from_hand[place] if fresh else 0)
    if fresh:
        table.laid_points[onto] += table.laid_points[place]
        table.laid_perhaps[onto] += table.laid_perhaps[place]
        table.laid_naturals[place] = table.laid_wilds[place] = table.laid_from_hand[place] = 0
        table.laid_points[place] = table.laid_perhaps[place] = 0
    if table.took:
        taken = table.taken
        settled = taken.other != taken.place
        if taken.place == place:
            taken.place = onto
        if taken.other == place:
            taken.other = onto
        if settled and taken.other == taken.place:
            taken.other = -1


def _move(counts: vec[i64], at: i64, to: i64) -> None:
    counts[to] += counts[at]
    counts[at] = 0


def counts_towards(table: Table, place: i64) -> bool:
    """Return whether cards of the hand count for the opening on a meld that no taken top joins."""
    if not table.rules.others_count or not table.took:
        return True
    return place not in (table.taken.place, table.taken.other)


def opening_met(table: Table) -> bool:
    """Return whether the side has opened, or the complete melds laid so far reach its minimum."""
    side = table.side
    minimum = table.minimums[side]
    if table.opened_before or minimum == NOT_KNOWN:
        return True
    counted: i64 = 0
    for at in range(table.touches):
        place = table.touch_order[at]
        naturals = naturals_of(table, side, place) + unknown_melded(table, side, place)
        whole = KIND[place] == JOKER_RANK or naturals >= table.rules.min_naturals
        if KIND[place] >= SEQUENCE:
            own = table.sequences[side * table.places + place]
            if not is_row(table.rules, own, others_of(table, side * table.places + place)):
                continue
        if whole and meld_size(table, side, place) >= MELD_SIZE:
            counted += table.laid_points[place]
    return counted >= minimum or splashed(table) != NO


def splashed(table: Table) -> i64:
    """Return whether a natural canasta or one of wild cards was laid: YES, NO or MAYBE.

    Only for the side's first turn with melds. The pile's top card does not count. Not checked:
    whether cards of the pile's rest are in it.

    Source: MeggieSoft Games, The First Meld(s).
    """
    splash: i64 = NO
    if table.rules.waived != "splash":
        return splash
    for place in touched(table):
        naturals, wilds = table.laid_naturals[place], table.laid_wilds[place]
        if table.took and place == table.taken.place and table.taken.melded:
            naturals -= 1
        # In a meld of wild cards, an unknown card, which is counted as a natural, is wild too.
        wild_meld = KIND[place] == JOKER_RANK
        if wild_meld and naturals + wilds >= CANASTA_SIZE:
            return YES
        if not wild_meld and not wilds and naturals >= CANASTA_SIZE:
            if not unknown_melded(table, table.side, place):
                return YES
            splash = MAYBE
    return splash
