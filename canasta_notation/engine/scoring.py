"""The score of a side: lines of (item, points, what earned them), and what a figure could be.

Where cards are not written a figure is not one number but a set of possible ones; a claim is false
only where the set does not hold it.
"""

from __future__ import annotations

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    JOKER_RANK,
    MELD_SIZE,
    RANK,
    RANK_POINTS,
    RED_THREE,
    SEVEN,
    TWO,
    UNKNOWN_RANK,
)
from canasta_notation.engine.hand import Hand
from canasta_notation.engine.side import Side
from canasta_notation.engine.table import OPEN, OUT, SPECIAL, Table

#: The items of a score in the order in which they are shown.
ITEMS = (
    "melds", "natural", "mixed", "sevens", "aces", "wild", "concealed-canasta", "red3", "threes",
    "out", "concealed", "unfinished", "held", "hand", "cards", "special", "penalty",
)  # fmt: skip


class ScoreEntry:
    """Points for one item and what earned them: a meld's rank, a seat, a number of cards.

    `possible` holds every amount that the unwritten cards allow, or None where it cannot be
    told; a known figure is a set of one.
    """

    def __init__(
        self,
        item: str,
        possible: set[int] | None,
        key: str,
        rank: int = -1,
        seat: int = -1,
        count: int = 0,
    ) -> None:
        self.item = item
        self.possible = possible
        self.key = key
        self.rank = rank
        self.seat = seat
        self.count = count


def score_side(table: Table, at: int) -> list[ScoreEntry]:
    """Return the entries of a side's score for the deal as it ended; points are signed.

    Not checked: that the deal has ended; the caller decides what an open deal is worth.
    """
    side = table.sides[at]
    special = table.ended == SPECIAL and table.rules.side_of[table.ended_by] == at
    penalty = [ScoreEntry("penalty", {-side.penalty}, "")] if side.penalty else []
    if special:
        points = {table.special_points}
        return [ScoreEntry("special", points, "special", seat=table.ended_by), *penalty]
    entries = _melds(table, side) + _canastas(table, side) + _threes(table, side)
    entries += _out(table, at) + _unfinished(table, side) + _hands(table, at) + penalty
    return entries


def _melds(table: Table, side: Side) -> list[ScoreEntry]:
    minus = table.rules.melds_minus == "no-canasta" and not side.canastas()
    sign = -1 if minus else 1
    entries = []
    for rank in side.melds():
        points = None if side.strangers[rank] else {sign * side.points[rank]}
        key = "score.melds_minus" if minus else ""
        entries.append(ScoreEntry("melds", points, key, rank=rank, count=side.size(rank)))
    return entries


def _canastas(table: Table, side: Side) -> list[ScoreEntry]:
    entries = []
    for rank in side.melds():
        if side.size(rank) < CANASTA_SIZE:
            continue
        item, points, key = _canasta(table, side, rank)
        known = None if side.strangers[rank] else {points}
        entries.append(ScoreEntry(item, known, key, rank=rank, count=side.size(rank)))
        bonus = table.rules.score_concealed_canasta
        if side.concealed[rank] and bonus:
            key = "score.concealed_canasta"
            entries.append(ScoreEntry("concealed-canasta", {bonus}, key, rank=rank))
    return entries


def _canasta(table: Table, side: Side, rank: int) -> tuple[str, int, str]:
    """Return item, points and key of a canasta by what it is made of at the end."""
    rules = table.rules
    if rank == JOKER_RANK:
        return "wild", _wild_canasta(rules.score_wild, side), "score.wild"
    if side.wilds(rank):
        return "mixed", rules.score_mixed, "score.mixed"
    if rank == SEVEN and rules.score_sevens:
        return "sevens", rules.score_sevens, "score.sevens"
    if rank == ACE and rules.score_aces:
        return "aces", rules.score_aces, "score.aces"
    return "natural", rules.score_natural, "score.natural"


def _wild_canasta(points: dict[str, int], side: Side) -> int:
    """Return the bonus of a canasta of wild cards (001, American melding rules)."""
    if not side.jokers[JOKER_RANK]:
        return points.get("all-twos", 0)
    four = side.jokers[JOKER_RANK] == 4
    return points.get("four-jokers" if four else "else", 0)


def _threes(table: Table, side: Side) -> list[ScoreEntry]:
    """Return the bonus of tabled threes, its sign by the profile's policy."""
    rules = table.rules
    item = "threes" if rules.black_tabled else "red3"
    sign = _threes_sign(table, side)
    ranks = (RED_THREE, BLACK_THREE) if rules.black_tabled else (RED_THREE,)
    possible = {0}
    held = 0
    for rank in ranks:
        count = sum(RANK[code] == rank for code in side.threes)
        held += count
        most = count + (table.deck.unseen(rank) if side.threes_open else 0)
        amounts = {_schedule(rules.score_red3, each) for each in range(count, most + 1)}
        possible = {one + other for one in possible for other in amounts}
    if not held and possible == {0}:
        return []
    key = "score.red3" if sign > 0 else "score.red3_minus"
    return [ScoreEntry(item, {sign * each for each in possible}, key, count=held)]


def _schedule(points: tuple[int, ...], count: int) -> int:
    return points[min(count, len(points)) - 1] if count else 0


def _threes_sign(table: Table, side: Side) -> int:
    """Return 1, 0 or -1: whether tabled threes count for the side, not at all, or against it."""
    policy = table.rules.red3_minus
    if policy == "unmelded":
        return 1 if side.opened else -1
    if policy == "no-canasta":
        return 1 if side.canastas() else -1
    if policy == "by-canastas":
        return min(side.canastas(), 2) - 1
    return 1


def _out(table: Table, at: int) -> list[ScoreEntry]:
    rules = table.rules
    if table.ended != OUT or rules.side_of[table.ended_by] != at:
        return []
    seat = table.ended_by
    entries = [ScoreEntry("out", {rules.score_out}, "score.out", seat=seat)]
    if table.out_concealed and rules.score_concealed:
        entries.append(
            ScoreEntry("concealed", {rules.score_concealed}, "score.concealed", seat=seat)
        )
    return entries


def _unfinished(table: Table, side: Side) -> list[ScoreEntry]:
    names = {SEVEN: "sevens", ACE: "aces", JOKER_RANK: "wild"}
    points = table.rules.score_unfinished
    return [
        ScoreEntry("unfinished", {points[names[rank]]}, "score.unfinished", rank=rank)
        for rank in side.unfinished()
        if points.get(names[rank])
    ]


def _hands(table: Table, at: int) -> list[ScoreEntry]:
    """Return what the cards left in the side's hands cost, and sevens and aces held back."""
    rules = table.rules
    entries = []
    for seat, hand in enumerate(table.hands):
        if rules.side_of[seat] != at or not (hand.size or hand.slack):
            continue
        for rank in (SEVEN, ACE):
            if rules.score_held and hand.of_rank(rank) >= MELD_SIZE:
                points = {rules.score_held}
                entries.append(ScoreEntry("held", points, "score.held", rank=rank, seat=seat))
            elif rules.score_held and hand.of_rank(rank) + hand.free() >= MELD_SIZE:
                entries.append(ScoreEntry("held", None, "score.held", rank=rank, seat=seat))
        possible = _hand_points(table, hand)
        entries.append(ScoreEntry("hand", possible, "", seat=seat, count=hand.size))
    return entries


def _hand_points(table: Table, hand: Hand) -> set[int] | None:
    """Return what the cards of a hand can cost."""
    if hand.slack or hand.nameless:
        return None
    known = table.rules.red3_held * max(0, hand.of_rank(RED_THREE))
    for rank in range(BLACK_THREE, UNKNOWN_RANK):
        known -= RANK_POINTS[rank] * max(0, hand.of_rank(rank))
    return {known - points for points in unseen_points(table, hand.free())}


def unseen_points(table: Table, cards: int) -> set[int]:
    """Return every sum of points that so many unaccounted cards, no red threes, can have."""
    pool: dict[int, int] = {}
    for rank in range(BLACK_THREE, UNKNOWN_RANK):
        unseen = max(0, table.deck.unseen(rank))
        pool[RANK_POINTS[rank]] = pool.get(RANK_POINTS[rank], 0) + unseen
    sums: list[set[int]] = [{0}] + [set() for _ in range(cards)]
    for points, copies in pool.items():
        sums = [
            {
                other + take * points
                for take in range(min(copies, held) + 1)
                for other in sums[held - take]
            }
            for held in range(cards + 1)
        ]
    return sums[cards]


def add_possible(sets: list[set[int] | None]) -> set[int] | None:
    """Return the sums of one amount out of each set, or None where one of them is not known."""
    sums = {0}
    for each in sets:
        if each is None:
            return None
        sums = {one + other for one in sums for other in each}
    return sums


def is_open(table: Table) -> bool:
    """Return whether the deal has not ended."""
    return table.ended == OPEN


__all__ = ["ITEMS", "TWO", "ScoreEntry", "add_possible", "score_side", "unseen_points"]
