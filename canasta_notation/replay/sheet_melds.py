"""The melds behind the bonuses of a score sheet: which amounts a side's melds can earn together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from canasta_notation.cards import (
    ACE,
    CANASTA_SIZE,
    CODE,
    FOUR,
    JOKER_RANK,
    MELD_SIZE,
    MOST_MELDS,
    SEQUENCE,
    SUITS,
    TWO,
)
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import (
    MELDED,
    MELDS,
    UNFINISHED,
    UNFINISHED_NAMES,
    canasta_bonus,
)
from canasta_notation.rules.items import ITEMS

#: The items that show which melds a side has; each has its place in `ITEMS`, except the first.
BONUS_ITEMS: Final = (ITEMS[UNFINISHED], *ITEMS[MELDS + 1 : MELDED])


def narrow(
    ways: Collection[tuple[int, ...]], claimed: Mapping[str, int]
) -> tuple[list[tuple[str, set[int]]], Collection[tuple[int, ...]]]:
    """Return the claimed items that fit none of the ways to earn them, and the remaining ways.

    A way has an amount for each of the claimed items, in their order. Each returned item comes with
    the amounts that would fit; the remaining ways fit all other items. The first item is compared
    last.
    """
    false = []
    places = [*enumerate(claimed.items())]
    for at, (item, amount) in (*places[1:], places[0]):
        kept = [way for way in ways if way[at] == amount]
        if not kept:
            false.append((item, {way[at] for way in ways}))
        ways = kept or ways
    return false, ways


class Melded(NamedTuple):
    """What is known about a side's melds: the number of canastas, the fewest points of cards."""

    canastas: frozenset[int]
    fewest: int


@lru_cache(maxsize=1024)
def narrowed(rules: Rules, amounts: tuple[int, ...]) -> tuple[list[tuple[str, set[int]]], Melded]:
    """Return the impossible amounts of `BONUS_ITEMS`, and the melds for the other amounts."""
    melds = melds_of(rules)
    false, ways = narrow(melds, dict(zip(BONUS_ITEMS, amounts, strict=True)))
    kept = [melds[way] for way in ways]
    canastas = frozenset[int]().union(*(each.canastas for each in kept))
    return false, Melded(canastas, min(each.fewest for each in kept))


#: A meld of a side: the place of its item in `BONUS_ITEMS`, the points of that, how many canastas
#: it is (0 or 1), and the fewest points that its cards can count.
_Meld = tuple[int, int, int, int]


@lru_cache(maxsize=32)
def melds_of(rules: Rules) -> dict[tuple[int, ...], Melded]:
    """Return what a side can have melded, by the amounts of `BONUS_ITEMS` that it earns.

    Only melds that appear in a score are distinguished: canastas, and melds that cost points
    because they are unfinished. Not checked: whether the deck is enough for both sides.
    """
    choices = [
        tuple(_choices(rules, rank, number))
        for rank in (*range(FOUR, TWO), JOKER_RANK)
        for number in range(1, most_melds(rules, rank) + 1)
    ]
    if rules.sequences:
        # Every sequence of seven from 4 to ace has the card in the middle of that row.
        most = SUITS * (rules.copies[CODE["9s"]] if rules.several else 1)
        item, bonus, _ = canasta_bonus(rules, SEQUENCE, 0, 0)
        points = min(
            sum(rules.rank_points[low : low + CANASTA_SIZE])
            for low in range(FOUR, TWO - CANASTA_SIZE + 1)
        )
        choices += [((0, 0, 0, 0), (item, bonus, 1, points))] * most
    return _melds_by_rank(tuple(choices))


def most_melds(rules: Rules, rank: int) -> int:
    """Return how many melds of a rank, or of wild cards, can count for a side; at least 1.

    They are canastas and, if they cost points, unfinished melds.
    """
    if not rules.several:
        return 1
    wild = rank == JOKER_RANK
    copies = rules.rank_copies[TWO] + rules.jokers if wild else rules.rank_copies[rank]
    size = CANASTA_SIZE if wild else _fewest_naturals(rules)
    if rules.score_unfinished.get(UNFINISHED_NAMES.get(rank, "")):
        size = min(size, MELD_SIZE if wild else rules.min_naturals)
    return max(1, min(MOST_MELDS, copies // size))


def _fewest_naturals(rules: Rules) -> int:
    """Return how many naturals a mixed canasta has at least."""
    share = (CANASTA_SIZE + rules.wild_margin + 1) // 2
    return max(1, rules.min_naturals, CANASTA_SIZE - rules.max_wilds, share)


@lru_cache(maxsize=32)
def _melds_by_rank(choices: tuple[tuple[_Meld, ...], ...]) -> dict[tuple[int, ...], Melded]:
    """Return the same for what can be melded in each rank; many profiles have equal choices."""
    melds = {(0,) * len(BONUS_ITEMS): Melded(frozenset([0]), 0)}
    for of_rank in choices:
        more: dict[tuple[int, ...], Melded] = {}
        for (item, bonus, canasta, points), (before, known) in product(of_rank, melds.items()):
            amounts = (*before[:item], before[item] + bonus, *before[item + 1 :])
            canastas, fewest = more.get(amounts, (frozenset[int](), known.fewest + points))
            canastas |= {number + canasta for number in known.canastas}
            more[amounts] = Melded(canastas, min(fewest, known.fewest + points))
        melds = more
    return melds


def _choices(rules: Rules, rank: int, number: int) -> Iterator[_Meld]:
    """Yield the melds that a side can have as its canasta of that number in one rank, first none.

    Not checked: whether the deck has enough of the rank for all of them together.
    """
    yield 0, 0, 0, 0
    unfinished = rules.score_unfinished.get(UNFINISHED_NAMES.get(rank, ""), 0)
    if unfinished:
        pure = rank == ACE or rules.no_wilds[rank]
        naturals = MELD_SIZE if pure else min(MELD_SIZE, rules.min_naturals)
        naturals = 0 if rank == JOKER_RANK else naturals
        yield 0, unfinished, 0, _fewest_points(rules, rank, MELD_SIZE, naturals, MELD_SIZE)
    points_of = rules.rank_points
    if rank == JOKER_RANK:
        for jokers in range(rules.jokers + 1) if rules.all_wild else ():
            item, bonus, _ = canasta_bonus(rules, rank, CANASTA_SIZE, jokers)
            twos = CANASTA_SIZE - jokers
            yield item, bonus, 1, twos * points_of[TWO] + jokers * points_of[JOKER_RANK]
        return
    if number == 1 or number * CANASTA_SIZE <= rules.rank_copies[rank]:
        item, bonus, _ = canasta_bonus(rules, rank, 0, 0)
        yield item, bonus, 1, CANASTA_SIZE * points_of[rank]
    item, bonus, _ = canasta_bonus(rules, rank, 1, 0)
    fewest = min(_fewest_naturals(rules), CANASTA_SIZE - 1)
    yield item, bonus, 1, _fewest_points(rules, rank, CANASTA_SIZE, fewest, CANASTA_SIZE - 1)


def _fewest_points(rules: Rules, rank: int, size: int, fewest: int, most: int) -> int:
    """Return the fewest points of a meld with at least `fewest`, and at most `most`, naturals."""
    points_of = rules.rank_points
    wilds = [points_of[JOKER_RANK]] * rules.jokers + [points_of[TWO]] * rules.rank_copies[TWO]
    wilds.sort()
    return min(
        naturals * points_of[rank] + sum(wilds[: size - naturals])
        for naturals in range(fewest, most + 1)
    )
