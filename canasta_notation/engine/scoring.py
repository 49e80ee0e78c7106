"""The score of a side: what each item earned, and what a figure could be.

All rules of scoring are here. `write_score` writes to `ItemSums`, which add up the points of each
item or keep every entry with what earned it. If cards are not written, a figure is a set of
possible numbers; a claim is false only if it is not in the set.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from canasta_notation.arrays import zeros
from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    CARD_STEP,
    CODES,
    EXACT,
    FIRST_OF,
    FOUR,
    FROM_ACE_TO_KING,
    JOKER_RANK,
    KIND,
    MELD_SIZE,
    RANK,
    RANKS,
    RED_THREE,
    SEQUENCE,
    SEVEN,
    TWO,
    UNKNOWN,
    UNKNOWN_RANK,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.amounts import ScoreEntry, sums_of
from canasta_notation.engine.hands import (
    count_of_rank,
    free_cards,
    is_vague,
    is_written,
    loose_cards,
    nameless_of,
)
from canasta_notation.engine.knowledge import (
    count_unseen,
    holds_red,
    is_open_hand,
    melds_open,
    threes_less,
    threes_more,
    unknown_melded,
)
from canasta_notation.engine.packets import (
    is_unplayed,
    perhaps_unplayed,
    perhaps_untouched,
    perhaps_unused,
    untouched,
    unused_packets,
)
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.sequence import is_semi, own_points
from canasta_notation.engine.side import (
    count_canastas,
    count_seven_canastas,
    has_opened,
    meld_places,
    unfinished_melds,
)
from canasta_notation.engine.table import NOT_JUDGED, NOT_KNOWN, OUT, SPECIAL, Table, copy_table
from canasta_notation.rules.items import ITEMS, SCORED

#: The places of the items in `ITEMS`.
MELDS: Final = 0
NATURAL: Final = 1
SEMI: Final = 2
MIXED: Final = 3
SEVENS: Final = 4
ACES: Final = 5
WILD: Final = 6
SEQUENCES: Final = 7
CONCEALED_CANASTA: Final = 8
RED3: Final = 9
THREES: Final = 10
WENT_OUT: Final = 11
CONCEALED: Final = 12
UNFINISHED: Final = 13
HELD: Final = 14
PACKET: Final = 15
HAND: Final = 16
SPECIAL_HAND: Final = 17
PENALTY: Final = 18
BONUS: Final = 19

#: The rule by which cards of a packet that nobody took cost points, which an entry names.
PACKET_UNUSED: Final = "packet.unused"

#: How many items there are.
ITEM_COUNT: Final[i64] = len(ITEMS)
#: The number of items that melds and canastas earn, which come first.
MELDED: Final = 8

#: The ranks whose unfinished canastas cost points, as the rule names them.
UNFINISHED_NAMES: Final = {SEVEN: "sevens", ACE: "aces", JOKER_RANK: "wild"}
#: The name of points for a meld of wild cards that has every joker of the deck.
FOUR_JOKERS: Final = "four-jokers"


class ItemSums:
    """A side's points summed by item; `known` is False once an amount is not known.

    `items` has a bit for each item that was written, even with 0 points. If `entries` is given,
    every entry is kept there instead, with its possible amounts.
    """

    __slots__ = ("entries", "items", "known", "points")

    def __init__(self, entries: list[ScoreEntry] | None = None) -> None:
        self.points: vec[i64] = zeros(ITEM_COUNT)
        self.known = True
        self.items: i64 = 0
        self.entries = entries

    def clear(self) -> None:
        """Begin again without points; faster than new sums."""
        self.points = zeros(ITEM_COUNT)
        self.known = True
        self.items = 0

    def written(self) -> list[int]:
        """Return the items that were written, even with 0 points, in order."""
        return [item for item in range(ITEM_COUNT) if self.items >> item & 1]

    def total(self) -> i64:
        """Return the sum of every item."""
        total: i64 = 0
        for points in self.points:
            total += points
        return total

    def add(
        self, item: i64, points: i64, key: str, place: i64 = -1, seat: i64 = -1, count: i64 = 0
    ) -> None:
        """Write points for an item, with the key of their rule, and the meld or seat."""
        if self.entries is None:
            self.points[item] += points
            self.items |= 1 << item
        else:
            self.unsure(item, {points}, key, place, seat, count)

    def unsure(
        self,
        item: i64,
        possible: set[int] | None,
        key: str,
        place: i64 = -1,
        seat: i64 = -1,
        count: i64 = 0,
    ) -> None:
        """Write the possible amounts of an item that unwritten cards decide, None for any."""
        if self.entries is None:
            self.known = False
        else:
            self.entries.append(ScoreEntry(ITEMS[item], possible, key, place, seat, count))


@lru_cache
def items_of(rules: Rules) -> frozenset[str]:
    """Return the items that a score under the rules can have.

    `cards` is among them, because a score sheet may write it in place of `melds` and `hand`. No
    entry has it.
    """
    worth = {
        "sevens": rules.score_sevens,
        "aces": rules.score_aces,
        "wild": len(rules.score_wild),
        "semi": rules.has_semi,
        "sequence": rules.sequences and rules.score_sequence,
        "concealed-canasta": rules.score_concealed_canasta,
        "red3": not (rules.black_tabled or rules.threes_held),
        "threes": rules.black_tabled,
        "concealed": rules.score_concealed,
        "unfinished": len(rules.score_unfinished),
        "held": rules.score_held,
        "packet": rules.packet_points,
        "special": len(rules.special),
    }
    return frozenset(item for item in SCORED if worth.get(item, True))


def threes_item(rules: Rules) -> str:
    """Return the item that counts tabled threes, "" under rules that table none."""
    if rules.threes_held:
        return ""
    return ITEMS[THREES if rules.black_tabled else RED3]


def winner_of(rules: Rules, totals: list[int], played: i64) -> i64:
    """Return the side that has won with these totals, or -1; `played` deals count so far.

    It has more points than any other side, and has reached the target, or all deals are played.
    """
    winner: i64 = -1
    best: i64 = min(totals) - 1 if played >= rules.game_deals else rules.target - 1
    for side in range(len(totals)):
        total: i64 = totals[side]
        if total > best:
            winner, best = side, total
        elif total == best:
            winner = -1
    return winner


def score_side(table: Table, at: i64) -> list[ScoreEntry]:
    """Return the entries of a side's score for the deal so far; points are signed.

    Not checked: that the deal has ended; the caller decides what an open deal is worth.
    """
    entries: list[ScoreEntry] = []
    write_score(table, at, ItemSums(entries))
    return entries


def item_points(table: Table, at: i64) -> dict[str, int]:
    """Return a side's points by item, in the order in which items are shown, without zeros.

    Not checked: that every card is known.
    """
    sums = ItemSums()
    write_score(table, at, sums)
    return {ITEMS[item]: sums.points[item] for item in range(ITEM_COUNT) if sums.points[item]}


def score_by(rules: Rules, table: Table, at: i64) -> list[ScoreEntry]:
    """Return the entries that a side's score would have by other rules, for the same cards.

    Not checked: that the rules differ only in points.
    """
    other = copy_table(table)
    other.rules = rules
    if list(rules.rank_points) != list(table.rules.rank_points):
        _count_melds_again(other, at)
    return score_side(other, at)


def _count_melds_again(table: Table, side: i64) -> None:
    """Count the points of a side's melds by the table's rules, as far as their cards are known.

    Not checked: that the cards of each meld belong there.
    """
    points_of = table.rules.rank_points
    for place in meld_places(table, side):
        at, kind = side * table.places + place, KIND[place]
        points = table.twos[at] * points_of[TWO] + table.jokers[at] * points_of[JOKER_RANK]
        if kind >= SEQUENCE:
            ranks = table.sequences[at]
            if ranks == NOT_JUDGED:
                continue
            points += own_points(table.rules, ranks)
        else:
            points += table.naturals[at] * points_of[kind]
        table.meld_points[at] = points


def write_score(table: Table, at: i64, sums: ItemSums) -> None:
    """Write a side's score for the deal so far to sums; see `score_side`."""
    if table.ended == SPECIAL and table.rules.side_of[table.ended_by] == at:
        if table.special_points == NOT_KNOWN:
            sums.unsure(SPECIAL_HAND, special_amounts(table.rules), "special", -1, table.ended_by)
        else:
            sums.add(SPECIAL_HAND, table.special_points, "special", -1, table.ended_by)
    else:
        canastas = count_canastas(table, at)
        _write_melds(table, at, canastas, sums)
        _write_threes(table, at, canastas, sums)
        _write_out(table, at, sums)
        _write_unfinished(table, at, sums)
        if table.rules.packet_points:
            _write_unused(table, at, sums)
        _write_hands(table, at, sums)
        if table.knowledge is not None:
            _write_unseen(table, at, sums)
    if table.penalties[at]:
        sums.add(PENALTY, -table.penalties[at], "")
    if table.bonuses[at]:
        sums.add(BONUS, table.bonuses[at], "")


def special_amounts(rules: Rules) -> set[int]:
    """Return what special hands can count."""
    return {pattern.points for kind in rules.special.values() for pattern in kind}


def _write_melds(table: Table, side: i64, canastas: i64, sums: ItemSums) -> None:
    rules = table.rules
    minus = rules.melds_minus == "no-canasta" and canastas == 0
    key = "score.melds_minus" if minus else ""
    sizes, base = table.meld_sizes, side * table.places
    for place in rules.meld_order:
        at = base + place
        size = sizes[at]
        if not size:
            continue
        unknown = unknown_melded(table, side, place)
        if unknown:
            _write_unsure_meld(table, side, place, -1 if minus else 1, key, sums)
        else:
            points = table.meld_points[at]
            sums.add(MELDS, -points if minus else points, key, place, -1, size)
        if size >= CANASTA_SIZE:
            if not unknown:
                jokers = table.jokers[at]
                own = table.sequences[at] if KIND[place] >= SEQUENCE else 0
                wilds = table.twos[at] + jokers
                item, bonus, on = canasta_bonus(rules, place, wilds, jokers, size, own)
                sums.add(item, bonus, on, place, -1, size)
            if rules.score_concealed_canasta:
                _write_concealed(table, side, place, sums)


def canasta_bonus(
    rules: Rules, place: i64, wilds: i64, jokers: i64, size: i64 = CANASTA_SIZE, own: i64 = 0
) -> tuple[i64, i64, str]:
    """Return the item, the points and the key of a canasta's bonus.

    `wilds` is how many wild cards it has at the end, `jokers` how many of them are jokers, `size`
    how many cards; `own` are the own cards of a sequence. Source for the canasta of wild cards:
    Davenport Games, Melding rules.
    """
    kind = KIND[place]
    if kind >= SEQUENCE and rules.sequences_apart:
        return SEQUENCES, rules.score_sequence, "score.sequence"
    if kind == JOKER_RANK:
        name = "all-twos"
        if jokers:
            name = FOUR_JOKERS if jokers == rules.jokers else "else"
        return WILD, rules.score_wild.get(name, 0), "score.wild"
    if kind == SEVEN and rules.score_sevens:
        return SEVENS, rules.score_sevens, "score.sevens"
    if wilds and is_semi(rules, place, size, wilds, own):
        return SEMI, rules.score_semi, "score.semi"
    if wilds:
        return MIXED, rules.score_mixed, "score.mixed"
    if kind >= SEQUENCE and size > FROM_ACE_TO_KING and rules.score_ace:
        return NATURAL, rules.score_ace, "score.ace"
    if kind >= SEQUENCE and size == FROM_ACE_TO_KING and rules.score_king:
        return NATURAL, rules.score_king, "score.king"
    if kind == ACE and rules.score_aces:
        return ACES, rules.score_aces, "score.aces"
    return NATURAL, rules.score_natural, "score.natural"


def _write_unsure_meld(
    table: Table, side: i64, place: i64, sign: i64, key: str, sums: ItemSums
) -> None:
    """Write what the points and the bonus of a meld with unwritten cards can be."""
    size = table.meld_sizes[side * table.places + place]
    ways = {way for _, way in _ways(table, side, place)}
    sums.unsure(MELDS, {sign * way[MELDS] for way in ways}, key, place, -1, size)
    if size < CANASTA_SIZE:
        return
    for item in range(NATURAL, MELDED):
        amounts = {way[item] for way in ways}
        if amounts != {0}:
            sums.unsure(item, amounts, SCORED[ITEMS[item]].key, place, -1, size)


def _ways(table: Table, side: i64, place: i64) -> set[tuple[int, tuple[int, ...]]]:
    """Return what a meld can earn: the possible combinations of amounts, one for each item.

    Each card that is not written is a natural of the rank or a wild card. With each combination
    comes how many of these cards are naturals.
    """
    rules, at, kind = table.rules, side * table.places + place, KIND[place]
    points_of = rules.rank_points
    unknown = unknown_melded(table, side, place)
    naturals = min(unknown, _naturals_unseen(table, kind))
    ways: set[tuple[int, tuple[int, ...]]] = set()
    for wilds in range(unknown if kind == JOKER_RANK else unknown - naturals, unknown + 1):
        for jokers in range(min(wilds, rules.jokers - table.jokers[at]) + 1):
            points = table.meld_points[at]
            if wilds < unknown:
                points += (unknown - wilds) * points_of[kind]
            points += (wilds - jokers) * points_of[TWO] + jokers * points_of[JOKER_RANK]
            way = [points, *[0] * (MELDED - 1)]
            if table.meld_sizes[at] >= CANASTA_SIZE:
                all_wilds = wilds + table.twos[at] + table.jokers[at]
                size = table.meld_sizes[at]
                item, bonus, _ = canasta_bonus(
                    rules, place, all_wilds, jokers + table.jokers[at], size
                )
                way[item] = bonus
            ways.add((unknown - wilds, tuple(way)))
    return ways


def _naturals_unseen(table: Table, kind: i64) -> i64:
    """Return how many unwritten cards of melds can be naturals of a rank."""
    # A card that left a hand unseen may be one that the deck has accounted for in that hand.
    if any(nameless_of(table, seat) for seat in range(table.rules.players)):
        return table.rules.deck_size
    return max(0, count_unseen(table, kind)) if kind < SEQUENCE else 0


def melded_ways(table: Table, at: i64) -> set[tuple[int, ...]]:
    """Return what a side's melds can earn together: the combinations of amounts of `_ways`."""
    rules = table.rules
    ways: set[tuple[int, ...]] = {tuple([0] * MELDED)}
    if table.ended == SPECIAL and rules.side_of[table.ended_by] == at:
        return ways
    minus = rules.melds_minus == "no-canasta" and count_canastas(table, at) == 0
    places = meld_places(table, at)
    for kind in dict.fromkeys([KIND[place] for place in places]):
        # The melds of a rank share the naturals that are unseen.
        unseen = _naturals_unseen(table, kind)
        of_kind = {(0, way) for way in ways}
        for place in places:
            if KIND[place] == kind:
                of_kind = {
                    (naturals + more, tuple([a + b for a, b in zip(way, earned, strict=True)]))
                    for more, earned in _ways(table, at, place)
                    for naturals, way in of_kind
                    if naturals + more <= unseen
                }
        ways = {way for _, way in of_kind}
    return {(-way[MELDS], *way[1:]) for way in ways} if minus else ways


def _write_concealed(table: Table, side: i64, place: i64, sums: ItemSums) -> None:
    bonus = table.rules.score_concealed_canasta
    known = table.knowledge
    if table.concealed[side] >> place & 1:
        sums.add(CONCEALED_CANASTA, bonus, "score.concealed_canasta", place)
    elif known is not None and known.perhaps_concealed[side] >> place & 1:
        sums.unsure(CONCEALED_CANASTA, {0, bonus}, "score.concealed_canasta", place)


def _write_threes(table: Table, side: i64, canastas: i64, sums: ItemSums) -> None:
    """Write the bonus of tabled threes. The profile decides whether it is added or subtracted."""
    rules = table.rules
    red, held = _count_threes(table, side)
    more = threes_more(table, side)
    if held == 0 and not more:
        return
    item = THREES if rules.black_tabled else RED3
    sevens = rules.red3_minus == "no-sevens" and count_seven_canastas(table, side) > 0
    sign = _threes_sign(rules.red3_minus, has_opened(table, side), canastas, sevens)
    key = "score.red3" if sign > 0 else "score.red3_minus"
    open_melds = melds_open(table, side)
    if not (more or threes_less(table, side) or open_melds):
        points = _schedule(rules.score_red3, red)
        if rules.black_tabled:
            points += _schedule(rules.score_red3, held - red)
        sums.add(item, sign * points, key, -1, -1, held)
        return
    amounts = _amounts(table, side, RED_THREE, red)
    if rules.black_tabled:
        black = _amounts(table, side, BLACK_THREE, held - red)
        amounts = {one + other for one in amounts for other in black}
    either = {False, True}
    signs = threes_signs(rules, either, range(rules.places), either) if open_melds else {sign}
    sums.unsure(item, {sign * points for points in amounts for sign in signs}, key, -1, -1, held)


def _amounts(table: Table, side: i64, rank: i64, held: i64) -> set[int]:
    """Return what a side's tabled threes of a colour can count; `held` of them are known."""
    fewest = max(0, held - threes_less(table, side))
    most = held + max(0, min(threes_more(table, side), count_unseen(table, rank)))
    return {_schedule(table.rules.score_red3, count) for count in range(fewest, most + 1)}


def _count_threes(table: Table, side: i64) -> tuple[i64, i64]:
    """Return how many red threes, and how many threes, a side has on the table."""
    base = side * CODES
    red: i64 = 0
    held = table.threes[base + UNKNOWN]
    for code in range(FIRST_OF[FOUR]):
        count = table.threes[base + code]
        held += count
        if RANK[code] == RED_THREE:
            red += count
    return red, held


def _schedule(points: tuple[int, ...], count: i64) -> i64:
    return points[min(count, len(points)) - 1] if count else 0


def _threes_sign(policy: str, opened: bool, canastas: i64, sevens: bool) -> i64:
    """Return 1, 0 or -1: whether tabled threes count for the side, not at all, or against it."""
    if policy == "no-sevens":
        return 1 if sevens else -1
    if policy == "unmelded":
        return 1 if opened else -1
    if policy == "no-canasta":
        return 1 if canastas else -1
    if policy == "two-canastas":
        return 1 if canastas > 1 else -1
    if policy == "by-canastas":
        return min(canastas, 2) - 1
    return 1


def threes_signs(
    rules: Rules, opened: Collection[bool], canastas: Collection[int], sevens: Collection[bool]
) -> set[int]:
    """Return how tabled threes can count: 1 for the side, 0 not at all, -1 against it.

    `opened`, `canastas` and `sevens` say whether the side can have opened, how many canastas it can
    have, and whether one of them can be of sevens.
    """
    policy = rules.red3_minus
    return {
        _threes_sign(policy, each, count, has)
        for each in opened
        for count in canastas
        for has in sevens
        if count or not has
    }


def _write_out(table: Table, at: i64, sums: ItemSums) -> None:
    rules = table.rules
    if table.ended != OUT or rules.side_of[table.ended_by] != at:
        return
    seat = table.ended_by
    sums.add(WENT_OUT, rules.score_out, "score.out", -1, seat)
    if table.out_unseen and rules.score_concealed:
        sums.unsure(CONCEALED, {0, rules.score_concealed}, "score.concealed", -1, seat)
    elif table.out_concealed and rules.score_concealed:
        sums.add(CONCEALED, rules.score_concealed, "score.concealed", -1, seat)


def _write_unfinished(table: Table, side: i64, sums: ItemSums) -> None:
    rules = table.rules
    if not rules.score_unfinished:
        return
    for place in unfinished_melds(table, side):
        kind, jokers = KIND[place], table.jokers[side * table.places + place]
        unknown = unknown_melded(table, side, place)
        amounts = {unfinished_points(rules, kind, jokers)}
        if unknown and kind == ACE:
            amounts.add(0)
        elif unknown and kind == JOKER_RANK:
            amounts.add(unfinished_points(rules, kind, min(jokers + unknown, rules.jokers)))
        if len(amounts) > 1:
            sums.unsure(UNFINISHED, amounts, "score.unfinished", place)
        elif amounts != {0}:
            sums.add(UNFINISHED, amounts.pop(), "score.unfinished", place)


def unfinished_points(rules: Rules, kind: i64, jokers: i64) -> i64:
    """Return what an unfinished meld with that many jokers counts, which is not positive.

    `kind` is one of `UNFINISHED_NAMES`. Source for four jokers: pagat.com, Modern American.
    """
    points = rules.score_unfinished
    if kind == JOKER_RANK and jokers == rules.jokers and FOUR_JOKERS in points:
        return points[FOUR_JOKERS]
    return points.get(UNFINISHED_NAMES[kind], 0)


def _write_unused(table: Table, side: i64, sums: ItemSums) -> None:
    """Write what a side's packets cost that nobody took, under rules that give them points."""
    points, owners = table.rules.packet_points, unused_packets(table, side)
    perhaps = perhaps_unused(table, side)
    for owner in owners:
        sums.add(PACKET, points, PACKET_UNUSED, -1, owner)
    if perhaps:
        amounts = {points * number for number in range(perhaps + 1)}
        sums.unsure(PACKET, amounts, PACKET_UNUSED, -1, -1)


def _write_hands(table: Table, at: i64, sums: ItemSums) -> None:
    """Write what the cards left in the side's hands cost, and the cost of held sevens and aces."""
    rules = table.rules
    unwritten: i64 = 0
    packets = _write_packets(table, at, sums)
    for seat in range(rules.players):
        size = table.hand_sizes[seat]
        if rules.side_of[seat] != at or not (size or loose_cards(table, seat)):
            continue
        if is_unplayed(table, seat):
            continue
        if rules.score_held:
            _write_held(table, seat, sums)
        if perhaps_unplayed(table, seat):
            costs = {0, hand_points(table, seat)} if is_written(table, seat) else None
            sums.unsure(HAND, costs, "", -1, seat, size)
        elif is_written(table, seat):
            sums.add(HAND, hand_points(table, seat), "", -1, seat, size)
        else:
            unwritten |= 1 << seat
    perhaps = perhaps_untouched(table, at)
    if unwritten or packets or perhaps:
        seats = [seat for seat in range(rules.players) if unwritten >> seat & 1]
        size = sum(table.hand_sizes[seat] for seat in seats) + sum(map(len, packets))
        seat = seats[0] if len(seats) == 1 and not (packets or perhaps) else -1
        amounts = _hand_amounts(table, seats, packets)
        for cards in perhaps:
            amounts = _with_packet(table, amounts, cards)
        sums.unsure(HAND, amounts, "", -1, seat, size)


def _write_packets(table: Table, at: i64, sums: ItemSums) -> list[list[int]]:
    """Write what a side's packets that nobody took cost; return those with unwritten cards."""
    unwritten: list[list[int]] = []
    rules = table.rules
    if not rules.packet_costs_cards:
        return unwritten
    for seat, packet in untouched(table):
        if seat < 0 or rules.side_of[seat] != at:
            continue
        if all(EXACT[code] for code in packet):
            cost = sum(_held_cost(table, code) for code in packet)
            sums.add(HAND, -cost, PACKET_UNUSED, -1, seat, len(packet))
        else:
            unwritten.append(packet)
    return unwritten


def _with_packet(table: Table, amounts: set[int] | None, cards: i64) -> set[int] | None:
    """Return what hands can cost with a packet of unseen cards that was perhaps not taken."""
    if amounts is None:
        return None
    costs = sums_of(table.rules, tuple(_unseen(table)), cards, -_black_three(table))
    return amounts | {amount - cost for amount in amounts for cost in costs}


def _held_cost(table: Table, code: i64) -> i64:
    """Return what a card left over costs."""
    rules, rank = table.rules, RANK[code]
    if rank == RED_THREE:
        return -rules.red3_held
    return -_black_three(table) if rank == BLACK_THREE else rules.rank_points[rank]


def _write_held(table: Table, seat: i64, sums: ItemSums) -> None:
    points = table.rules.score_held
    for rank in (SEVEN, ACE):
        held = count_of_rank(table, seat, rank)
        if held - nameless_of(table, seat) >= MELD_SIZE:
            sums.add(HELD, points, "score.held", rank, seat)
        elif held + free_cards(table, seat) >= MELD_SIZE:
            sums.unsure(HELD, {0, points}, "score.held", rank, seat)


def _write_unseen(table: Table, side: i64, sums: ItemSums) -> None:
    """Write what a side can earn with melds and hands that no line of a final table shows."""
    rules = table.rules
    if melds_open(table, side):
        items = items_of(rules)
        for item in (*range(MELDED), CONCEALED_CANASTA, UNFINISHED):
            if ITEMS[item] in items:
                sums.unsure(item, None, "")
    seats = [seat for seat in range(rules.players) if rules.side_of[seat] == side]
    hands = sum(is_open_hand(table, seat) for seat in seats)
    if not hands:
        return
    unseen = _unseen(table)
    most = -rules.red3_held * unseen[RED_THREE] - _black_three(table) * unseen[BLACK_THREE]
    most += sum(rules.rank_points[rank] * unseen[rank] for rank in range(FOUR, UNKNOWN_RANK))
    sums.unsure(HAND, {-cost for cost in range(0, most + 1, CARD_STEP)}, "")
    if rules.score_held:
        kinds = hands * len((SEVEN, ACE))
        sums.unsure(HELD, {rules.score_held * held for held in range(kinds + 1)}, "score.held")


def _unseen(table: Table) -> list[int]:
    """Return how many cards of each rank are not accounted for."""
    return [max(0, count_unseen(table, rank)) for rank in range(UNKNOWN_RANK)]


def hand_points(table: Table, seat: i64) -> i64:
    """Return the points of the cards that the hand is known to hold; they are negative."""
    worth = table.rules.red3_held + table.rules.rank_points[RED_THREE]
    points = worth * count_of_rank(table, seat, RED_THREE)
    counts, base, points_of = table.counts, seat * CODES, table.rules.card_points
    for at in range(base, base + CODES):
        if counts[at]:
            points -= counts[at] * points_of[at - base]
    known = table.knowledge
    if known is not None:
        for rank in range(UNKNOWN_RANK):
            points -= known.need_rank[seat * RANKS + rank] * table.rules.rank_points[rank]
    threes = count_of_rank(table, seat, BLACK_THREE)
    if threes:
        points += threes * (_black_three(table) + table.rules.rank_points[BLACK_THREE])
    return points


def _black_three(table: Table) -> i64:
    """Return what a black three left in a hand counts, which may be more if a seat went out."""
    if table.ended == OUT:
        return table.rules.black3_held
    return -table.rules.rank_points[BLACK_THREE]


def _hand_amounts(table: Table, seats: list[int], packets: list[list[int]]) -> set[int] | None:
    """Return what the cards of a side's partly known hands and packets can cost together.

    If an unknown card left a hand, the hand may still have any of its known cards.
    """
    if any(loose_cards(table, seat) or is_vague(table, seat) for seat in seats):
        return None
    known = cards = 0
    pool = _unseen(table)
    # A red three lies in a packet although no hand may keep one.
    if not (packets or holds_red(table)):
        pool[RED_THREE] = 0
    for packet in packets:
        named = [code for code in packet if code != UNKNOWN]
        known -= sum(_held_cost(table, code) for code in named)
        cards += len(packet) - len(named)
    for seat in seats:
        if not nameless_of(table, seat):
            known += hand_points(table, seat)
            cards += free_cards(table, seat)
            continue
        cards += table.hand_sizes[seat]
        for rank in range(UNKNOWN_RANK):
            pool[rank] += max(0, count_of_rank(table, seat, rank))
    return {
        known - points for points in sums_of(table.rules, tuple(pool), cards, -_black_three(table))
    } or None
