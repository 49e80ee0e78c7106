"""Plans for the rest of a turn if a side may have sequences or several melds of a rank.

A card can then serve a set or a sequence, so counting by rank is not enough. A plan first says
which cards go into sequences, suit by suit; the rest is counted by rank, over all melds of the rank
and new ones. At the end, melds of a rank may be put together. `meld_ways` has what can be laid of
one suit or one rank. As in `plans`, plans only propose, and the engine decides. Each choice of
sequences, and each step of the counting, costs the budget; once its limit is reached, what was not
found is not decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import combinations

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    FOUR,
    JOKER,
    JOKER_RANK,
    KIND,
    KINDS,
    MELD_SIZE,
    OF_RANK,
    RANK,
    RED_THREE,
    SEQUENCE,
    TWO,
    is_wild,
    sequence_card,
)
from canasta_notation.engine.actions import Action, Combine, Discard, Lay
from canasta_notation.engine.packets import awaits_empty_hand
from canasta_notation.engine.sequence import others_of, read, wilds_in
from canasta_notation.engine.side import (
    bars_wilds,
    count_canastas,
    count_kind,
    count_sequences,
    counts_towards,
    dead_for,
    free_numbers,
    free_place,
    may_have_wilds,
    meld_places,
    meld_size,
    naturals_of,
    touched,
    unfinished_wilds,
    wilds_of,
)
from canasta_notation.engine.table import NOT_JUDGED, NOT_KNOWN, Table
from canasta_notation.engine.take import goes_with, naturals_owed, top_waits, unused_cards
from canasta_notation.search.meld_ways import (
    ANY_WILD,
    NEW,
    LaidSequence,
    MeldKinds,
    RunWay,
    SetWay,
    asks_for_triple,
    run_spans,
    set_ways,
    wild_counts,
)
from canasta_notation.search.plans import TRIAL, Budget
from canasta_notation.search.rows import MOST_ROWS, LaidRow, completes, row_options, row_ways
from canasta_notation.search.trial import (
    attempt,
    held_cards,
    highest_wilds,
    make_lay,
    meld_holds,
    pile_rest,
)

#: How many plans a choice of sequences costs: plans for the other cards begin anew with each.
GROWTH = 8
#: Everything about a plan that decides how a turn can end, except its points: wild cards, all cards
#: laid if their number matters, cards held back, canastas, more natural and more mixed ones, a
#: clean triple, a splash. A bare tuple, because a search makes very many.
PlacedWorth = tuple[int, int, int, int, int, int, bool, bool]
#: The indices of some of these.
WILDS, LAID, CLEAN, SPLASH = 0, 1, 6, 7
#: What a plan lays of each rank.
PlacedShares = tuple[tuple[int, SetWay], ...]
#: What a plan is worth, the points that its naturals in sets count, and what it lays of each rank.
ValuedPlan = tuple[PlacedWorth, int, PlacedShares]
#: For each worth the most points that naturals in sets count, and what is laid.
PlacedPlans = dict[PlacedWorth, tuple[int, PlacedShares]]


class PlacedPlanner:
    """The cards that a seat can lay in the rest of its turn, and plans for them."""

    def __init__(self, table: Table, budget: Budget, more: tuple[int, ...] = ()) -> None:
        self.table = table
        self.budget = budget
        self.rules = table.rules
        self.side = table.side
        #: The points of each code.
        self.points = self.rules.card_points
        #: The cards of the hand, and `more` cards that are taken to be in it.
        self.cards = sorted((*held_cards(table), *more))
        self.hand: list[list[int]] = [[] for _ in OF_RANK]
        for code in self.cards:
            self.hand[self.rules.set_of[RANK[code]]].append(code)
        #: The ranks of sets.
        self.ranks = range(self.rules.lowest_set, ACE + 1)
        #: The kind of a sequence of each card of a suit.
        self.suit_of = self.rules.sequence_of
        #: The rest of a taken pile that cannot be laid in this turn.
        taking = table.waiting or table.rest_kept
        self.kept: list[int] = pile_rest(table) if taking and not self.rules.rest_usable else []
        self.wilds = highest_wilds(self.rules, self.hand)
        self.places = meld_places(table, table.side)
        #: What can be laid of a suit in sequences, and of a rank; see `_run_ways` and `_set_ways`.
        self._runs: dict[int, list[RunWay]] = {}
        self._sets: dict[tuple[int, int, int, bool, bool], list[SetWay]] = {}
        #: How many naturals the top of a frozen pile must still be melded with.
        self.owed = naturals_owed(table)
        self.need = 0
        if not table.opened_before and table.minimums[self.side] != NOT_KNOWN:
            self.need = table.minimums[self.side] - table.count_most

    # --- staying and leaving --------------------------------------------------------------------

    def openings(self) -> Iterator[list[Action]]:
        """Yield groups after which the turn may end with a discard, fewest cards first."""
        if top_waits(self.table):
            yield from self._with_top()
            return
        due = unused_cards(self.table)
        if due:
            yield from self._with_one_of(due)
            return
        splash = self.rules.waived == "splash"
        if sum(self.points[code] for code in self.cards) < self.need and not splash:
            return
        if self._dead_end():
            return
        stops = self.table.last_three or self.rules.last_kept
        stays = 1 if stops else max(0, 2 - len(self.kept))
        stays = 0 if awaits_empty_hand(self.table) else stays
        spare = len(self.cards) - (0 if self.table.waiting else stays)
        for runs in self._run_choices():
            for plan in self._grow(runs, leave=False):
                if plan[0][LAID] <= spare and self._opens(runs, plan):
                    yield self._actions(runs, plan[2])

    def leavings(self, discard: bool | None = None) -> Iterator[list[Action]]:
        """Yield groups, and a last discard, that empty the hand with the canastas required."""
        if not self._may_leave():
            return
        if self.table.waiting:
            yield from self._late_leavings(discard)
            return
        for runs, plan, held_back in self._leaving_plans():
            if discard not in (None, bool(held_back)) or not self._opens(runs, plan):
                continue
            actions = self._actions(runs, plan[2])
            left = self.cards + self.kept
            for action in actions:
                for code in action.cards if isinstance(action, Lay) else ():
                    left.remove(code)
            yield [*actions, *map(Discard, left)]

    def _leaving_plans(self) -> Iterator[tuple[tuple[RunWay, ...], ValuedPlan, int]]:
        """Yield the plans that empty the hand with the canastas required, and the cards left.

        Not checked: that they open.
        """
        rules = self.rules
        sequences = count_sequences(self.table, self.side)
        if self._dead_end():
            return
        for runs in self._run_choices():
            if (
                self.rules.sequences_apart
                and sequences + sum(way.canastas for way in runs) < rules.out_sequences
            ):
                continue
            if not self._others_fit(runs):
                continue
            for plan in self._grow(runs, leave=True):
                wilds, _, held_back, canastas, natural, mixed, _, _ = plan[0]
                held_back += len(self.wilds) - wilds - _own_twos(runs) + len(self.kept)
                if held_back > 1 or canastas < rules.out_canastas:
                    continue
                if not self._lacks_kinds(natural, mixed):
                    yield runs, plan, held_back

    def _may_leave(self) -> bool:
        """Return whether every card but one may be laid, and there may be enough canastas.

        This is a quick check, because most hands are far from it. The cards of a waiting pile count
        too.
        """
        table = self.table
        if self.hand[RED_THREE] or len(self.kept) > 1:
            return False
        cards = self.cards + (pile_rest(table) if table.waiting and not self.kept else [])
        if top_waits(table):
            cards.append(table.taken.top)
        return self._may_be_laid(cards) and self._may_have_canastas(cards)

    def _others_fit(self, runs: tuple[RunWay, ...]) -> bool:
        """Return whether wild cards may suffice to lay all but one of the cards left by runs."""
        left = [len(held) for held in self.hand]
        for way in runs:
            for code in way.cards:
                left[self.rules.set_of[RANK[code]]] -= 1
            left[TWO] -= way.wilds
        return self._may_be_sets(left, left)

    def _may_be_laid(self, cards: list[int]) -> bool:
        """Return whether the wild cards among some cards may be enough to lay all but one.

        A card needs wild cards if no sequence can take it, and its rank has neither a meld nor
        three cards.
        """
        rules, standing = self.rules, {KIND[place] for place in self.places}
        if rules.from_ace:
            return True
        counts, ranks = [0] * len(OF_RANK), [0] * KINDS
        for code in cards:
            counts[RANK[code]] += 1
            ranks[self.suit_of[code]] |= 1 << RANK[code]
        alone = [0] * len(OF_RANK)
        for code in cards:
            kind = self.suit_of[code]
            first = ranks[kind] & ranks[kind] >> 1 & ranks[kind] >> 2
            runs = first | first << 1 | first << 2 if rules.sequences else 0
            if kind not in standing and not runs >> RANK[code] & 1:
                alone[RANK[code]] += 1
        return self._may_be_sets(counts, alone)

    def _may_be_sets(self, counts: list[int], alone: list[int]) -> bool:
        """Return the same for cards of which some of each rank can only be laid in sets."""
        rules, standing = self.rules, {KIND[place] for place in self.places}
        wilds = counts[TWO] + counts[JOKER_RANK]
        lacking = spared = 0
        for rank in (BLACK_THREE, *range(FOUR, ACE + 1)):
            if not alone[rank] or rank in standing:
                continue
            missing = max(0, MELD_SIZE - counts[rank])
            barred = missing or not rules.black_threes
            if not rules.sets[rank] or (
                barred if rank < rules.lowest_set else counts[rank] < rules.min_naturals
            ):
                missing = wilds + 1
            lacking += missing
            if alone[rank] == 1:
                # One card can be discarded instead.
                spared = max(spared, missing)
        return lacking - spared <= wilds

    def _may_have_canastas(self, cards: list[int]) -> bool:
        """Return whether the melds may become enough canastas with some cards."""
        rules, table, side = self.rules, self.table, self.side
        sizes, wilds = [0] * KINDS, 0
        for code in cards:
            if is_wild(code):
                wilds += 1
            else:
                sizes[rules.set_of[RANK[code]]] += 1
            sizes[self.suit_of[code]] += 1
        for place in self.places:
            size = meld_size(table, side, place)
            sizes[KIND[place]] += size if size < CANASTA_SIZE else 0
        sequences = 0
        for kind in range(SEQUENCE, KINDS) if rules.sequences else ():
            sequences += (sizes[kind] + rules.sequence_wilds) // CANASTA_SIZE
        canastas = count_canastas(table, side) + sequences
        for kind in (*self.ranks, JOKER_RANK):
            canastas += (sizes[kind] + wilds) // CANASTA_SIZE
        whole = count_sequences(table, side) + sequences
        return canastas >= rules.out_canastas and whole >= rules.out_sequences

    def _lacks_kinds(self, more_natural: int, more_mixed: int) -> bool:
        """Return whether too few canastas are natural, or mixed, for going out by a plan."""
        rules, table, side = self.rules, self.table, self.side
        if not rules.out_natural and not rules.out_mixed:
            return False
        unsure = sum(
            may_have_wilds(table, side, place) and meld_size(table, side, place) >= CANASTA_SIZE
            for place in self.places
            if self.rules.lowest_set <= KIND[place] <= ACE
        )
        natural = count_kind(table, side, mixed=False) + more_natural
        mixed = count_kind(table, side, mixed=True) + more_mixed
        missing = max(0, rules.out_natural - natural) + max(0, rules.out_mixed - mixed)
        return missing > unsure

    def _late_leavings(self, discard: bool | None) -> Iterator[list[Action]]:
        """Yield the same while a taken pile waits: first an opening, then with the pile's cards."""
        if not self._may_leave_late():
            return
        for groups in self.openings():
            if not self.budget.spend(TRIAL):
                return
            trial = attempt(self.table, groups, end=False)
            if trial.legal and not trial.table.waiting:
                for actions in PlacedPlanner(trial.table, self.budget).leavings(discard):
                    yield [*groups, *actions]

    def _may_leave_late(self) -> bool:
        """Return whether the hand could be emptied if it had the cards of the pile already."""
        more = pile_rest(self.table) if not self.kept else []
        if not self.table.taken.melded:
            more.append(self.table.taken.top)
        whole = PlacedPlanner(self.table, self.budget, tuple(more))
        return next(whole._leaving_plans(), None) is not None

    def _with_top(self) -> Iterator[list[Action]]:
        """Yield the ways to meld the waiting top, each with what may be laid after it."""
        naturals = self.hand[self.rules.set_of[RANK[self.table.taken.top]]]
        for group in top_groups(self.table, naturals, self.wilds):
            trial = attempt(self.table, (group,), end=False)
            if trial.legal and self.budget.spend(1):
                yield [group]
                for actions in PlacedPlanner(trial.table, self.budget).openings():
                    yield [group, *actions]

    def _with_one_of(self, due: Set[int]) -> Iterator[list[Action]]:
        """Yield the ways to meld one of some cards, each with what may be laid after it."""
        for place, cards in self.groups():
            if due.isdisjoint(cards):
                continue
            group = make_lay(place, cards)
            trial = attempt(self.table, (group,), end=False)
            if trial.legal and self.budget.spend(1):
                yield [group]
                for actions in PlacedPlanner(trial.table, self.budget).openings():
                    yield [group, *actions]

    def _opens(self, runs: tuple[RunWay, ...], plan: ValuedPlan) -> bool:
        """Return whether a plan opens, if an opening is due: by its count, and a clean triple."""
        if self.rules.clean_triple and not (self.table.opened_before or plan[0][CLEAN]):
            return False
        if self.need <= 0 or plan[0][SPLASH]:
            return True
        points = sum([self.points[code] for way in runs for code in way.cards]) + plan[1]
        return (
            points + sum([self.points[code] for code in self.wilds[: plan[0][WILDS]]]) >= self.need
        )

    def groups(self) -> Iterator[LaidSequence]:
        """Yield the groups after which their meld has a legal shape: place and cards.

        Groups that differ only in suits follow one another.
        """
        kinds = (*range(FOUR, ACE + 1), JOKER_RANK, BLACK_THREE)
        for kind in [each for each in kinds if self.rules.sets[each]]:
            places = [place for place in self.places if KIND[place] == kind]
            free = free_place(self.table, self.side, kind)
            for place in (*places, *((free,) if free >= 0 and kind != BLACK_THREE else ())):
                yield from self._groups_on(place)
            if kind == BLACK_THREE and not places:
                yield from self._groups_on(kind)
        yield from self.runs()

    def _groups_on(self, place: int) -> Iterator[LaidSequence]:
        """Yield the groups on one set, or meld of wild cards, as `groups` does."""
        if dead_for(self.table, self.side, place) >= 0:
            return
        kind = KIND[place]
        twos, jokers = self.hand[TWO], self.hand[JOKER_RANK]
        naturals = [] if kind == JOKER_RANK else self.hand[kind]
        stood, here = self._standing(place)
        table, opened = self.table, self.table.opened_before
        if top_waits(table) and kind == self.rules.set_of[RANK[table.taken.top]]:
            # The waiting top goes with the group.
            here = here[0] + (not table.taken.named or place == table.taken.place), here[1]
        if bars_wilds(table, place):
            if stood[1] + here[1]:
                return
            twos, jokers = [], []
        for count in range(len(naturals) + 1):
            for with_twos in range(len(twos) + 1 if kind >= self.rules.lowest_set else 1):
                for with_jokers in range(len(jokers) + 1 if kind >= self.rules.lowest_set else 1):
                    wilds = with_twos + with_jokers
                    laid = here[0] + count, here[1] + wilds
                    if kind < self.rules.lowest_set:
                        shaped = count >= MELD_SIZE and self.rules.black_threes
                    else:
                        shaped = meld_holds(self.rules, kind, stood, laid, opened)
                    for cards in _choices(naturals, count) if shaped and count + wilds else ():
                        yield place, (*cards, *twos[:with_twos], *jokers[:with_jokers])

    # --- sequences ------------------------------------------------------------------------------

    def runs(self) -> Iterator[LaidSequence]:
        """Yield the groups on one sequence, new or on the table, each as place and cards."""
        for kind in range(SEQUENCE, KINDS) if self.rules.sequences else ():
            free = free_place(self.table, self.side, kind)
            if self.rules.from_ace:
                yield from self._all_rows(kind, free)
                continue
            for way in self._run_ways(kind):
                if len(way.runs) == 1:
                    place, cards = way.runs[0]
                    yield (free if place == NEW else place), cards

    def _dead_end(self) -> bool:
        """Return whether a meld has a shape that no cards of the hand can make legal."""
        wilds = len(self.wilds)
        return not all(
            self._set_ways(rank, len(self.hand[rank]), wilds, leave=False, finish=False)
            for rank in self.ranks
        )

    def _run_choices(self) -> Iterator[tuple[RunWay, ...]]:
        """Yield the choices of sequences in all suits, fewest cards first, within the budget."""
        kinds = range(SEQUENCE, KINDS) if self.rules.sequences else ()
        suits = [_distinct(self._run_ways(kind)) for kind in kinds]
        #: How many cards can be laid in all, before each suit those of this suit and the next ones.
        sums: list[set[int]] = [{0}]
        for ways in reversed(suits):
            sums.insert(0, {laid + len(way.cards) for laid in sums[0] for way in ways})
        for laid in sorted(sums[0]):
            for choice in _with_sum(suits, sums, (), laid):
                if not self.budget.spend(GROWTH):
                    return
                yield choice

    def _run_ways(self, kind: int) -> list[RunWay]:
        """Return what can be laid of a suit, so that its sequences have legal shapes."""
        if kind in self._runs:
            return self._runs[kind]
        if self.rules.from_ace:
            self._runs[kind] = self._row_ways(kind)
            return self._runs[kind]
        counts = [0] * (ACE + 1)
        for code in self.cards:
            if self.suit_of[code] == kind:
                counts[RANK[code]] += 1
        standing = []
        for place in self.places:
            ranks = self.table.sequences[self.side * self.table.places + place]
            if KIND[place] == kind and ranks != NOT_JUDGED:
                standing.append((place, int(ranks)))
        most = self._free_numbers(kind)
        ways = []
        for spans in run_spans(tuple(counts), tuple(ranks for _, ranks in standing), most):
            runs: list[LaidSequence] = []
            canastas = 0
            for at, (low, high) in enumerate(spans):
                place, ranks = standing[at] if at < len(standing) else (NEW, 0)
                added = [rank for rank in range(low, high + 1) if not ranks >> rank & 1]
                before = meld_size(self.table, self.side, place) if place != NEW else 0
                canastas += before < CANASTA_SIZE <= high - low + 1
                if added:
                    runs.append((place, tuple(sequence_card(kind, rank) for rank in added)))
            ways.append(RunWay(tuple(runs), canastas))
        self._runs[kind] = ways
        return ways

    # --- sequences from the ace on --------------------------------------------------------------

    def _suit_counts(self, kind: int) -> tuple[int, ...]:
        """Return how many cards of a suit the hand has, by rank."""
        counts = [0] * (TWO + 1)
        for code in self.cards:
            if self.suit_of[code] == kind:
                counts[self.rules.set_of[RANK[code]]] += 1
        return tuple(counts)

    def _standing_rows(self, kind: int) -> list[tuple[int, tuple[int, int]]]:
        """Return the sequences of a suit on the table: place, own cards and other wild cards."""
        found = []
        for place in self.places:
            at = self.side * self.table.places + place
            if KIND[place] == kind and self.table.sequences[at] != NOT_JUDGED:
                own = int(self.table.sequences[at])
                found.append((place, (own, int(others_of(self.table, at)))))
        return found

    def _all_rows(self, kind: int, free: int) -> Iterator[LaidSequence]:
        """Yield the groups on one sequence of a suit, with which a waiting top goes if it fits."""
        taken = self.table.taken
        if not top_waits(self.table):
            yield from self._rows(kind, free)
        elif taken.named and KIND[taken.place] == kind:
            yield from (each for each in self._rows(kind, free) if each[0] != taken.place)
            yield from (each for each in self.with_top_card(kind, free) if each[0] == taken.place)
        elif not taken.named and goes_with(self.table, kind):
            yield from self.with_top_card(kind, free)
        else:
            yield from self._rows(kind, free)

    def with_top_card(self, kind: int, free: int) -> Iterator[LaidSequence]:
        """Yield the cards of the hand that are in a sequence together with the waiting top."""
        top = int(self.table.taken.top)
        planner = PlacedPlanner(self.table, Budget(), (top,))
        for place, cards in planner._rows(kind, free):
            if top in cards and len(cards) > 1:
                left = list(cards)
                left.remove(top)
                yield place, tuple(left)

    def _rows(self, kind: int, free: int) -> Iterator[LaidSequence]:
        """Yield the groups on one sequence of a suit, with each kind of wild card."""
        counts, wilds = self._suit_counts(kind), len(self.wilds)
        begun = [(free, (0, 0))] if free >= 0 else []
        for place, standing in (*self._standing_rows(kind), *begun):
            for row in row_options(self.rules, *standing, counts, wilds):
                cards = self._row_cards(kind, row)
                left = list(self.wilds)
                for code in cards:
                    if code in left:
                        left.remove(code)
                # Twos of other suits are alike.
                for more in {
                    tuple(
                        JOKER if RANK[each] != TWO else self.suit_of[each] == kind for each in way
                    ): way
                    for way in combinations(left, row.wilds)
                }.values():
                    yield place, (*cards, *more)

    def _row_cards(self, kind: int, row: LaidRow) -> tuple[int, ...]:
        """Return cards of the hand for the ranks that are added to a sequence."""
        left = [code for code in self.cards if self.suit_of[code] == kind]
        cards = []
        for rank in row.ranks:
            code = next(each for each in left if self.rules.set_of[RANK[each]] == rank)
            left.remove(code)
            cards.append(code)
        return tuple(cards)

    def _row_ways(self, kind: int) -> list[RunWay]:
        """Return what `_run_ways` does for sequences that begin with an ace."""
        standing, apart = self._standing_rows(kind), self.rules.sequences_apart
        found = row_ways(
            self.rules,
            tuple(rows for _, rows in standing),
            self._suit_counts(kind),
            len(self.wilds),
            min(self._free_numbers(kind), 2),
        )
        if len(found) >= MOST_ROWS:
            self.budget.complete = False
        ways = []
        for rows in found:
            runs = []
            canastas = natural = mixed = 0
            for at, row in rows:
                place = standing[at][0] if at >= 0 else NEW
                before = meld_size(self.table, self.side, place) if at >= 0 else 0
                runs.append((place, (*self._row_cards(kind, row), *(ANY_WILD,) * row.wilds)))
                wild = wilds_in(read(self.rules, row.own, row.others), row.own, row.others) > 0
                canastas += completes(before, row)
                if not apart:
                    was = before >= CANASTA_SIZE
                    mixed_before = was and wilds_of(self.table, self.side, place) > 0
                    whole = row.size >= CANASTA_SIZE
                    natural += int(whole and not wild) - int(was and not mixed_before)
                    mixed += int(whole and wild) - int(mixed_before)
            ways.append(RunWay(tuple(runs), canastas, kind, natural, mixed))
        return [way for way in ways if self._holds_cards(way)]

    def _holds_cards(self, way: RunWay) -> bool:
        """Return whether the hand has the wild cards of a way besides the twos that it names."""
        return way.wilds + sum(is_wild(code) for code in way.cards) <= len(self.wilds)

    def _free_numbers(self, kind: int) -> int:
        """Return how many further melds of a kind can be numbered."""
        if not (self.rules.several and free_numbers(self.rules, kind)):
            return 0 if meld_size(self.table, self.side, kind) else 1
        places = range(kind, self.table.places, KINDS)
        return sum(not meld_size(self.table, self.side, place) for place in places)

    # --- sets -----------------------------------------------------------------------------------

    def _grow(self, runs: tuple[RunWay, ...], *, leave: bool) -> Iterator[ValuedPlan]:
        """Yield the best plans for the cards that are not in sequences: worth, points, and ways."""
        used = [0] * len(OF_RANK)
        for way in runs:
            for code in way.cards:
                used[self.rules.set_of[RANK[code]]] += 1
        wild = sum(way.wilds for way in runs)
        laid = sum(used) + wild
        twos = _own_twos(runs)
        if wild + twos > len(self.wilds):
            return
        canastas = count_canastas(self.table, self.side) + sum([way.canastas for way in runs])
        clean = self._asks() and self._clean_run(runs)
        natural, mixed = sum(way.natural for way in runs), sum(way.mixed for way in runs)
        start = (wild, 0 if leave else laid, 0, canastas, natural, mixed, clean, False)
        unfinished = self.rules.wild_meld_first and unfinished_wilds(self.table, self.side)
        for finish in (False, True) if unfinished else (False,):
            plans: PlacedPlans = {start: (0, ())}
            for rank in (*range(FOUR, ACE + 1), BLACK_THREE, JOKER_RANK):
                left = 0 if rank == JOKER_RANK else len(self.hand[rank]) - used[rank]
                wilds = 0 if unfinished and not finish else len(self.wilds) - twos - wild
                ways = self._set_ways(rank, left, wilds, leave=leave, finish=finish)
                plans = self._step(plans, rank, left, ways, len(self.wilds) - twos, leave=leave)
            order = sorted(plans.items(), key=lambda plan: plan[0][LAID])
            for worth, (points, shares) in order:
                yield worth, points, shares

    def _asks(self) -> bool:
        """Return whether it matters for the opening what is a clean triple, or a splash."""
        return asks_for_triple(self.rules, self.table.opened_before)

    def _clean_run(self, runs: tuple[RunWay, ...]) -> bool:
        """Return whether a sequence is a clean triple: a new one, or one laid in this turn."""
        if any(place == NEW for way in runs for place, _ in way.runs):
            return True
        laid = self.table.laid_from_hand
        return any(
            KIND[each] >= SEQUENCE and laid[each] >= MELD_SIZE for each in touched(self.table)
        )

    def _step(
        self,
        plans: PlacedPlans,
        rank: int,
        left: int,
        ways: list[SetWay],
        most: int,
        *,
        leave: bool,
    ) -> PlacedPlans:
        """Return the plans with each way to lay one more rank, with `most` wild cards in all."""
        idle = len(ways) == 1 and not (ways[0].parts or ways[0].clean)
        if idle and not (leave and left):
            return plans
        if not self.budget.spend(len(plans) * len(ways) // 8 + 1):
            return {}
        grown: PlacedPlans = {}
        needed = self.rules.out_canastas
        points_of = self.rules.rank_points[rank] if counts_towards(self.table, rank) else 0
        for worth, (points, shares) in plans.items():
            wilds, laid, held_back, canastas, natural, mixed, clean, splash = worth
            for way in ways:
                held = held_back + (left - way.naturals if leave else 0)
                if wilds + way.wilds > most or held > 1:
                    continue
                added = (
                    wilds + way.wilds,
                    0 if leave else laid + way.naturals + way.wilds,
                    held,
                    min(canastas + way.canastas, needed),
                    natural + way.natural,
                    mixed + way.mixed,
                    clean or way.clean,
                    splash or way.splash,
                )
                more = points + (0 if rank == JOKER_RANK else way.naturals * points_of)
                if added not in grown or grown[added][0] < more:
                    grown[added] = (
                        more,
                        ((*shares, (rank, way)) if way.parts or way.merges else shares),
                    )
        return grown

    def _set_ways(
        self, rank: int, left: int, wilds: int, *, leave: bool, finish: bool
    ) -> list[SetWay]:
        """Return the ways to lay up to `left` naturals and `wilds` wild cards of a rank."""
        key = rank, left, wilds, leave, finish
        if key not in self._sets:
            self._sets[key] = self._found_sets(rank, left, wilds, leave=leave, finish=finish)
        return self._sets[key]

    def _found_sets(
        self, rank: int, left: int, wilds: int, *, leave: bool, finish: bool
    ) -> list[SetWay]:
        """Find what `_set_ways` returns."""
        nothing = SetWay(0, 0)
        if KIND[rank] < TWO and not self.rules.sets[rank]:
            return [nothing]
        if rank < self.rules.lowest_set:
            ways = [nothing]
            if leave and self.rules.black_threes:
                ways += [
                    SetWay(count, 0, 0, ((BLACK_THREE, count, 0),))
                    for count in range(max(MELD_SIZE, left - 1), left + 1)
                ]
            return ways
        if rank == JOKER_RANK:
            return (
                self._wild_ways(len(self.wilds), finish=finish)
                if self.rules.all_wild
                else [nothing]
            )
        places = [place for place in self.places if KIND[place] == rank]
        if not places and left < self.rules.min_naturals:
            return [nothing]
        if dead_for(self.table, self.side, rank) >= 0:
            return [nothing]
        fewest = max(0, left - 1) if leave else 0
        standing = tuple(self._standing(place) for place in places)
        ways = []
        free = self._free_numbers(rank)
        opened, top = self.table.opened_before, -1
        if self.table.took and self.table.taken.melded and self.table.taken.place in places:
            top = places.index(int(self.table.taken.place))
        owed = self.owed if rank == RANK[self.table.taken.top] else 0
        if owed > sum(self.table.taken.before[code] for code in OF_RANK[rank]):
            return []
        for way in set_ways(self.rules, rank, standing, left, wilds, free, opened, top):
            if owed and not any(part[0] == top and part[1] >= owed for part in way.parts):
                continue
            if way.naturals >= fewest:
                named = tuple(
                    (places[part[0]] if part[0] != NEW else NEW, part[1], part[2])
                    for part in way.parts
                )
                merges = tuple((places[one], places[other]) for one, other in way.merges)
                laid = way.naturals, way.wilds, way.canastas
                ways.append(
                    SetWay(*laid, named, merges, way.natural, way.mixed, way.clean, way.splash)
                )
        return ways

    def _standing(self, place: int) -> MeldKinds:
        """Return the naturals and wild cards of a meld before the turn, and those laid in it."""
        table = self.table
        laid = (0, 0)
        if place in touched(table):
            laid = table.laid_naturals[place], table.laid_wilds[place]
        naturals = naturals_of(table, self.side, place) - laid[0]
        wilds = wilds_of(table, self.side, place) - laid[1]
        return (naturals, wilds), laid

    def _wild_ways(self, wilds: int, *, finish: bool) -> list[SetWay]:
        """Return the ways to lay wild cards on melds of their own."""
        cap = self.rules.caps[JOKER_RANK]
        places = [place for place in self.places if KIND[place] == JOKER_RANK]
        sizes = tuple(int(meld_size(self.table, self.side, place)) for place in places)
        free = self._free_numbers(JOKER_RANK)
        ways = []
        for counts in wild_counts(sizes, int(min(cap, 1000)), wilds, free):
            final = [*sizes, *[0] * (len(counts) - len(sizes))]
            whole = True
            gained = 0
            for at, count in enumerate(counts):
                gained += final[at] < CANASTA_SIZE <= final[at] + count
                if at < len(sizes) and final[at] + count < CANASTA_SIZE:
                    whole = False
            if finish and not whole:
                continue
            parts = tuple(
                (places[at] if at < len(places) else NEW, 0, count)
                for at, count in enumerate(counts)
                if count
            )
            here = [sum(self._standing(place)[1]) for place in places]
            laid = [count + sum(here[at : at + 1]) for at, count in enumerate(counts)]
            most = max(laid, default=0) if self._asks() else 0
            clean = most >= MELD_SIZE and self.rules.wild_triple
            splash = most >= CANASTA_SIZE and self.rules.waived == "splash"
            ways.append(SetWay(0, sum(counts), gained, parts, (), clean=clean, splash=splash))
        return ways

    # --- as actions -----------------------------------------------------------------------------

    def _actions(self, runs: tuple[RunWay, ...], shares: PlacedShares) -> list[Action]:
        """Return the actions of a plan: sequences, sets, melds put together, black threes last.

        Melds of wild cards on the table are finished first, and new ones come after the sets.
        """
        wilds, naturals = self.wilds[:], [cards[:] for cards in self.hand]
        if self.owed:
            naturals[RANK[self.table.taken.top]].sort(
                key=lambda code: self.table.taken.before[code] == 0
            )
        begun: dict[int, int] = {}
        first: list[Action] = []
        middle: list[Action] = []
        last: list[Action] = []
        for way in runs:
            for code in way.cards:
                naturals[self.rules.set_of[RANK[code]]].remove(code)
                if is_wild(code):
                    wilds.remove(code)
        for way in runs:
            for place, planned in way.runs:
                cards = tuple([wilds.pop(0) if each == ANY_WILD else each for each in planned])
                kind = way.kind or int(self.suit_of[cards[0]])
                middle.append(
                    make_lay(self._numbered(kind, begun) if place == NEW else place, cards)
                )
        # The melds of wild cards get theirs last, so that the jokers count where they can.
        for rank, share in shares:
            for place, count, wild in share.parts:
                cards = (*naturals[rank][:count], *wilds[:wild])
                del naturals[rank][:count], wilds[:wild]
                at = self._numbered(rank, begun) if place == NEW else place
                if rank < self.rules.lowest_set or (rank == JOKER_RANK and place == NEW):
                    last.append(make_lay(at, cards))
                else:
                    (first if rank == JOKER_RANK else middle).append(make_lay(at, cards))
            middle += [Combine(one, other) for one, other in share.merges]
        last.sort(key=lambda action: isinstance(action, Lay) and action.rank == BLACK_THREE)
        return [*first, *middle, *last]

    def _numbered(self, kind: int, begun: dict[int, int]) -> int:
        """Return the place of a new meld; `begun` counts those that the plan has begun."""
        number = begun[kind] = begun.get(kind, 0) + 1
        if not (self.rules.several and free_numbers(self.rules, kind)):
            return kind
        free = [
            place
            for place in range(kind, self.table.places, KINDS)
            if not meld_size(self.table, self.side, place)
        ]
        return free[number - 1]


def _own_twos(runs: tuple[RunWay, ...]) -> int:
    """Return how many twos are planned in the places of their own suits."""
    return sum(is_wild(code) for way in runs for code in way.cards)


def _distinct(ways: list[RunWay]) -> list[RunWay]:
    """Return the ways without those that lay the same cards as an earlier one, to no other end."""
    found: dict[tuple[object, ...], RunWay] = {}
    for way in ways:
        begins = any(place == NEW for place, _ in way.runs)
        kinds = way.wilds, way.natural, way.mixed
        found.setdefault((tuple(sorted(way.cards)), way.canastas, begins, kinds), way)
    return [*found.values()]


def _with_sum(
    suits: list[list[RunWay]], sums: list[set[int]], chosen: tuple[RunWay, ...], laid: int
) -> Iterator[tuple[RunWay, ...]]:
    """Yield the choices that begin with some ways and lay this many cards in the other suits."""
    at = len(chosen)
    if at == len(suits):
        yield chosen
        return
    for way in suits[at]:
        left = laid - len(way.cards)
        if left in sums[at + 1]:
            yield from _with_sum(suits, sums, (*chosen, way), left)


def _choices(naturals: list[int], count: int) -> Iterator[tuple[int, ...]]:
    """Yield the choices of a number of cards of a rank, by their suits."""
    yield from dict.fromkeys(combinations(naturals, count))


# --- the top of a taken pile ----------------------------------------------------------------------


def _row_groups(table: Table) -> Iterator[Lay]:
    """Yield groups of hand cards with which the waiting top begins a sequence, or joins one."""
    planner = PlacedPlanner(table, Budget())
    for kind in range(SEQUENCE, KINDS):
        if goes_with(table, kind):
            for place, cards in planner.with_top_card(kind, free_place(table, table.side, kind)):
                yield make_lay(place, cards)


def top_groups(table: Table, naturals: Sequence[int], wilds: Sequence[int] = ()) -> Iterator[Lay]:
    """Yield the groups with which a waiting top can be melded: pairs, or a natural and a wild card.

    `naturals` are the cards of its rank in the hand, `wilds` the wild cards.
    """
    rank = table.rules.set_of[RANK[table.taken.top]]
    if table.taken.named:
        places = [table.taken.place]
    else:
        places = [place for place in meld_places(table, table.side) if KIND[place] == rank]
        free = free_place(table, table.side, rank)
        places += [free] if free >= 0 else []
    for pair in dict.fromkeys(combinations(naturals, 2)):
        for place in places:
            yield make_lay(place, pair)
    if table.rules.from_ace and not table.taken.named:
        yield from _row_groups(table)
    free = free_place(table, table.side, rank)
    if not (table.rules.with_wild and naturals and free >= 0):
        return
    for wild in {RANK[code]: code for code in wilds}.values():
        yield make_lay(free, (naturals[0], wild))
