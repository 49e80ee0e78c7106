"""The bounds of a deal's worth, given only the deck and the profile."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from math import gcd
from typing import Final, NamedTuple

from canasta_notation.cards import (
    ACE,
    CANASTA_SIZE,
    FOUR,
    JOKER_RANK,
    MELD_SIZE,
    RANK_POINTS,
    RED_THREE,
    SEVEN,
    TWO,
    UNKNOWN_RANK,
)
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.engine.scoring import ITEMS, MELDED, MELDS, UNFINISHED, canasta_bonus
from canasta_notation.rules import Profile

#: Points of every card are multiples of this.
CARD_STEP: Final = 5
#: The items that are in a `Board`: unfinished melds in place of the points of melds.
BOARD_ITEMS: Final = (ITEMS[UNFINISHED], *ITEMS[MELDS + 1 : MELDED])


class Board(NamedTuple):
    """Melds that a side can have: the amounts of `BOARD_ITEMS`, and how many canastas it has."""

    amounts: tuple[int, ...]
    canastas: int


class Melded(NamedTuple):
    """What is known about a side's melds: the number of canastas, the fewest points of cards."""

    canastas: frozenset[int]
    fewest: int


class Ways:
    """Ways to have earned points, each with an amount for every item, to be narrowed down."""

    def __init__(self, ways: Collection[tuple[int, ...]]) -> None:
        self.all = (1 << len(ways)) - 1
        #: For each item, by its amount, which ways have it: a bit for each way, in their order.
        self.having: list[dict[int, int]] = []
        for column in zip(*ways, strict=True):
            having: dict[int, int] = {}
            for at, amount in enumerate(column):
                having[amount] = having.get(amount, 0) | 1 << at
            self.having.append(having)

    def narrow(
        self, items: tuple[str, ...], written: Mapping[str, int]
    ) -> tuple[list[tuple[str, set[int]]], Iterator[int]]:
        """Return the written items that fit none of the ways, each with the amounts that would.

        An item that is not written is claimed to be 0. The first item is compared last. Second, the
        places (from 0) of the ways that fit all other items.
        """
        false, left = [], self.all
        for at in (*range(1, len(items)), 0):
            having = self.having[at]
            kept = left & having.get(written.get(items[at], 0), 0)
            if not kept:
                false.append((items[at], {each for each, ways in having.items() if ways & left}))
            left = kept or left
        return false, _bits(left)


def _bits(bits: int) -> Iterator[int]:
    """Yield the places (from 0) of the bits that are set."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


class Boards:
    """Everything that a side can have melded, `fewest` the fewest points that its cards can count.

    Only melds that appear in a score are distinguished: canastas, and melds that cost points
    because they are unfinished. Not checked: whether the deck is enough for both sides.
    """

    def __init__(self, choices: Iterable[Iterable[tuple[Board, int]]]) -> None:
        """`choices` are what a side can have in each rank, with the fewest points of that."""
        found = {Board((0,) * len(BOARD_ITEMS), 0): 0}
        for melds in choices:
            more: dict[Board, int] = {}
            for meld, points in melds:
                for board, fewest in found.items():
                    sums = zip(board.amounts, meld.amounts, strict=True)
                    both = Board(tuple([a + b for a, b in sums]), board.canastas + meld.canastas)
                    more[both] = min(more.get(both, fewest + points), fewest + points)
            found = more
        self.fewest = found
        by_amounts: dict[tuple[int, ...], Melded] = {}
        for board, fewest in found.items():
            canastas, least = by_amounts.get(board.amounts, (frozenset[int](), fewest))
            by_amounts[board.amounts] = Melded(canastas | {board.canastas}, min(least, fewest))
        self.ways = Ways(by_amounts)
        #: What is known of the melds by each of the ways.
        self.melded = [*by_amounts.values()]


@lru_cache(maxsize=32)
def boards(profile: Profile) -> Boards:
    """Return what a side can have melded, made once for all profiles that agree in it."""
    rules = rules_of(profile)
    ranks = (*range(FOUR, TWO), JOKER_RANK)
    return _boards(tuple(tuple(_melds(rules, rank)) for rank in ranks))


_boards = lru_cache(maxsize=32)(Boards)


@lru_cache(maxsize=1024)
def melded(profile: Profile, amounts: tuple[int, ...]) -> tuple[list[tuple[str, set[int]]], Melded]:
    """Return which amounts of `BOARD_ITEMS` cannot be, and the melds of the others."""
    known = boards(profile)
    false, left = known.ways.narrow(BOARD_ITEMS, dict(zip(BOARD_ITEMS, amounts, strict=True)))
    kept = [known.melded[at] for at in left]
    canastas = frozenset[int]().union(*(each.canastas for each in kept))
    return false, Melded(canastas, min(each.fewest for each in kept))


def _melds(rules: Rules, rank: int) -> Iterator[tuple[Board, int]]:
    """Yield what a side can have in one rank, each with the fewest points that it can count."""
    yield Board((0,) * len(BOARD_ITEMS), 0), 0
    name = {SEVEN: "sevens", ACE: "aces", JOKER_RANK: "wild"}.get(rank, "")
    points = RANK_POINTS[TWO] if rank == JOKER_RANK else RANK_POINTS[rank]
    unfinished = rules.score_unfinished.get(name, 0)
    if unfinished:
        yield Board((unfinished, *(0,) * (len(BOARD_ITEMS) - 1)), 0), MELD_SIZE * points
    if rank != JOKER_RANK:
        yield _canasta(rules, rank, 0, 0), CANASTA_SIZE * points
        yield _canasta(rules, rank, 1, 0), (CANASTA_SIZE - 1) * points + RANK_POINTS[TWO]
    elif rules.all_wild:
        for jokers in range(rules.jokers + 1):
            more = jokers * (RANK_POINTS[JOKER_RANK] - points)
            yield _canasta(rules, rank, CANASTA_SIZE, jokers), CANASTA_SIZE * points + more


def _canasta(rules: Rules, rank: int, wilds: int, jokers: int) -> Board:
    item, bonus, _ = canasta_bonus(rules, rank, wilds, jokers)
    return Board(tuple([bonus * (name == ITEMS[item]) for name in BOARD_ITEMS]), 1)


def deck_points(rules: Rules) -> int:
    """Return the points of all cards of the deck except red threes."""
    return sum(rules.rank_copies[rank] * RANK_POINTS[rank] for rank in range(UNKNOWN_RANK))


def red_threes_held(rules: Rules) -> int:
    """Return what all red threes cost if they are held in a hand, as a positive number."""
    return -rules.red3_held * rules.rank_copies[RED_THREE]


@lru_cache(maxsize=32)
def scores(profile: Profile) -> range:
    """Return what a deal can be worth to a side before penalties, as a range with its step.

    Each item is taken at its best or worst, whether or not these can happen together.
    """
    rules = rules_of(profile)
    known = boards(profile).fewest
    seats = max(map(len, rules.sides))
    threes = max(0, *rules.score_red3) * (2 if rules.black_tabled else 1)
    special = [pattern.points for kind in rules.special.values() for pattern in kind]
    bonuses = [rules.score_out, rules.score_concealed]
    best = max(
        sum(board.amounts) + rules.score_concealed_canasta * board.canastas for board in known
    )
    worst = min(sum(min(0, amount) for amount in board.amounts) for board in known)
    most = deck_points(rules) + best + threes + sum(max(0, bonus) for bonus in bonuses)
    held = red_threes_held(rules) - 2 * seats * min(0, rules.score_held)
    least = worst - deck_points(rules) - held - threes + sum(min(0, bonus) for bonus in bonuses)
    amounts = {amount for board in known for amount in board.amounts}
    step = gcd(
        CARD_STEP, rules.score_out, rules.score_concealed, rules.score_concealed_canasta,
        rules.score_held, rules.red3_held, *rules.score_red3, *special, *amounts,
    )  # fmt: skip
    return range(least // step * step, max([most, *special]) + 1, step)
