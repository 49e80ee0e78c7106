"""Laying cards: groups onto the side's melds, and special hands, judged as they are laid."""

from __future__ import annotations

from collections import Counter
from typing import Any

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    CODES,
    FOUR,
    JOKER,
    JOKER_RANK,
    KIND,
    KINDS,
    LABELS,
    MELD_SIZE,
    RANK,
    RANK_LETTERS,
    RANKS,
    RED_THREE,
    SEQUENCE,
    TWO,
    UNKNOWN,
    meld_place,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.hands import is_written, release_three, remove_card
from canasta_notation.engine.knowledge import deck_lacks, unknown_melded
from canasta_notation.engine.packets import judge_waiting
from canasta_notation.engine.ruleset import UNTOUCHED
from canasta_notation.engine.sequence import is_other, settle_two
from canasta_notation.engine.side import (
    add_to_sequence,
    counts_towards,
    dead_for,
    free_place,
    has_label,
    has_opened,
    meld_size,
    move_meld,
    note_meld,
    opens_late,
    put_cards,
    unfinished_wilds,
    was_laid,
    wilds_of,
)
from canasta_notation.engine.table import (
    MAYBE,
    NO,
    NOT_JUDGED,
    NOT_KNOWN,
    STOCK,
    YES,
    Origins,
    Table,
    doubt,
    is_reported,
    mark_unknowable,
    violate,
)
from canasta_notation.engine.take import (
    enter_rest,
    enter_rest_if_due,
    enter_top,
    enter_waiting_rest,
    from_hand,
    go_with,
    may_complete_special,
    meld_top,
    note_top_group,
    note_used,
    pile_holds,
    spend,
)


def lay(table: Table, place: i64, cards: vec[i64]) -> None:
    """Lay cards from the hand on the side's meld at a place.

    Three things are noted of each card that leaves the hand:

        its kind       natural, two, joker or unknown          for the meld
        its origin     the hand, the rest of the pile taken    for what must be laid from the hand:
                       in this turn, or one of the two         an opening, a concealed canasta
        its count      its points, if it was in the hand       for the opening

    Violates `not-in-hand`, `deck-count`, `opening-low` (a card of a waiting pile's rest),
    `meld-rank`, `meld-dead`, `meld-threes`, `meld-wild-only`, `meld-wild-ban`, `meld-wilds` (a wild
    card on a canasta), `meld-label`, `meld-sequence` (a rank laid twice), `out-discard`,
    `after-end`.
    """
    if table.rules.packet_waits:
        judge_waiting(table)
    elif lay_known(table, place, cards, len(cards)):
        return
    if (table.ended or table.rules.nothing_after_threes) and not may_go_on(table, "group"):
        return
    group = _Group(meld_place(place))
    if table.places > RANKS or place >= RANKS:
        if not _judge_place(table, group.meld):
            return
        if table.took:
            go_with(table, group.meld)
    for code in cards:
        if not take_from_hand(table, code):
            return
        _add_kind(group, code, table.rules.card_points[code])
        came = _add_origin(table, group, code)
        if not table.opened_before:
            _add_count(table, group, code, came)
    if table.rules.needs_card and table.took:
        note_used(table, cards)
    if KIND[place] < SEQUENCE:
        dead = table.rules.dead_lays and _judge_dead(table, place)
        _judge_label(table, place, cards, dead)
        if not (table.rules.wilds_on_canasta or dead):
            wilds = group.twos + group.jokers
            _judge_wilds_on(table, group.meld, wilds, group.unknown, put=False)
    else:
        _judge_sequence_cards(table, place, cards)
    _put_group(table, group, len(cards))
    if KIND[place] >= SEQUENCE:
        settle_two(table, group.meld)
    if table.waiting:
        _let_pile_in(table, group.meld)


class _Group:
    """A group being laid: how many of its cards are of which kind, and where they came from.

    `own` were in the hand, `perhaps` may have been. `counted` is the most that the cards count
    towards the opening.
    """

    __slots__ = ("counted", "jokers", "meld", "own", "perhaps", "points", "twos", "unknown")

    def __init__(self, meld: i64) -> None:
        self.meld: i64 = meld
        self.twos: i64 = 0
        self.jokers: i64 = 0
        self.unknown: i64 = 0
        self.points: i64 = 0
        self.own: i64 = 0
        self.perhaps: i64 = 0
        self.counted: i64 = 0


def _add_kind(group: _Group, code: i64, points: i64) -> None:
    group.points += points
    if RANK[code] == TWO:
        group.twos += 1
    elif code == JOKER:
        group.jokers += 1
    elif code == UNKNOWN:
        group.unknown += 1


def _add_origin(table: Table, group: _Group, code: i64) -> i64:
    """Note whether a card was in the hand before the take; return YES, NO or MAYBE."""
    taken = table.taken
    came: i64 = YES
    if table.traced:
        came = from_hand(table, code)
        if group.meld == (taken.place if taken.other < 0 else taken.other):
            note_top_group(table, code, came)
    if came == YES:
        group.own += 1
    elif came == MAYBE:
        group.perhaps += 1
    return came


def _add_count(table: Table, group: _Group, code: i64, came: i64) -> None:
    """Note what a card counts towards the opening, depending on whether it was in the hand."""
    counted = counts_towards(table, group.meld)
    if table.origins is not None and code != UNKNOWN and (counted or came != MAYBE):
        _note_origin(table.origins, RANK[code], came)
    if came != NO and counted:
        group.counted += _count_card(table, code, group.meld, came)


def _put_group(table: Table, group: _Group, size: i64) -> None:
    """Put the cards of a group on the meld."""
    meld, twos, jokers, unknown = group.meld, group.twos, group.jokers, group.unknown
    naturals = size - twos - jokers
    note_meld(table, meld, naturals, twos + jokers, group.own)
    table.count_most += group.counted
    table.laid_points[meld] += group.counted
    table.laid_perhaps[meld] += group.perhaps
    put_cards(table, table.side, meld, naturals - unknown, twos, jokers, unknown, group.points)
    table.laid = True


def _judge_place(table: Table, place: i64) -> bool:
    """Report a label that the rules or the table do not have; return whether play can continue."""
    if not has_label(table.rules, place):
        key = "meld.sequences" if KIND[place] >= SEQUENCE else "meld.several"
        if KIND[place] < SEQUENCE and not table.rules.sets[KIND[place]]:
            key = "meld.sets"
        violate(table, "meld-label", "never", key, text_label=LABELS[place])
        mark_unknowable(table)
        return False
    free = free_place(table, table.side, KIND[place])
    if not meld_size(table, table.side, place) and place != free:
        due = LABELS[free]
        violate(table, "meld-label", "number", "meld.several", text_label=LABELS[place], due=due)
    elif table.rules.several_complete and place == free and place >= KINDS:
        _judge_complete(table, place)
    return True


def _judge_complete(table: Table, place: i64) -> None:
    """Report a further meld of a rank while another one can still grow."""
    for other in range(KIND[place], place, KINDS):
        if meld_size(table, table.side, other) < table.rules.caps[KIND[place]]:
            label = LABELS[place]
            key = "meld.several"
            violate(table, "meld-label", "incomplete", key, text_label=label, meld=other)
            return


def _judge_wilds_on(table: Table, place: i64, wilds: i64, unknown: i64, *, put: bool) -> None:
    """Report wild cards of a group, or of a meld that is put there, that are laid on a canasta.

    The order of a group's cards is open: its wild cards can be the first up to the seventh card.
    """
    size = meld_size(table, table.side, place)
    room = max(0, CANASTA_SIZE - size)
    if KIND[place] >= TWO or wilds + unknown <= room:
        return
    # A top that has joined the meld may join it only now, or join another one.
    late = table.took and table.taken.frozen == MAYBE and place == table.taken.place
    most = room + 1 if late and size <= CANASTA_SIZE else room
    if wilds > most:
        message = "put" if put else "room" if room else "canasta"
        violate(
            table, "meld-wilds", message, "meld.wilds_on_canasta", wilds=wilds, room=room,
            meld=place, cards=size,
        )  # fmt: skip
    else:
        doubt(table, "meld-wilds")


def _judge_dead(table: Table, place: i64) -> bool:
    """Return whether a rank is dead; report it once in a turn, unless a refused take said so."""
    if is_reported(table, "meld-dead", place):
        return True
    closer = dead_for(table, table.side, place)
    if closer < 0:
        return False
    if not (table.took and table.taken.refused and place == table.taken.place):
        turn = table.closed_at[closer * table.places + place]
        violate(table, "meld-dead", "dead", "meld.dead_ranks", meld=place, side=closer, closed=turn)
    return True


def _judge_sequence_cards(table: Table, place: i64, cards: vec[i64]) -> None:
    """Report a card that does not belong in the sequence, or that is there already."""
    side, twice = table.side, False
    for code in cards:
        if table.rules.sequence_of[code] != KIND[place] and not is_other(table.rules, code):
            violate(table, "meld-rank", "suit", card=code, meld=place)
            table.sequences[side * table.places + place] = NOT_JUDGED
            return
    for code in cards:
        if not (add_to_sequence(table, side, place, code) or twice):
            violate(table, "meld-sequence", "twice", "meld.sequences", card=code, meld=place)
            twice = True


def combine(table: Table, place: i64, onto: i64) -> None:
    """Put a meld of the side on another one of its rank.

    Violates `meld-label`, `meld-wilds` (wild cards on a canasta), `out-discard`, `after-end`.
    """
    rules, side = table.rules, table.side
    if (table.ended or rules.nothing_after_threes) and not may_go_on(table, "group"):
        return
    kind = KIND[place]
    most = max(place, onto)
    stand = place != onto and most < table.places
    if stand:
        stand = meld_size(table, side, place) > 0 and meld_size(table, side, onto) > 0
    if not rules.combine or not FOUR <= kind <= ACE or not stand:
        message, key = ("stand", "meld.several") if rules.combine else ("combine", "meld.combine")
        if not FOUR <= kind <= ACE:
            message, key = "sets", "meld.combine"
        label, other = LABELS[place], LABELS[onto]
        violate(table, "meld-label", message, key, text_label=label, other=other)
        if not stand or not FOUR <= kind <= ACE:
            return
    if not rules.wilds_on_canasta:
        unknown = unknown_melded(table, side, place)
        _judge_wilds_on(table, onto, wilds_of(table, side, place), unknown, put=True)
    table.combines.append(table.at)
    move_meld(table, place, onto)
    table.laid = True
    enter_rest_if_due(table, table.seat)


def lay_known(table: Table, place: i64, cards: vec[i64], count: i64) -> bool:
    """Lay the first `count` cards from a known hand if only the meld's shape will be judged.

    Returns False and changes nothing if it may matter which cards came from a taken pile, or what
    else is laid.
    """
    seat = table.seat
    if table.ended or not table.rules.known_lays:
        return False
    if table.knowledge is not None and not is_written(table, seat):
        return False
    if (
        table.traced
        and not table.waiting
        and (not table.opened_before or place == table.taken.place)
    ):
        return False
    if place < FOUR or place > ACE or not table.rules.sets[place]:
        return False
    counts, base = table.counts, seat * CODES
    twos: i64 = 0
    jokers: i64 = 0
    removed: i64 = 0
    while removed < count:
        code = cards[removed]
        at = base + code
        held = counts[at]
        if not held:
            break
        if RANK[code] != place:
            if code == JOKER:
                jokers += 1
            elif RANK[code] == TWO:
                twos += 1
            else:
                break
        counts[at] = held - 1
        removed += 1
    if removed < count:
        for back in range(removed):
            counts[base + cards[back]] += 1
        return False
    table.hand_sizes[seat] -= count
    _put_known(table, place, count - twos - jokers, twos, jokers)
    if table.traced:
        taken = table.taken
        before = taken.before
        for laid in range(count):
            code = cards[laid]
            if before[code] > 0:
                before[code] -= 1
            else:
                spend(table, code)
        if table.waiting:
            if place == taken.place:
                taken.naturals += count - twos - jokers
                taken.wilds += twos + jokers
            _let_pile_in(table, place)
    return True


def _put_known(table: Table, place: i64, naturals: i64, twos: i64, jokers: i64) -> None:
    """Put cards of a known hand on the meld; note the meld if there is anything to judge."""
    side, points_of = table.side, table.rules.rank_points
    wilds = twos + jokers
    points = naturals * points_of[place]
    if wilds:
        points += twos * points_of[TWO] + jokers * points_of[JOKER_RANK]
    whole = not wilds and table.naturals[side * table.places + place] + naturals >= MELD_SIZE
    melded = table.melded >> table.seat & 1
    if not whole or table.took or not melded or table.touched_at[place] != UNTOUCHED:
        note_meld(table, place, naturals, wilds, naturals + wilds)
        if not table.opened_before and counts_towards(table, place):
            table.count_least += points
            table.count_most += points
            table.laid_points[place] += points
    put_cards(table, side, place, naturals, twos, jokers, 0, points)
    table.laid = True


def _let_pile_in(table: Table, place: i64) -> None:
    """Meld the top if its rank was laid; else let the rest of the pile in if it may enter."""
    if place == table.taken.place and not table.taken.melded:
        meld_top(table, table.seat)
    else:
        enter_rest_if_due(table, table.seat)


def _note_origin(origins: Origins, rank: i64, came: i64) -> None:
    """Note where a card just laid came from; the end of the turn counts those that are unclear."""
    if came == YES:
        origins.own[rank] -= 1
    elif came == NO:
        origins.rest[rank] -= 1
    else:
        origins.perhaps[rank] += 1


def _count_card(table: Table, code: i64, place: i64, came: i64) -> i64:
    """Count a card just laid towards the opening; return the most points that it can count."""
    points, points_of = table.rules.card_points[code], table.rules.rank_points
    if code != UNKNOWN and (came == YES or table.origins is not None):
        table.count_least += points if came == YES else 0
        return points
    worths = {points}
    if code == UNKNOWN:
        worths = {points_of[KIND[place]], points_of[TWO], points_of[JOKER_RANK]}
    if came == MAYBE:
        worths.add(0)
    least = min(worths)
    table.count_least += least
    table.count_more.append({worth - least for worth in worths})
    return max(worths)


def take_from_hand(table: Table, code: i64) -> bool:
    """Take a card out of the hand; if it cannot be there, report it and return False."""
    if not remove_card(table, table.seat, code) and not _from_rest(table, code):
        violate(table, "not-in-hand", "card", card=code, seat=table.seat)
        mark_unknowable(table)
        return False
    release_three(table, table.seat, code)
    known = table.knowledge
    if known is not None and known.partly >> table.seat & 1:
        if known.doubtful:
            doubt(table, "not-in-hand")
        if table.overdrawn < 0 and deck_lacks(table, code):
            table.overdrawn, table.overdrawn_at = code, table.at
    return True


def may_go_on(table: Table, what: str) -> bool:
    """Return whether the deal is still open; report an action that may not follow the last."""
    if table.ended:
        key = "draw.last_red3" if table.ended == STOCK else "special"
        violate(table, "after-end", "action", key, ended=table.ended)
        mark_unknowable(table)
        return False
    if table.rules.nothing_after_threes and was_laid(table, BLACK_THREE):
        violate(table, "out-discard", "after-threes", "out.after_black_threes", what=what)
    return True


def _judge_label(table: Table, place: i64, cards: vec[i64], dead: bool) -> None:
    """Report cards that do not match the label, and labels that these rules do not allow.

    For a `dead` rank, wild cards that may not join it are not reported too.
    """
    taken = table.taken
    rules, kind = table.rules, KIND[place]
    if kind == TWO and rules.from_ace:
        violate(table, "meld-label", "never", "sequence.from", text_label=LABELS[place])
        return
    if kind == BLACK_THREE and not (rules.black_threes or rules.threes_melded):
        violate(table, "meld-threes", "never", "meld.black_threes")
        return
    wild = False
    for code in cards:
        other = rules.set_of[RANK[code]]
        if other == kind or code == UNKNOWN:
            continue
        if other >= TWO and (kind != BLACK_THREE or rules.threes_melded):
            wild = True
        elif (
            kind == BLACK_THREE and not rules.threes_melded and (other >= TWO or other == RED_THREE)
        ):
            violate(table, "meld-threes", "cards", "meld.black_threes", card=code)
            return
        else:
            top = table.took and other == RANK[taken.top]
            violate(table, "meld-rank", "top" if top else "other", card=code, meld=place)
            taken.refused = taken.refused or top
            return
    if kind == TWO or (kind == JOKER_RANK and not rules.all_wild):
        violate(table, "meld-wild-only", "never", "meld.all_wild")
    barred = wild and rules.wild_meld_first and kind < TWO and not dead
    if barred and unfinished_wilds(table, table.side):
        violate(table, "meld-wild-ban", "unfinished", "meld.wild_meld_first", meld=place)


def _from_rest(table: Table, code: i64) -> bool:
    """Report a card of the taken pile's rest and use it; return whether the rest has the card."""
    taken = table.taken
    if not (table.waiting or table.rest_kept) or not pile_holds(table, code):
        return False
    if not table.rules.rest_usable:
        if not taken.refused:
            key = "pile.rest_usable"
            violate(table, "not-in-hand", "next-turn", key, card=code, seat=table.seat)
        enter_rest(table, table.seat, keep_top=not taken.melded)
        return remove_card(table, table.seat, code)
    if taken.meld_size and taken.frozen == MAYBE:
        # The top may have joined the meld on the table at once. The end of the turn judges that.
        meld_top(table, table.seat)
        return remove_card(table, table.seat, code)
    top = taken.place
    if table.opened_before and not taken.refused:
        violate(table, "not-in-hand", "rest", card=code, seat=table.seat, meld=top)
    elif not taken.refused:
        violate(table, "opening-low", "rest", "opening.table", card=code, meld=top)
    enter_rest(table, table.seat, keep_top=not taken.melded)
    return remove_card(table, table.seat, code)


# --- special hands --------------------------------------------------------------------------------


def special_points(special: dict[str, Any], kind: str, cards: tuple[int, ...]) -> int:
    """Return the points of the best pattern of that kind that the cards fit, or 0.

    `special` maps each kind to its patterns. A pattern has parts, each a number of cards of one of
    the ranks that it names; the cards fit if each rank among them fills one part. Unknown cards
    fill what is left. Sources: Davenport Games, Melding rules; MeggieSoft Games, Special Hands.
    """
    held = Counter(RANK_LETTERS[RANK[code]] for code in cards if code != UNKNOWN)
    fitting = []
    for pattern in special.get(kind, ()):
        parts = [(part.size, part.ranks) for part in pattern.parts for _ in range(part.times)]
        whole = sum(size for size, _ in parts) == len(cards)
        if whole and _fits(parts, list(held.items())):
            fitting.append(pattern.points)
    return max(fitting, default=0)


def _fits(parts: list[tuple[int, str]], held: list[tuple[str, int]]) -> bool:
    """Return whether each rank held can be given a part of its own that is large enough."""
    if not held:
        return True
    letter, size = held[0]
    return any(
        _fits(parts[:at] + parts[at + 1 :], held[1:])
        for at, (wanted, ranks) in enumerate(parts)
        if size <= wanted and letter in ranks and parts.index(parts[at]) == at
    )


def lay_special(table: Table, kind: str, cards: tuple[int, ...]) -> None:
    """Lay a special hand; violates `special-hand`, `meld-label`, `not-in-hand`. Ends the deal."""
    if not may_go_on(table, "group"):
        return
    message = ""
    points = special_points(table.rules.special, kind, cards)
    if table.rules.special and kind not in table.rules.special:
        kinds = (kind, *table.rules.special)
        violate(table, "meld-label", "special", "special", text_label=kind, kinds=kinds)
        mark_unknowable(table)
        return
    if not table.rules.special:
        message = "never"
    elif table.took and not may_complete_special(table):
        message = "pile"
    elif table.laid or (has_opened(table, table.side) and not opens_late(table)):
        message = "opened"
    elif not points:
        message = "pattern"
    elif UNKNOWN in cards:
        doubt(table, "special-hand")
        points = NOT_KNOWN
    if message:
        patterns = tuple(table.rules.special.get(kind, ()))
        violate(table, "special-hand", message, "special", kind=kind, patterns=patterns)
    if may_complete_special(table):
        enter_top(table)
    enter_waiting_rest(table)
    table.taken.refused = True
    for code in cards:
        if not take_from_hand(table, code):
            return
    left = table.hand_sizes[table.seat]
    if not message and left:
        violate(table, "special-hand", "rest", "special", cards=left)
    table.special_cards = cards
    table.special_points = 0 if message else points
