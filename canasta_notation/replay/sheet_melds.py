"""The melds behind the bonuses of a score sheet: which amounts a side's melds can earn together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import groupby, product
from operator import add, or_
from typing import Final, NamedTuple

from canasta_notation.cards import (
    ACE,
    CANASTA_SIZE,
    CODE,
    FOUR,
    FROM_ACE_TO_KING,
    JOKER_RANK,
    MELD_SIZE,
    MOST_MELDS,
    ROW_RANKS,
    SEQUENCE,
    SUITS,
    TWO,
)
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import (
    MELDED,
    MELDS,
    SEMI,
    UNFINISHED,
    UNFINISHED_NAMES,
    canasta_bonus,
    unfinished_points,
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


#: A meld of a side: the place of its item in `BONUS_ITEMS`, the points of that, how many canastas
#: it is (0 or 1), and the fewest points that its cards can count.
Meld = tuple[int, int, int, int]
#: What melds can have earned: amounts of `BONUS_ITEMS`, each with the numbers of canastas, as bits,
#: and the fewest points of cards.
_Earnings = dict[tuple[int, ...], tuple[int, int]]
_NOTHING: Final = (0,) * len(BONUS_ITEMS)
#: How many pairs of a way and what more melds can have earned are tried for the amounts of a line.
_MOST_TRIED: Final = 20_000


class _ItemMelds(NamedTuple):
    """What the melds of the same items can have earned, and the bounds of what others can add."""

    ways: _Earnings
    #: The least and the most for each item that later parts can add.
    later: Sequence[tuple[int, int]]
    #: The same for all other parts.
    others: Sequence[tuple[int, int]]


class _TooMany(Exception):
    """The amounts can be earned in too many ways to try them all."""


@lru_cache(maxsize=1024)
def narrowed(
    rules: Rules, amounts: tuple[int, ...]
) -> tuple[list[tuple[str, set[int]]], Melded] | None:
    """Return the impossible amounts of `BONUS_ITEMS`, and the melds for the other amounts.

    It tries at most `_MOST_TRIED` combinations for each of the items and of those that are
    impossible, so the work for a record grows with its score lines. Returns None if there are more:
    then it is not known which amounts are impossible.
    """
    places = (*range(1, len(BONUS_ITEMS)), 0)
    try:
        if ways := _ways(rules, {at: amounts[at] for at in places}):
            return [], _melded(ways)
        false, fitting = list[tuple[str, set[int]]](), dict[int, int | None]()
        for at in places:
            if _ways(rules, fitting | {at: amounts[at]}):
                fitting[at] = amounts[at]
            else:
                found = {way[at] for way in _ways(rules, fitting | {at: None})}
                false.append((BONUS_ITEMS[at], found))
        return false, _melded(_ways(rules, fitting))
    except _TooMany:
        return None


def any_melds(rules: Rules) -> Melded:
    """Return what is known about a side's melds if nothing is known about their bonuses."""
    return Melded(frozenset(range(len(melds_of(rules)) + 1)), 0)


def _melded(ways: _Earnings) -> Melded:
    canastas = reduce(or_, (bits for bits, _ in ways.values()))
    numbers = (number for number in range(canastas.bit_length()) if canastas >> number & 1)
    return Melded(frozenset(numbers), min(fewest for _, fewest in ways.values()))


def _ways(rules: Rules, wanted: Mapping[int, int | None]) -> _Earnings:
    """Return what a side's melds can earn if some items have the `wanted` amounts, None for any.

    The items have their places in `BONUS_ITEMS`; one that is not wanted is 0 in every way. A way
    that cannot reach the wanted amounts any more is dropped at once. Raises _TooMany. Not checked:
    whether the deck is enough for both sides.
    """
    tried, ways = 0, {_NOTHING: (1, 0)}
    due = [(at, amount) for at, amount in wanted.items() if amount is not None]
    for part in _parts(rules, frozenset(wanted)):
        fitting = _fitting(part.ways, due, part.others)
        tried += len(ways) * len(fitting)
        if tried > _MOST_TRIED:
            raise _TooMany
        ways = _fitting(_added(ways, fitting), due, part.later)
    return ways


def _fitting(
    ways: _Earnings, due: Sequence[tuple[int, int]], more: Sequence[tuple[int, int]]
) -> _Earnings:
    """Return the ways that can reach the amounts due if `more` is added."""
    bounds = [(at, amount - more[at][1], amount - more[at][0]) for at, amount in due]
    return {
        way: known
        for way, known in ways.items()
        if all(least <= way[at] <= most for at, least, most in bounds)
    }


def _added(ways: _Earnings, others: _Earnings) -> _Earnings:
    """Return what melds can have earned together."""
    added: _Earnings = {}
    for (one, (some, points)), (other, (more, cost)) in product(ways.items(), others.items()):
        amounts = tuple(map(add, one, other))
        bits, fewest = added.get(amounts, (0, points + cost))
        for canastas in range(more.bit_length()):
            bits |= (some << canastas) * (more >> canastas & 1)
        added[amounts] = bits, min(fewest, points + cost)
    return added


def _kept(ways: _Earnings, items: frozenset[int]) -> _Earnings:
    """Return ways with 0 in the place of every item that is not among the `items`."""
    kept: _Earnings = {}
    for way, (bits, points) in ways.items():
        amounts = tuple(amount if at in items else 0 for at, amount in enumerate(way))
        others, fewest = kept.get(amounts, (0, points))
        kept[amounts] = bits | others, min(fewest, points)
    return kept


@lru_cache(maxsize=256)
def _parts(rules: Rules, items: frozenset[int]) -> list[_ItemMelds]:
    """Return the parts of what a side's melds can earn, for some of the items.

    They stand in an order in which few amounts are open at a time.
    """
    parts = [_kept(ways, items) for ways in _together(rules)]
    reach = [[(min(each), max(each)) for each in zip(*ways, strict=True)] for ways in parts]
    places = range(len(parts))
    return [
        _ItemMelds(
            ways, _sum(reach[at + 1 :]), _sum([reach[other] for other in places if other != at])
        )
        for at, ways in enumerate(parts)
    ]


def _sum(reach: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Return the sums of bounds."""
    return [
        (sum(low for low, _ in each), sum(high for _, high in each))
        for each in zip([(0, 0)] * len(_NOTHING), *reach, strict=True)
    ]


@lru_cache(maxsize=32)
def _together(rules: Rules) -> list[_Earnings]:
    """Return what the melds of the same items can have earned together."""

    def items(of_meld: tuple[Meld, ...]) -> list[int]:
        return sorted({item for item, bonus, _, _ in of_meld if bonus}, reverse=True)

    found = []
    for _, same in groupby(sorted(melds_of(rules), key=items), key=items):
        ways = {_NOTHING: (1, 0)}
        for of_meld in same:
            ways = _added(ways, _of_one(of_meld))
        found.append(ways)
    return found


def _of_one(of_meld: tuple[Meld, ...]) -> _Earnings:
    """Return what a meld can earn."""
    ways: _Earnings = {}
    for item, bonus, canasta, points in of_meld:
        amounts = (*_NOTHING[:item], bonus, *_NOTHING[item + 1 :])
        bits, fewest = ways.get(amounts, (0, points))
        ways[amounts] = bits | 1 << canasta, min(fewest, points)
    return ways


@lru_cache(maxsize=32)
def melds_of(rules: Rules) -> tuple[tuple[Meld, ...], ...]:
    """Return the melds that a side can have: for each, its choices, first none.

    Only melds that appear in a score are distinguished: canastas, and melds that cost points
    because they are unfinished.
    """
    if rules.sequences and not rules.sequences_apart:
        return _any_canastas(rules)
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
    return tuple(choices)


def _any_canastas(rules: Rules) -> tuple[tuple[Meld, ...], ...]:
    """Return as many melds as the deck has canastas, each with what any canasta can be.

    Under rules whose sequences are natural or mixed like sets, a score does not tell them apart.
    """
    found: dict[tuple[int, int, int], int] = {}
    sets = [rank for rank in (*range(rules.lowest_set, TWO), JOKER_RANK) if rules.sets[rank]]
    for choices in (*(_choices(rules, rank, 1) for rank in sets), _sequence_choices(rules)):
        for item, bonus, canasta, points in choices:
            key = item, bonus, canasta
            found[key] = min(found.get(key, points), points)
    every = tuple((*key, points) for key, points in found.items())
    return (every,) * (rules.deck_size // CANASTA_SIZE)


def _sequence_choices(rules: Rules) -> Iterator[Meld]:
    """Yield the canastas that a sequence can be, with the fewest points of each."""
    ranks = ROW_RANKS if rules.from_ace else range(FOUR, TWO)
    row = [int(rules.rank_points[rank]) for rank in ranks]
    wild = int(min(rules.rank_points[TWO], rules.rank_points[JOKER_RANK]))
    rows = [row[low : low + CANASTA_SIZE] for low in range(len(row) - CANASTA_SIZE + 1)]
    fewest = min(map(sum, rows))
    sizes = {CANASTA_SIZE: fewest}
    if rules.from_ace:
        sizes |= {FROM_ACE_TO_KING: sum(row[:-1]), FROM_ACE_TO_KING + 1: sum(row)}
    for size, points in sizes.items():
        item, bonus, _ = canasta_bonus(rules, SEQUENCE, 0, 0, size)
        yield item, bonus, 1, points
    if not rules.sequence_wilds:
        return
    item, bonus, _ = canasta_bonus(rules, SEQUENCE, 1, 0)
    yield item, bonus, 1, min(sum(each) - max(each) for each in rows) + wild
    if rules.has_semi:
        yield SEMI, rules.score_semi, 1, fewest + wild


def most_melds(rules: Rules, rank: int) -> int:
    """Return how many melds of a rank, or of wild cards, can count for a side; at least 1.

    They are canastas and, if they cost points, unfinished melds.
    """
    if not rules.several:
        return 1
    wild = rank == JOKER_RANK
    copies = rules.rank_copies[TWO] + rules.jokers if wild else rules.rank_copies[rank]
    size = CANASTA_SIZE if wild else fewest_naturals(rules)
    if unfinished_ways(rules, rank):
        size = min(size, MELD_SIZE if wild else rules.min_naturals)
    return max(1, min(MOST_MELDS, copies // size))


def unfinished_ways(rules: Rules, rank: int) -> dict[int, int]:
    """Return what an unfinished meld of a rank can cost, and how many jokers that needs at least.

    Only a meld of wild cards needs any. There is no entry for a meld that costs nothing.
    """
    if rank not in UNFINISHED_NAMES:
        return {}
    needed = {unfinished_points(rules, rank, jokers): jokers for jokers in (rules.jokers, 0)}
    return {int(points): int(jokers) for points, jokers in needed.items() if points}


def fewest_naturals(rules: Rules) -> int:
    """Return how many naturals a mixed canasta has at least."""
    share = (CANASTA_SIZE + rules.wild_margin + 1) // 2
    return max(1, rules.min_naturals, CANASTA_SIZE - rules.max_wilds, share)


def _choices(rules: Rules, rank: int, number: int) -> Iterator[Meld]:
    """Yield the melds that a side can have as its canasta of that number in one rank, first none.

    Not checked: whether the deck has enough of the rank for all of them together.
    """
    yield 0, 0, 0, 0
    for unfinished, jokers in unfinished_ways(rules, rank).items():
        pure = rank == ACE or rules.no_wilds[rank]
        naturals = MELD_SIZE if pure else min(MELD_SIZE, rules.min_naturals)
        naturals = 0 if rank == JOKER_RANK else naturals
        if not jokers:
            yield 0, unfinished, 0, _fewest_points(rules, rank, MELD_SIZE, naturals, MELD_SIZE)
        elif number == 1:
            yield 0, unfinished, 0, jokers * rules.rank_points[JOKER_RANK]
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
    item, bonus, _ = canasta_bonus(rules, rank, 1, 0, CANASTA_SIZE + 1)
    if item == SEMI:
        wild = min(points_of[TWO], points_of[JOKER_RANK])
        yield item, bonus, 1, CANASTA_SIZE * points_of[rank] + wild
    item, bonus, _ = canasta_bonus(rules, rank, 1, 0)
    fewest = min(fewest_naturals(rules), CANASTA_SIZE - 1)
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
