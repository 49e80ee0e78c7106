"""What can be laid of one suit in sequences, or of one rank on its melds: by numbers of cards.

No table is looked at, so what was found is kept for the next question with the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from canasta_notation.cards import ACE, CANASTA_SIZE, FOUR, MELD_SIZE
from canasta_notation.engine.ruleset import Rules
from canasta_notation.search.plans import Kinds
from canasta_notation.search.trial import meld_holds

#: The place of a meld that a plan begins, until its number is known.
NEW = -1
#: Cards laid on a meld: its place or NEW, then how many naturals and wild cards.
SetPart = tuple[int, int, int]
#: Cards laid on a meld: its place or NEW, and the cards.
LaidSequence = tuple[int, tuple[int, ...]]
#: How many naturals and wild cards a meld on the table had before the turn, and how many were laid.
MeldKinds = tuple[tuple[int, int], tuple[int, int]]


class SetWay:
    """What a plan lays of a rank: the naturals and wild cards in all, and on each meld.

    `merges` are pairs of melds, as indices of those on the table; the first is put on the second.
    `canastas` is how many more canastas there are then, `natural` and `mixed` how many more of
    these, if going out needs some of a kind; they may be fewer. `clean` says that the side then has
    a clean triple of the rank, and `splash` a splash, if its opening asks for that.
    """

    __slots__ = (
        "canastas", "clean", "merges", "mixed", "natural", "naturals", "parts", "splash", "wilds",
    )  # fmt: skip

    def __init__(
        self,
        naturals: int,
        wilds: int,
        canastas: int = 0,
        parts: tuple[SetPart, ...] = (),
        merges: tuple[tuple[int, int], ...] = (),
        natural: int = 0,
        mixed: int = 0,
        clean: bool = False,
        splash: bool = False,
    ) -> None:
        self.naturals = naturals
        self.wilds = wilds
        self.canastas = canastas
        self.parts = parts
        self.merges = merges
        self.natural = natural
        self.mixed = mixed
        self.clean = clean
        self.splash = splash


#: In the cards of a sequence that is planned: a wild card, which is chosen last.
ANY_WILD = -1


class RunWay:
    """What a plan lays of a suit in sequences, and how many of them become canastas.

    `cards` are those of the suit, `wilds` is how many wild cards there are with them (ANY_WILD in
    `runs`), and `natural` and `mixed` how many of the canastas are so, if sequences can be.
    """

    __slots__ = ("canastas", "cards", "kind", "mixed", "natural", "runs", "wilds")

    def __init__(
        self,
        runs: tuple[LaidSequence, ...],
        canastas: int,
        kind: int = 0,
        natural: int = 0,
        mixed: int = 0,
    ) -> None:
        self.runs = runs
        self.kind = kind
        self.cards = tuple([code for _, laid in runs for code in laid if code != ANY_WILD])
        self.wilds = sum(len(laid) for _, laid in runs) - len(self.cards)
        self.canastas = canastas
        self.natural = natural
        self.mixed = mixed


@lru_cache(maxsize=20_000)
def run_spans(
    counts: tuple[int, ...], standing: tuple[int, ...], most: int
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the choices of sequences in one suit, each as the spans (lowest and highest rank).

    `counts` are the cards of the hand by rank, `standing` the ranks of sequences on the table, as
    bits, and `most` is how many can be begun. The spans of those on the table come first.
    """
    found: list[tuple[tuple[int, int], ...]] = []
    left = list(counts)

    def fits(low: int, high: int, ranks: int) -> bool:
        return all(ranks >> rank & 1 or left[rank] for rank in range(low, high + 1))

    def use(low: int, high: int, ranks: int, change: int) -> None:
        for rank in range(low, high + 1):
            if not ranks >> rank & 1:
                left[rank] += change

    def begin(spans: tuple[tuple[int, int], ...], after: tuple[int, int], free: int) -> None:
        found.append(spans)
        for low in range(FOUR, ACE - 1) if free else ():
            for high in range(low + MELD_SIZE - 1, min(low + CANASTA_SIZE - 1, ACE) + 1):
                if (low, high) >= after and fits(low, high, 0):
                    use(low, high, 0, -1)
                    begin((*spans, (low, high)), (low, high), free - 1)
                    use(low, high, 0, 1)

    def extend(at: int, spans: tuple[tuple[int, int], ...]) -> None:
        if at == len(standing):
            begin(spans, (0, 0), most)
            return
        ranks = standing[at]
        lowest = (ranks & -ranks).bit_length() - 1
        highest = ranks.bit_length() - 1
        for low in range(lowest, FOUR - 1, -1):
            for high in range(highest, ACE + 1):
                size = high - low + 1
                whole = MELD_SIZE <= size <= max(CANASTA_SIZE, highest - lowest + 1)
                if whole and fits(low, high, ranks):
                    use(low, high, ranks, -1)
                    extend(at + 1, (*spans, (low, high)))
                    use(low, high, ranks, 1)

    extend(0, ())
    return tuple(found)


@lru_cache(maxsize=20_000)
def set_ways(
    rules: Rules,
    rank: int,
    standing: tuple[MeldKinds, ...],
    naturals: int,
    wilds: int,
    free: int,
    opened: bool,
    top: int = -1,
) -> tuple[SetWay, ...]:
    """Return the ways to lay cards on the melds of one rank, and on up to `free` new ones.

    Of the ways with as many naturals and wild cards and, if going out needs some of a kind, as many
    natural and mixed canastas, only one with the most canastas is returned. The parts and the
    merges name melds on the table by their indices. `top` is the index of the meld that a taken top
    joined in this turn, or -1.
    """
    best: dict[tuple[object, ...], SetWay] = {}
    asks = asks_for_triple(rules, opened)
    barred = top if rank == ACE and not rules.onto_mixed_aces else -1
    kinds = bool(rules.out_natural or rules.out_mixed)
    at_first = _counted([(stood[0] + here[0], stood[1] + here[1]) for stood, here in standing])

    def note(parts: tuple[SetPart, ...], laid: int, wild: int) -> None:
        melds = [(stood[0] + here[0], stood[1] + here[1]) for stood, here in standing]
        fresh = [(count, more) for place, count, more in parts if place == NEW]
        for place, count, more in parts:
            if place != NEW:
                melds[place] = melds[place][0] + count, melds[place][1] + more
        for merges, after in _mergings(rules, rank, melds, opened):
            if barred >= 0 and after[_merged(barred, merges)][1]:
                continue
            counted = _counted([*after, *fresh])
            canastas = counted[0] - at_first[0]
            natural, mixed = counted[1] - at_first[1], counted[2] - at_first[2]
            if not kinds:
                natural = mixed = 0
            most = _most_clean(rules, melds, fresh, merges, top) if asks else 0
            clean = most >= MELD_SIZE
            splash = most >= CANASTA_SIZE and rules.waived == "splash"
            key = laid, wild, natural, mixed, clean, splash
            if key not in best or best[key].canastas < canastas:
                best[key] = SetWay(
                    laid, wild, canastas, parts, merges, natural, mixed, clean, splash
                )

    def begin(parts: tuple[SetPart, ...], laid: int, wild: int, most: SetPart, left: int) -> None:
        note(parts, laid, wild)
        for count in range(min(naturals - laid, most[1]), 0, -1) if left else ():
            for more in range(wilds - wild + 1):
                part = NEW, count, more
                fits = (count, more) <= most[1:] and count + more >= MELD_SIZE
                if fits and meld_holds(rules, rank, (0, 0), (count, more), opened):
                    begin((*parts, part), laid + count, wild + more, part, left - 1)

    def extend(at: int, parts: tuple[SetPart, ...], laid: int, wild: int) -> None:
        if at == len(standing):
            begin(parts, laid, wild, (NEW, naturals + 1, 0), free)
            return
        stood, here = standing[at]
        room = CANASTA_SIZE - sum(stood) - sum(here)
        for count in range(naturals - laid + 1):
            for more in range(wilds - wild + 1):
                if more and more > room and not rules.wilds_on_canasta:
                    break
                if meld_holds(rules, rank, stood, (here[0] + count, here[1] + more), opened):
                    part = ((at, count, more),) if count or more else ()
                    extend(at + 1, (*parts, *part), laid + count, wild + more)

    extend(0, (), 0, 0)
    return tuple(best.values())


def asks_for_triple(rules: Rules, opened: bool) -> bool:
    """Return whether it matters for a side's opening what is a clean triple, or a splash."""
    return not opened and (rules.clean_triple or rules.waived == "splash")


def _merged(meld: int, merges: tuple[tuple[int, int], ...]) -> int:
    """Return the index of the meld that has a meld's cards after melds were put together."""
    for one, other in merges:
        meld = other if meld == one else meld
    return meld


def _most_clean(
    rules: Rules,
    melds: list[Kinds],
    fresh: list[Kinds],
    merges: tuple[tuple[int, int], ...],
    top: int,
) -> int:
    """Return how many cards of the hand the largest clean meld of an opening has.

    Melds that are put together are left out.
    """
    left = {at for merge in merges for at in merge}
    own = [
        (naturals - (at == top and not rules.top_counts), wilds)
        for at, (naturals, wilds) in enumerate(melds)
        if at not in left
    ]
    return max((naturals for naturals, wilds in (*own, *fresh) if not wilds), default=0)


def _counted(melds: list[Kinds]) -> tuple[int, int, int]:
    """Return how many melds are canastas, and how many of these are natural and mixed."""
    canastas = [meld for meld in melds if sum(meld) >= CANASTA_SIZE]
    natural = sum(not wilds for _, wilds in canastas)
    return len(canastas), natural, len(canastas) - natural


def _mergings(
    rules: Rules, rank: int, melds: list[Kinds], opened: bool
) -> Iterator[tuple[tuple[tuple[int, int], ...], list[Kinds]]]:
    """Yield the ways to put melds together, the first one none, and the melds after each."""
    yield (), melds
    if not rules.combine:
        return
    for one, other in combinations(range(len(melds)), 2):
        if max(sum(melds[one]), sum(melds[other])) >= CANASTA_SIZE or not all(
            sum(melds[at]) for at in (one, other)
        ):
            continue
        if not rules.wilds_on_canasta:
            # A meld that brings too many wild cards to the other may take the other instead.
            ways = ((one, other), (other, one))
            fit = [way for way in ways if sum(melds[way[1]]) + melds[way[0]][1] <= CANASTA_SIZE]
            if not fit:
                continue
            one, other = fit[0]
        whole = melds[one][0] + melds[other][0], melds[one][1] + melds[other][1]
        if not meld_holds(rules, rank, (0, 0), whole, opened):
            continue
        after = melds[:]
        after[one], after[other] = (0, 0), whole
        for merges, final in _mergings(rules, rank, after, opened):
            yield ((one, other), *merges), final


@lru_cache(maxsize=20_000)
def wild_counts(
    sizes: tuple[int, ...], cap: int, wilds: int, free: int
) -> tuple[tuple[int, ...], ...]:
    """Return the ways to lay wild cards on melds of wild cards, by their sizes, and on new ones."""
    found: list[tuple[int, ...]] = []

    def begin(counts: tuple[int, ...], left: int, most: int, more: int) -> None:
        found.append(counts)
        for count in range(MELD_SIZE, min(left, most) + 1) if more else ():
            begin((*counts, count), left - count, count, more - 1)

    def extend(at: int, counts: tuple[int, ...], left: int) -> None:
        if at == len(sizes):
            begin(counts, left, cap, free)
            return
        for count in range(min(left, max(0, cap - sizes[at])) + 1):
            if sizes[at] + count >= MELD_SIZE:
                extend(at + 1, (*counts, count), left - count)

    extend(0, (), wilds)
    return tuple(found)
