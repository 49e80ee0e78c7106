"""The score of a side: what each item earned, and what a figure could be.

The rules of scoring stand once, in `write_score`, which writes them to a sheet: one that sums by
item, or one that keeps every entry with what earned it. Where cards are not written a figure is
not one number but a set of possible ones; a claim is false only where the set does not hold it.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.arrays import array, dot
from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    JOKER_RANK,
    MELD_SIZE,
    POINTS,
    RANK,
    RANK_POINTS,
    RED_THREE,
    SEVEN,
    TWO,
    UNKNOWN_RANK,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.amounts import ScoreEntry, sums_of
from canasta_notation.engine.hand import Hand
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.side import NOT_KNOWN, Side
from canasta_notation.engine.table import OUT, SPECIAL, Table

#: The items of a score in the order in which they are shown.
ITEMS: Final = (
    "melds", "natural", "mixed", "sevens", "aces", "wild", "concealed-canasta", "red3", "threes",
    "out", "concealed", "unfinished", "held", "hand", "special", "penalty",
)  # fmt: skip
MELDS: Final = 0
NATURAL: Final = 1
MIXED: Final = 2
SEVENS: Final = 3
ACES: Final = 4
WILD: Final = 5
CONCEALED_CANASTA: Final = 6
RED3: Final = 7
THREES: Final = 8
WENT_OUT: Final = 9
CONCEALED: Final = 10
UNFINISHED: Final = 11
HELD: Final = 12
HAND: Final = 13
SPECIAL_HAND: Final = 14
PENALTY: Final = 15

#: How many of the items, the first ones, melds and canastas earn.
MELDED: Final = 6

#: No points for any item: what a sheet begins with.
NO_ITEMS: Final[vec[i64]] = array([0] * len(ITEMS))


class Sheet:
    """A side's points summed by item; `known` is False once an amount could not be told."""

    __slots__ = ("known", "points")

    def __init__(self) -> None:
        self.points: vec[i64] = NO_ITEMS[:]
        self.known = True

    def total(self) -> i64:
        """Return the sum of every item."""
        total: i64 = 0
        for points in self.points:
            total += points
        return total

    def add(
        self, item: i64, points: i64, key: str, rank: i64 = -1, seat: i64 = -1, count: i64 = 0
    ) -> None:
        """Write down points for an item: which key they rest on, and the meld or seat."""
        self.points[item] += points

    def unsure(
        self,
        item: i64,
        possible: set[int] | None,
        key: str,
        rank: i64 = -1,
        seat: i64 = -1,
        count: i64 = 0,
    ) -> None:
        """Write down an amount that unwritten cards decide: its possible values, None for any."""
        self.known = False


class EntrySheet(Sheet):
    """A sheet that keeps every entry."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[ScoreEntry] = []

    def add(
        self, item: i64, points: i64, key: str, rank: i64 = -1, seat: i64 = -1, count: i64 = 0
    ) -> None:
        """Keep the entry."""
        self.unsure(item, {points}, key, rank, seat, count)

    def unsure(
        self,
        item: i64,
        possible: set[int] | None,
        key: str,
        rank: i64 = -1,
        seat: i64 = -1,
        count: i64 = 0,
    ) -> None:
        """Keep the entry with its possible amounts."""
        self.entries.append(ScoreEntry(ITEMS[item], possible, key, rank, seat, count))


def score_side(table: Table, at: i64) -> list[ScoreEntry]:
    """Return the entries of a side's score for the deal as it stands; points are signed.

    Not checked: that the deal has ended; the caller decides what an open deal is worth.
    """
    sheet = EntrySheet()
    write_score(table, at, sheet)
    return sheet.entries


def write_score(table: Table, at: i64, sheet: Sheet) -> None:
    """Write a side's score for the deal as it stands to a sheet; see `score_side`."""
    side = table.sides[at]
    if table.ended == SPECIAL and table.rules.side_of[table.ended_by] == at:
        _write_special(table, sheet)
    else:
        canastas = side.canastas()
        _write_melds(table, side, canastas, sheet)
        _write_threes(table, side, canastas, sheet)
        _write_out(table, at, sheet)
        _write_unfinished(table, side, sheet)
        _write_hands(table, at, sheet)
    if side.penalty:
        sheet.add(PENALTY, -side.penalty, "")


def _write_special(table: Table, sheet: Sheet) -> None:
    """Write the points of a special hand; unwritten cards leave those of every pattern."""
    if table.special_points != NOT_KNOWN:
        sheet.add(SPECIAL_HAND, table.special_points, "special", -1, table.ended_by)
        return
    patterns = [each for kind in table.rules.special.values() for each in kind]
    sheet.unsure(
        SPECIAL_HAND, {pattern.points for pattern in patterns}, "special", -1, table.ended_by
    )


def _write_melds(table: Table, side: Side, canastas: i64, sheet: Sheet) -> None:
    rules = table.rules
    minus = rules.melds_minus == "no-canasta" and canastas == 0
    key = "score.melds_minus" if minus else ""
    sizes = side.sizes
    for rank in range(UNKNOWN_RANK):
        size = sizes[rank]
        if not size:
            continue
        points = side.points[rank]
        if minus:
            points = -points
        if side.strangers[rank]:
            _write_unsure_meld(rules, side, rank, -1 if minus else 1, key, sheet)
        else:
            sheet.add(MELDS, points, key, rank, -1, size)
        if size >= CANASTA_SIZE:
            if not side.strangers[rank]:
                item, bonus, on = canasta_bonus(rules, rank, side.wilds(rank), side.jokers[rank])
                sheet.add(item, bonus, on, rank, -1, size)
            _write_concealed(rules.score_concealed_canasta, side, rank, sheet)


def canasta_bonus(rules: Rules, rank: i64, wilds: i64, jokers: i64) -> tuple[i64, i64, str]:
    """Return the item, points and key of a canasta's bonus, by what it is made of at the end.

    `wilds` are all its wild cards, `jokers` those of them that are jokers. Source for the canasta
    of wild cards: Davenport Games, Melding rules.
    """
    if rank == JOKER_RANK:
        kind = "all-twos"
        if jokers:
            kind = "four-jokers" if jokers == rules.jokers else "else"
        return WILD, rules.score_wild.get(kind, 0), "score.wild"
    if wilds:
        return MIXED, rules.score_mixed, "score.mixed"
    if rank == SEVEN and rules.score_sevens:
        return SEVENS, rules.score_sevens, "score.sevens"
    if rank == ACE and rules.score_aces:
        return ACES, rules.score_aces, "score.aces"
    return NATURAL, rules.score_natural, "score.natural"


def _write_unsure_meld(
    rules: Rules, side: Side, rank: i64, sign: i64, key: str, sheet: Sheet
) -> None:
    """Write what a meld with unwritten cards in it can be, its points and its bonus."""
    size = side.sizes[rank]
    ways = _ways(rules, side, rank)
    sheet.unsure(MELDS, {sign * way[MELDS] for way in ways}, key, rank, -1, size)
    if size < CANASTA_SIZE:
        return
    for item in range(NATURAL, MELDED):
        amounts = {way[item] for way in ways}
        if amounts != {0}:
            sheet.unsure(item, amounts, f"score.{ITEMS[item]}", rank, -1, size)


def _ways(rules: Rules, side: Side, rank: i64) -> set[tuple[int, ...]]:
    """Return what a meld can earn, each way as the amounts of the items of `MELDED`.

    Each card that is not written is a natural of the rank or a wild card.
    """
    strangers = side.strangers[rank]
    ways: set[tuple[int, ...]] = set()
    for wilds in range(strangers if rank == JOKER_RANK else 0, strangers + 1):
        for jokers in range(min(wilds, rules.jokers - side.jokers[rank]) + 1):
            way = [0] * MELDED
            way[MELDS] = side.points[rank] + (strangers - wilds) * RANK_POINTS[rank]
            way[MELDS] += (wilds - jokers) * RANK_POINTS[TWO] + jokers * RANK_POINTS[JOKER_RANK]
            if side.sizes[rank] >= CANASTA_SIZE:
                item, bonus, _ = canasta_bonus(
                    rules, rank, wilds + side.wilds(rank), jokers + side.jokers[rank]
                )
                way[item] = bonus
            ways.add(tuple(way))
    return ways


def melded_ways(table: Table, at: i64) -> set[tuple[int, ...]]:
    """Return what a side's melds can earn together, as `_ways` has it for one of them."""
    rules, side = table.rules, table.sides[at]
    ways: set[tuple[int, ...]] = {tuple([0] * MELDED)}
    if table.ended == SPECIAL and rules.side_of[table.ended_by] == at:
        return ways
    minus = rules.melds_minus == "no-canasta" and side.canastas() == 0
    for rank in side.melds():
        ways = {
            tuple([one + other for one, other in zip(way, more, strict=True)])
            for more in _ways(rules, side, rank)
            for way in ways
        }
    return {(-way[MELDS], *way[1:]) for way in ways} if minus else ways


def _write_concealed(bonus: i64, side: Side, rank: i64, sheet: Sheet) -> None:
    if bonus and side.concealed >> rank & 1:
        sheet.add(CONCEALED_CANASTA, bonus, "score.concealed_canasta", rank)
    elif bonus and side.perhaps_concealed >> rank & 1:
        sheet.unsure(CONCEALED_CANASTA, {0, bonus}, "score.concealed_canasta", rank)


def _write_threes(table: Table, side: Side, canastas: i64, sheet: Sheet) -> None:
    """Write the bonus of tabled threes, its sign by the profile's policy."""
    held = len(side.threes)
    if held == 0 and not side.threes_open:
        return
    rules = table.rules
    item = THREES if rules.black_tabled else RED3
    sign = _threes_sign(rules.red3_minus, side, canastas)
    key = "score.red3" if sign > 0 else "score.red3_minus"
    red = 0
    for code in side.threes:
        if RANK[code] == RED_THREE:
            red += 1
    if not side.threes_open and not side.threes_less:
        points = _schedule(rules.score_red3, red)
        if rules.black_tabled:
            points += _schedule(rules.score_red3, held - red)
        sheet.add(item, sign * points, key, -1, -1, held)
        return
    less = side.threes_less
    unseen = table.deck.unseen(RED_THREE) if side.threes_open else 0
    amounts = _amounts(rules.score_red3, red, unseen, less)
    if rules.black_tabled:
        unseen = table.deck.unseen(BLACK_THREE) if side.threes_open else 0
        black = _amounts(rules.score_red3, held - red, unseen, less)
        amounts = {one + other for one in amounts for other in black}
    sheet.unsure(item, {sign * points for points in amounts}, key, -1, -1, held)


def _amounts(points: tuple[int, ...], held: i64, unseen: i64, less: i64) -> set[int]:
    """Return what so many threes, up to `less` fewer, or any number of unseen ones more, count."""
    fewest = max(0, held - less)
    return {_schedule(points, count) for count in range(fewest, held + unseen + 1)}


def _schedule(points: tuple[int, ...], count: i64) -> i64:
    return points[min(count, len(points)) - 1] if count else 0


def _threes_sign(policy: str, side: Side, canastas: i64) -> i64:
    """Return 1, 0 or -1: whether tabled threes count for the side, not at all, or against it."""
    if policy == "unmelded":
        return 1 if side.opened else -1
    if policy == "no-canasta":
        return 1 if canastas else -1
    if policy == "by-canastas":
        return min(canastas, 2) - 1
    return 1


def _write_out(table: Table, at: i64, sheet: Sheet) -> None:
    rules = table.rules
    if table.ended != OUT or rules.side_of[table.ended_by] != at:
        return
    seat = table.ended_by
    sheet.add(WENT_OUT, rules.score_out, "score.out", -1, seat)
    if table.out_unseen and rules.score_concealed:
        sheet.unsure(CONCEALED, {0, rules.score_concealed}, "score.concealed", -1, seat)
    elif table.out_concealed and rules.score_concealed:
        sheet.add(CONCEALED, rules.score_concealed, "score.concealed", -1, seat)


def _write_unfinished(table: Table, side: Side, sheet: Sheet) -> None:
    points = table.rules.score_unfinished
    if not points:
        return
    names = {SEVEN: "sevens", ACE: "aces", JOKER_RANK: "wild"}
    for rank in side.unfinished():
        worth = points.get(names[rank], 0)
        if worth and rank == ACE and side.strangers[rank]:
            sheet.unsure(UNFINISHED, {0, worth}, "score.unfinished", rank)
        elif worth:
            sheet.add(UNFINISHED, worth, "score.unfinished", rank)


def _write_hands(table: Table, at: i64, sheet: Sheet) -> None:
    """Write what the cards left in the side's hands cost, and sevens and aces held back."""
    rules = table.rules
    unwritten: i64 = 0
    for seat, hand in enumerate(table.hands):
        if rules.side_of[seat] != at or not (hand.size or hand.slack):
            continue
        if rules.score_held:
            _write_held(rules.score_held, hand, seat, sheet)
        if hand.partly:
            unwritten |= 1 << seat
        else:
            sheet.add(HAND, _hand_points(hand, rules.red3_held), "", -1, seat, hand.size)
    if unwritten:
        seats = [seat for seat in range(rules.players) if unwritten >> seat & 1]
        hands = [table.hands[seat] for seat in seats]
        size = sum(hand.size for hand in hands)
        seat = seats[0] if len(seats) == 1 else -1
        sheet.unsure(HAND, _hand_amounts(table, hands), "", -1, seat, size)


def _write_held(points: i64, hand: Hand, seat: i64, sheet: Sheet) -> None:
    for rank in (SEVEN, ACE):
        if hand.of_rank(rank) - hand.nameless >= MELD_SIZE:
            sheet.add(HELD, points, "score.held", rank, seat)
        elif hand.of_rank(rank) + hand.free() >= MELD_SIZE:
            sheet.unsure(HELD, {0, points}, "score.held", rank, seat)


def _hand_points(hand: Hand, red_three: i64) -> i64:
    """Return what the cards that the hand is known to hold cost."""
    points = red_three * hand.of_rank(RED_THREE) - dot(hand.balance, POINTS)
    if hand.partly:
        for rank in range(BLACK_THREE, UNKNOWN_RANK):
            points -= hand.need_rank[rank] * RANK_POINTS[rank]
    return points


def _hand_amounts(table: Table, hands: list[Hand]) -> set[int] | None:
    """Return what the cards of a side's partly known hands can cost, taken together.

    A hand that an unknown card left may have kept any of those that it is known to have had.
    """
    if any(hand.slack or hand.vague for hand in hands):
        return None
    known = cards = 0
    pool = [max(0, table.deck.unseen(rank)) for rank in range(UNKNOWN_RANK)]
    if not table.rules.three_kept:
        pool[RED_THREE] = 0
    for hand in hands:
        if not hand.nameless:
            known += _hand_points(hand, table.rules.red3_held)
            cards += hand.free()
            continue
        cards += hand.size
        for rank in range(UNKNOWN_RANK):
            pool[rank] += max(0, hand.of_rank(rank))
    return {known - points for points in sums_of(pool, cards, -table.rules.red3_held)} or None
