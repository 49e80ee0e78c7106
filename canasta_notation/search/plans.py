"""Plans for the rest of a turn: which groups would open, and which would empty the hand.

A plan says for each rank how many naturals and wild cards are laid: early, from the hand, and, if a
taken pile waits, late, when the cards of its rest can be used. Plans only propose; the engine
decides whether they are legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    FOUR,
    JOKER,
    JOKER_RANK,
    MELD_SIZE,
    OF_RANK,
    RANK,
    RED_THREE,
    SEVEN,
    TWO,
    UNKNOWN_RANK,
)
from canasta_notation.engine.actions import Action, Discard, Lay
from canasta_notation.engine.knowledge import unknown_melded
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.side import (
    bars_wilds,
    count_canastas,
    count_kind,
    counts_towards,
    dead_for,
    may_have_wilds,
    meld_size,
    naturals_of,
    touched,
    wilds_of,
)
from canasta_notation.engine.table import NOT_KNOWN, Table
from canasta_notation.engine.turn import end_turn
from canasta_notation.search.trial import (
    MELDABLE,
    attempt,
    held_cards,
    highest_wilds,
    make_lay,
    meld_holds,
    pile_rest,
)

#: Findings at the turn's end that say how the top of a taken pile was melded.
OF_THE_TAKE = ("pile-frozen", "pile-unmeldable", "meld-naturals", "meld-short")
#: How many plans one search may grow, which takes less than a twentieth of a second. In random
#: games of every profile, nearly every question needs fewer than 5,000.
MOST_PLANS = 20_000
#: How many plans a trial of an opening costs: the engine takes longer to judge one than to grow it.
TRIAL = 20
#: More cards than any hand holds.
NO_LIMIT = 1_000_000
#: Openings are searched for in steps, by how many cards they lay.
LAID = (0, 4, 8, 16, NO_LIMIT)


class Budget:
    """How many plans a search may still grow, and what earlier searches have found.

    All searches for one question share a budget, so they must start from the same table. Long hands
    have more plans than can be tried. A search that finds nothing before the limit is `reached` has
    decided nothing; the answer to the question is then not `complete`.
    """

    def __init__(self, plans: int = MOST_PLANS) -> None:
        self.most = self.left = plans
        self.complete = True
        #: Whether the top can be melded, by the naturals and wild cards laid on its rank in this
        #: turn, and those laid next.
        self.tops: dict[tuple[int, int, int, int], bool] = {}
        #: What can be laid of a rank, by everything that it depends on.
        self.ways: dict[tuple[object, ...], Ways] = {}

    @property
    def reached(self) -> bool:
        """Whether a search was stopped because no plans were left."""
        return self.left < 0

    def renew(self) -> None:
        """Let the next search of the question grow as many plans as the first."""
        self.left = self.most

    def spend(self, plans: int) -> bool:
        """Take plans from the budget; return False if it does not have that many left."""
        if self.left < plans:
            self.left = -1
            self.complete = False
            return False
        self.left -= plans
        return True


class Share(NamedTuple):
    """What a plan lays of one rank: naturals and wild cards, early and late; a card held back."""

    rank: int
    naturals: int
    wilds: int
    late_naturals: int = 0
    late_wilds: int = 0
    held_back: int = 0


class Worth(NamedTuple):
    """Everything about a plan that decides how a turn can end, except its points."""

    wilds: int = 0
    early_wilds: int = 0
    laid: int = 0
    held_back: int = 0
    canastas: int = 0
    clean: bool = False
    splash: bool = False
    unfinished: bool = False
    #: More natural and mixed canastas, if going out needs some of a kind.
    natural: int = 0
    mixed: int = 0


#: A number of naturals and of wild cards.
Kinds = tuple[int, int]
#: What can be laid of a rank, each share with its worth.
Ways = list[tuple[Share, Worth]]
#: Finds what can be laid of a rank; the flag is a key of the result of `Planner._all_ways`.
ShareFinder = Callable[[int, bool], Iterator[tuple[Share, Worth]]]
#: For each worth the most points that naturals laid early count, and the shares.
Plans = dict[Worth, tuple[int, tuple[Share, ...]]]

#: What can be laid of a rank, by the rules and everything else that it depends on, and how many
#: plans it took to find; and how many of these are remembered.
_KNOWN: Final[dict[tuple[Rules, tuple[object, ...]], tuple[Ways, int]]] = {}
_MOST_KNOWN: Final = 10_000


class Planner:
    """The cards that a seat can lay in the rest of its turn, and plans for them."""

    def __init__(self, table: Table, budget: Budget) -> None:
        self.table = table
        self.budget = budget
        self.rules = table.rules
        self.side = table.side
        #: The points of each code.
        self.points = self.rules.card_points
        self.hand: list[list[int]] = [[] for _ in OF_RANK]
        for code in held_cards(table):
            self.hand[RANK[code]].append(code)
        self.rest: list[list[int]] = [[] for _ in OF_RANK]
        #: The rest of a taken pile that cannot be laid in this turn.
        self.kept: list[int] = []
        for code in pile_rest(table) if table.waiting or table.rest_kept else ():
            if self.rules.rest_usable:
                self.rest[RANK[code]].append(code)
            else:
                self.kept.append(code)
        self.wilds = highest_wilds(self.rules, self.hand)
        self.rest_wilds = self.rest[JOKER_RANK] + self.rest[TWO]
        #: The rank of a taken top that is not melded yet, and of one that needs cards of the hand;
        #: UNKNOWN_RANK if there is none.
        self.top = RANK[table.taken.top] if table.took and not table.taken.melded else UNKNOWN_RANK
        #: By rank, naturals and wild cards laid in this turn, with the top, and before it.
        self.laid, self.stood = self._melds()
        waits = table.took and self._take_fails(())
        self.pending = RANK[table.taken.top] if waits else UNKNOWN_RANK
        self.need = self._need()

    def _melds(self) -> tuple[list[Kinds], list[Kinds]]:
        """Return, for each rank, the naturals and wild cards laid in this turn, and before it."""
        table, side = self.table, self.side
        laid = [(0, 0)] * UNKNOWN_RANK
        for rank in touched(table):
            laid[rank] = table.laid_naturals[rank], table.laid_wilds[rank]
        stood = [
            (
                naturals_of(table, side, rank) + unknown_melded(table, side, rank) - laid[rank][0],
                wilds_of(table, side, rank) - laid[rank][1],
            )
            for rank in range(UNKNOWN_RANK)
        ]
        if self.top != UNKNOWN_RANK:
            laid[self.top] = laid[self.top][0] + 1, laid[self.top][1]
        return laid, stood

    def _take_fails(self, actions: tuple[Action, ...]) -> bool:
        """Return whether the engine objects to how the top is melded after these groups."""
        trial = attempt(self.table, actions, end=False)
        end_turn(trial.table, "")
        top = self.table.taken.place
        return any(
            each.code in OF_THE_TAKE and each.facts.get("meld", top) == top
            for each in trial.table.violations
        )

    def _need(self) -> int:
        """Return the points that the opening still lacks."""
        table = self.table
        if table.opened_before or table.minimums[self.side] == NOT_KNOWN:
            return 0
        counted = self.rules.rank_points[self.top] if self.rules.top_counts else 0
        return table.minimums[self.side] - table.count_most - counted

    # --- staying --------------------------------------------------------------------------------

    def openings(self) -> Iterator[list[Lay]]:
        """Yield groups that complete the opening, and meld a waiting top, fewest cards first."""
        if not self._may_open():
            return
        if self.table.opened_before:
            # First only what must be laid. More seldom helps, and a long hand has many ways.
            yield from self._openings(self._all_ways(self._least_shares, MELDABLE), 0, NO_LIMIT)
        # Few cards are nearly always enough, and a long hand has many ways to lay many cards.
        all_ways = self._all_ways(self._shares, MELDABLE)
        cards = sum([len(codes) for codes in (*self.hand, *self.rest)])
        for fewest, most in pairwise(LAID):
            if fewest < cards:
                yield from self._openings(all_ways, fewest, most)

    def _openings(
        self, all_ways: dict[bool, list[Ways]], fewest: int, most: int
    ) -> Iterator[list[Lay]]:
        """Yield the openings of more than `fewest` cards and not more than `most`."""
        found: list[tuple[int, tuple[Share, ...], bool]] = []
        for finish, ways in all_ways.items():
            for worth, (points, shares) in self._grow(ways, most).items():
                if self._opens(worth, points) and worth.laid > fewest:
                    found.append((worth.laid, shares, finish))
        for _, shares, finish in sorted(found, key=lambda plan: plan[0]):
            yield self._groups(shares, wild_meld_first=finish)

    def _may_open(self) -> bool:
        """Return whether what can be melded counts enough, so that plans for an opening are useful.

        This is a quick check: of the ranks that need a wild card, it counts those worth most, one
        for each wild card.
        """
        rules = self.rules
        if self.table.opened_before or rules.waived == "splash":
            return True
        wilds = len(self.wilds)
        points = sum([self.points[code] for code in self.wilds])
        points += rules.rank_points[BLACK_THREE] * len(self.hand[BLACK_THREE])
        clean = not rules.clean_triple
        clean |= rules.wild_triple and wilds + self._size(JOKER_RANK) >= MELD_SIZE
        short: list[int] = []
        for rank in range(FOUR, TWO):
            held = len(self.hand[rank])
            naturals = held + self.laid[rank][0] + self.stood[rank][0]
            if naturals >= MELD_SIZE:
                clean = True
            cards = held + self._size(rank) + (1 if rank == self.top else 0)
            if cards >= MELD_SIZE or rank == self.pending:
                points += rules.rank_points[rank] * held
            elif naturals >= rules.min_naturals:
                short.append(rules.rank_points[rank] * held)
        short.sort(reverse=True)
        return clean and points + sum(short[:wilds]) >= self.need

    def _opens(self, worth: Worth, points: int) -> bool:
        if self.table.opened_before:
            return True
        if worth.splash:
            return worth.clean
        wilds = sum(self.points[code] for code in self.wilds[: worth.early_wilds])
        return worth.clean and points + wilds >= self.need

    # --- leaving --------------------------------------------------------------------------------

    def leavings(self, discard: bool | None = None) -> Iterator[list[Action]]:
        """Yield groups, and a last discard, that empty the hand with the canastas required."""
        waived = self.rules.waived == "out-concealed-from-stock" and self.table.drew
        if self.hand[RED_THREE] or not (waived or self._may_open()) or not self._may_leave():
            return
        ranks = (*self.hand[:UNKNOWN_RANK], *self.rest[:UNKNOWN_RANK], self.kept)
        cards = Counter(code for codes in ranks for code in codes)
        total = len(self.wilds) + len(self.rest_wilds)
        for finish, ways in self._all_ways(self._all, (*MELDABLE, BLACK_THREE)).items():
            for worth, (points, shares) in self._grow(ways, NO_LIMIT).items():
                held_back = worth.held_back + total - worth.wilds + len(self.kept)
                if held_back > 1 or worth.canastas < self.rules.out_canastas or worth.unfinished:
                    continue
                if self._lacks_kinds(worth):
                    continue
                if discard not in (None, bool(held_back)) or not (
                    waived or self._opens(worth, points)
                ):
                    continue
                groups = self._groups(shares, wild_meld_first=finish)
                laid = Counter(code for group in groups for code in group.cards)
                # At most one card is left.
                yield [*groups, *map(Discard, cards - laid)]

    def _may_leave(self) -> bool:
        """Return whether the wild cards are enough to lay all but one card, and for canastas.

        This is a quick check, because most hands are far from it.
        """
        table = self.table
        if len(self.kept) > 1:
            return False
        wilds = len(self.wilds) + len(self.rest_wilds)
        canastas = count_canastas(table, self.side)
        lacking = spared = 0
        for rank in (*MELDABLE, BLACK_THREE):
            naturals = 1 if rank == self.top else 0
            if rank != JOKER_RANK:
                naturals += len(self.hand[rank]) + len(self.rest[rank])
            size = self._size(rank)
            canastas += size < CANASTA_SIZE <= size + naturals + wilds
            if naturals and size + naturals < MELD_SIZE:
                lacking += MELD_SIZE - size - naturals
                if naturals == 1:
                    # One card can be discarded instead.
                    spared = max(spared, MELD_SIZE - size - naturals)
        return lacking - spared <= wilds and canastas >= self.rules.out_canastas

    # --- growing plans --------------------------------------------------------------------------

    def _all_ways(self, shares_of: ShareFinder, ranks: tuple[int, ...]) -> dict[bool, list[Ways]]:
        """Return the shares of each rank that can be laid, the ranks with the fewest first.

        There is an entry for each choice about an unfinished meld of wild cards, if the rules want
        it finished before other melds take wild cards. With True, it becomes a canasta first; with
        False, it does not, and no other meld takes a wild card.
        """
        unfinished = 0 < self._size(JOKER_RANK) < CANASTA_SIZE
        choices = (False, True) if self.rules.wild_meld_first and unfinished else (False,)
        layable = [rank for rank in ranks if self._may_lay(rank)]
        return {
            finish: sorted([self._ways(shares_of, rank, finish) for rank in layable], key=len)
            for finish in choices
        }

    def _may_lay(self, rank: int) -> bool:
        """Return whether any cards can be laid on a rank: it is held or melded."""
        if rank == JOKER_RANK:
            return self.rules.all_wild
        held = self.hand[rank] or self.rest[rank]
        return bool(held) or self._size(rank) > 0 or rank == self.top

    def _ways(self, shares_of: ShareFinder, rank: int, finish: bool) -> Ways:
        """Return the shares of a rank, from an earlier search if nothing differs.

        What another question has found costs the budget again, so that no answer depends on earlier
        questions.
        """
        table, budget = self.table, self.budget
        key = (
            *(shares_of.__name__, rank, finish, len(self.hand[rank]), len(self.rest[rank])),
            *(len(self.wilds), len(self.rest_wilds), self.laid[rank], self.stood[rank]),
            *(self._size(JOKER_RANK), self.top, self.pending),
            *(table.opened_before, table.took, table.waiting, rank == table.taken.place),
            dead_for(table, self.side, rank) >= 0,
        )
        if key in budget.ways:
            return budget.ways[key]
        shared = (self.rules, key)
        if shared in _KNOWN:
            ways, cost = _KNOWN[shared]
            if budget.spend(cost):
                budget.ways[key] = ways
            return ways
        left = budget.left
        ways = list(shares_of(rank, finish))
        if not budget.reached:
            budget.ways[key] = ways
            # What the top needs from the hand depends on more than the key.
            if rank != self.pending:
                if len(_KNOWN) == _MOST_KNOWN:
                    _KNOWN.clear()
                _KNOWN[shared] = ways, left - budget.left
        return ways

    def _grow(self, all_ways: list[Ways], most: int) -> Plans:
        """Return the best plans of not more than `most` cards, with a share of each rank.

        Returns no plans if the budget's limit is reached.
        """
        needed = self.rules.out_canastas
        canastas = min(count_canastas(self.table, self.side), needed)
        most_early = len(self.wilds)
        most_wilds = most_early + len(self.rest_wilds)
        plans: Plans = {Worth(canastas=canastas, clean=not self.rules.clean_triple): (0, ())}
        for rank_ways in all_ways:
            ways = [
                (share, worth, self._points(share))
                for share, worth in rank_ways
                if worth.laid <= most
            ]
            grown: Plans = {}
            if not self.budget.spend(len(plans) * len(ways)):
                return {}
            for worth, (points, shares) in plans.items():
                wilds, early, laid, held_back, canastas, clean, splash, unfinished, *kinds = worth
                for share, change, more in ways:
                    if (
                        wilds + change.wilds > most_wilds
                        or early + change.early_wilds > most_early
                        or laid + change.laid > most
                        or held_back + change.held_back > 1
                    ):
                        continue
                    added = Worth(
                        wilds + change.wilds,
                        early + change.early_wilds,
                        laid + change.laid,
                        held_back + change.held_back,
                        min(canastas + change.canastas, needed),
                        clean or change.clean,
                        splash or change.splash,
                        unfinished or change.unfinished,
                        kinds[0] + change.natural,
                        kinds[1] + change.mixed,
                    )
                    if added not in grown or grown[added][0] < points + more:
                        grown[added] = (points + more, (*shares, share))
            plans = grown
        return plans

    def _points(self, share: Share) -> int:
        """Return what a share counts for the opening, minus what all its wild cards would count.

        The wild cards of a plan are counted together; those of the taken top's meld may not count.
        """
        if counts_towards(self.table, share.rank):
            return share.naturals * self.rules.rank_points[share.rank]
        return -sum(self.points[code] for code in self.wilds[: share.wilds])

    def _shares(self, rank: int, finish: bool) -> Iterator[tuple[Share, Worth]]:
        """Yield what can be laid early of a rank, including nothing."""
        naturals = 0 if rank == JOKER_RANK else len(self.hand[rank])
        most = self._most_wilds(rank, finish, len(self.wilds))
        for count in range(naturals + 1):
            if not self.budget.spend(most + 1):
                return
            for wilds in range(most + 1):
                shaped = self.holds(rank, count, wilds) and self._finishes(rank, wilds, finish)
                if shaped and self._may_take(rank, count, wilds):
                    share = Share(rank, count, wilds)
                    yield share, self._worth(share, counted=True)

    def _least_shares(self, rank: int, finish: bool) -> Iterator[tuple[Share, Worth]]:
        """Yield the share that lays nothing of a rank or, if that is impossible, all others."""
        for share, worth in self._shares(rank, finish):
            yield share, worth
            if not share.naturals and not share.wilds:
                return

    def _all(self, rank: int, finish: bool) -> Iterator[tuple[Share, Worth]]:
        """Yield the ways to lay all naturals of a rank, or all except one that is discarded."""
        here = [] if rank == JOKER_RANK else self.hand[rank]
        there = [] if rank == JOKER_RANK else self.rest[rank]
        most = self._most_wilds(rank, finish, len(self.wilds) + len(self.rest_wilds))
        for held_back in (0, 1) if here or there else (0,):
            early = len(here) - (held_back if not there else 0)
            late = len(there) - (held_back if there else 0)
            if not self.budget.spend(most + 1):
                return
            for wilds in range(most + 1):
                if self.holds(rank, early + late, wilds) and self._finishes(rank, wilds, finish):
                    for share in self._split(rank, early, late, wilds, held_back):
                        yield share, self._worth(share, counted=False)

    def _split(
        self, rank: int, early: int, late: int, wilds: int, held_back: int
    ) -> Iterator[Share]:
        """Yield the ways to lay cards of a rank before and after the rest of a pile comes in."""
        if not self.table.waiting or not self.rules.rest_usable:
            if self._may_take(rank, early, wilds):
                yield Share(rank, early, wilds, 0, 0, held_back)
            return
        for early_wilds in range(min(wilds, len(self.wilds)) + 1):
            shaped = rank == self.pending or self.holds(rank, early, early_wilds)
            if (early or early_wilds) and shaped and self._may_take(rank, early, early_wilds):
                yield Share(rank, early, early_wilds, late, wilds - early_wilds, held_back)
        if rank != self.pending:
            yield Share(rank, 0, 0, early + late, wilds, held_back)

    def _most_wilds(self, rank: int, finish: bool, held: int) -> int:
        """Return how many wild cards a rank can be given: none if a wild meld comes first."""
        if rank == BLACK_THREE or (rank == JOKER_RANK and not self.rules.all_wild):
            return 0
        barred = 0 < self._size(JOKER_RANK) < CANASTA_SIZE and not finish
        return 0 if rank != JOKER_RANK and self.rules.wild_meld_first and barred else held

    def _finishes(self, rank: int, wilds: int, finish: bool) -> bool:
        """Return whether the share of wild cards finishes their meld if it is to be finished."""
        return rank != JOKER_RANK or not finish or self._size(rank) + wilds >= CANASTA_SIZE

    # --- one rank -------------------------------------------------------------------------------

    def _size(self, rank: int) -> int:
        """Return how many cards the side's meld of a rank holds."""
        return meld_size(self.table, self.side, rank)

    def holds(self, rank: int, naturals: int, wilds: int) -> bool:
        """Return whether the meld has a legal shape with that many more cards."""
        before, before_wilds = self.laid[rank]
        laid = before + naturals, before_wilds + wilds
        if rank == BLACK_THREE:
            return laid[0] == 0 or (laid[0] >= MELD_SIZE and self.rules.black_threes)
        if (naturals or wilds) and dead_for(self.table, self.side, rank) >= 0:
            return False
        if bars_wilds(self.table, rank) and laid[1] + self.stood[rank][1]:
            return False
        return meld_holds(self.rules, rank, self.stood[rank], laid, self.table.opened_before)

    def _may_take(self, rank: int, naturals: int, wilds: int) -> bool:
        """Return whether the engine lets that many cards of the hand take the waiting top.

        Always True for a rank that is not the top's.
        """
        if rank != self.pending:
            return True
        known = self.budget.tops
        cards = tuple(self.hand[rank][:naturals] + self.wilds[:wilds])
        if len(cards) < naturals + wilds or not cards:
            return False
        key = (*self.laid[rank], naturals, wilds)
        if key not in known:
            known[key] = not self._take_fails((make_lay(rank, cards),))
        return known[key]

    def _worth(self, share: Share, *, counted: bool) -> Worth:
        """Return the worth of a share; `counted` says that the number of cards matters."""
        rank = share.rank
        naturals = share.naturals + share.late_naturals
        wilds = share.wilds + share.late_wilds
        before = self._size(rank)
        after = before + naturals + wilds + (1 if rank == self.top else 0)
        laid, laid_wilds = self.laid[rank]
        laid_wilds += wilds
        with_top = self.table.took and rank == self.table.taken.place
        own = laid + share.naturals - with_top
        wild_meld = rank == JOKER_RANK
        clean = wild_meld or not laid_wilds
        fresh = laid + naturals + laid_wilds - (with_top and not self.rules.top_counts)
        triple = fresh >= MELD_SIZE and rank != BLACK_THREE
        splash = (laid + laid_wilds if wild_meld else own) >= CANASTA_SIZE
        natural, mixed = self._kinds(rank, before, after, wilds)
        return Worth(
            natural=natural,
            mixed=mixed,
            wilds=wilds,
            early_wilds=share.wilds,
            laid=naturals + wilds if counted else 0,
            held_back=share.held_back,
            canastas=int(before < CANASTA_SIZE <= after),
            clean=clean and triple and (self.rules.wild_triple or not wild_meld),
            splash=clean and splash and self.rules.waived == "splash",
            unfinished=self.rules.finished and self._unfinished(rank, after, wilds),
        )

    def _kinds(self, rank: int, before: int, after: int, wilds: int) -> Kinds:
        """Return how many more natural and mixed canastas there are, if these are needed."""
        needed = self.rules.out_natural or self.rules.out_mixed
        if not needed or rank in (JOKER_RANK, BLACK_THREE):
            return 0, 0
        stood = wilds_of(self.table, self.side, rank)
        was, now = before >= CANASTA_SIZE, after >= CANASTA_SIZE
        natural = (now and not stood + wilds) - (was and not stood)
        return natural, (now and stood + wilds > 0) - (was and stood > 0)

    def _lacks_kinds(self, worth: Worth) -> bool:
        """Return whether too few canastas are natural, or mixed, for going out by a plan."""
        rules, table, side = self.rules, self.table, self.side
        if not rules.out_natural and not rules.out_mixed:
            return False
        unsure = sum(
            may_have_wilds(table, side, rank) and meld_size(table, side, rank) >= CANASTA_SIZE
            for rank in range(FOUR, TWO)
        )
        natural = count_kind(table, side, mixed=False) + worth.natural
        mixed = count_kind(table, side, mixed=True) + worth.mixed
        missing = max(0, rules.out_natural - natural) + max(0, rules.out_mixed - mixed)
        return missing > unsure

    def _unfinished(self, rank: int, size: int, wilds: int) -> bool:
        mixed = rank == ACE and (wilds > 0 or wilds_of(self.table, self.side, ACE) > 0)
        return rank in (SEVEN, ACE, JOKER_RANK) and 0 < size < CANASTA_SIZE and not mixed

    # --- as actions -----------------------------------------------------------------------------

    def _groups(self, shares: tuple[Share, ...], *, wild_meld_first: bool) -> list[Lay]:
        """Return the groups of a plan: the top's rank first, black threes last.

        A meld of wild cards comes after the other groups with wild cards, or before them.
        """
        order = sorted(shares, key=lambda share: self._place(share.rank, wild_meld_first))
        groups: list[Lay] = []
        wilds, naturals = self.wilds[:], [cards[:] for cards in self.hand]
        for late in (False, True):
            for share in order:
                own = share.late_naturals if late else share.naturals
                wild = share.late_wilds if late else share.wilds
                cards = [naturals[share.rank].pop(0) for _ in range(own)]
                cards += [wilds.pop(0) for _ in range(wild)]
                if cards:
                    groups.append(make_lay(share.rank, tuple(cards)))
            wilds += self.rest_wilds
            for cards, rest in zip(naturals, self.rest, strict=True):
                cards += rest
        return groups

    def _place(self, rank: int, wild_meld_first: bool) -> int:
        if rank == JOKER_RANK:
            return -1 if wild_meld_first else JOKER
        return {self.pending: -2, BLACK_THREE: JOKER + 1}.get(rank, rank)
