"""What a player lays if a side may have sequences or several melds of a rank: by counts.

A plan first says which cards go into sequences, suit by suit. The rest is counted by rank: naturals
go on the side's meld of the rank that is not yet a canasta, or begin a meld; wild cards come last.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.arrays import array, zeros
from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    CODES,
    FIRST_OF,
    FOUR,
    JOKER,
    JOKER_RANK,
    KIND,
    KINDS,
    MELD_SIZE,
    RANKS,
    RED_THREE,
    SEQUENCE,
    SEVEN,
    TWO,
    sequence_card,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.actions import Action, Combine, Lay
from canasta_notation.engine.lay import combine, lay
from canasta_notation.engine.packets import awaits_empty_hand
from canasta_notation.engine.sequence import SECOND_ACE, is_row
from canasta_notation.engine.side import free_numbers, lacks_packet
from canasta_notation.engine.table import NOT_JUDGED, Table
from canasta_notation.players.figures import Figures
from canasta_notation.players.laying import finishes, holds
from canasta_notation.players.row_laying import (
    add_row_wild,
    begin_rows,
    is_natural_row,
    lengthen_row,
    pair_with_wild,
    row_after,
)
from canasta_notation.players.sight import own_hand

#: By suit and rank, the card of a sequence; a three has the rank of a black one.
_CARD: Final[vec[i64]] = array(
    sequence_card(kind, rank) if BLACK_THREE <= rank <= TWO else 0
    for kind in range(SEQUENCE, KINDS)
    for rank in range(RANKS)
)


class PlacedPlan:
    """What to lay: by place, naturals, wild cards, and the ranks of a sequence, a bit for each.

    `places` are those with cards, in their order. `held` and `codes` are the cards that are left,
    by rank and by code, and `spare` how many more may be laid.
    """

    __slots__ = (
        "cards", "codes", "held", "naturals", "places", "points", "points_of", "runs", "spare",
        "standing", "wilds", "wilds_left",
    )  # fmt: skip

    def __init__(self, table: Table, spare: i64) -> None:
        base = table.seat * CODES
        self.codes: vec[i64] = table.counts[base : base + CODES]
        self.held: vec[i64] = own_hand(table, table.seat)
        if table.rules.threes_melded:
            self.held[BLACK_THREE] += self.held[RED_THREE]
            self.held[RED_THREE] = 0
        self.naturals: vec[i64] = zeros(table.places)
        self.wilds: vec[i64] = zeros(table.places)
        self.runs: vec[i64] = zeros(table.places)
        self.places: list[int] = []
        self.standing: list[int] = standing_places(table, table.side)
        self.spare: i64 = spare
        self.cards: i64 = 0
        self.points: i64 = 0
        #: The points of a card by rank.
        self.points_of: vec[i64] = table.rules.rank_points
        self.wilds_left: i64 = self.held[TWO] + self.held[JOKER_RANK]

    def add(self, place: i64, naturals: i64, wilds: i64) -> None:
        """Add cards of the place's rank, and wild cards."""
        if not (self.naturals[place] or self.wilds[place] or self.runs[place]):
            self.places.append(place)
        self.naturals[place] += naturals
        self.wilds[place] += wilds
        if naturals:
            self.held[KIND[place]] -= naturals
            self.points += naturals * self.points_of[KIND[place]]
        for _ in range(wilds):
            joker = self.held[JOKER_RANK] > 0
            rank = JOKER_RANK if joker else TWO
            self.held[rank] -= 1
            self.points += self.points_of[rank]
        self.wilds_left -= wilds
        self._count(naturals + wilds)

    def add_run(self, place: i64, rank: i64) -> None:
        """Add a card to a sequence."""
        if not self.runs[place]:
            self.places.append(place)
        self.runs[place] |= 1 << rank
        self.codes[_CARD[(KIND[place] - SEQUENCE) * RANKS + rank]] -= 1
        self.held[rank] -= 1
        self.points += self.points_of[rank]
        self._count(1)

    def of_suit(self, place: i64, rank: i64) -> bool:
        """Return whether a card of a rank in the suit of a sequence is left."""
        return self.codes[_CARD[(KIND[place] - SEQUENCE) * RANKS + rank]] > 0

    def add_own(self, place: i64, rank: i64, *, second: bool) -> None:
        """Add a card of the suit to a sequence, perhaps its second ace."""
        if not self.runs[place] and not self.wilds[place]:
            self.places.append(place)
        again = second or self.runs[place] >> rank & 1
        self.runs[place] |= SECOND_ACE if again else 1 << rank
        self.codes[_CARD[(KIND[place] - SEQUENCE) * RANKS + rank]] -= 1
        self.held[rank] -= 1
        self.wilds_left -= 1 if rank == TWO else 0
        self.points += self.points_of[rank]
        self._count(1)

    def _count(self, cards: i64) -> None:
        self.cards += cards
        self.spare -= cards

    def size(self, table: Table, place: i64) -> i64:
        """Return how many cards a set has with the plan."""
        stood = table.meld_sizes[table.side * table.places + place]
        return stood + self.naturals[place] + self.wilds[place]


def standing_places(table: Table, side: i64) -> list[int]:
    """Return the places of the melds of a side."""
    places: list[int] = []
    base, sizes = side * table.places, table.meld_sizes
    for place in range(table.places):
        if sizes[base + place]:
            places.append(place)
    return places


def put_together(table: Table, log: list[Action] | None) -> None:
    """Put together sets of a rank that are not canastas yet, if their wild cards fit."""
    if not table.rules.combine:
        return
    base, sizes = table.side * table.places, table.meld_sizes
    for rank in range(FOUR, ACE + 1):
        onto: i64 = -1
        for place in range(rank, table.places, KINDS):
            if not 0 < sizes[base + place] < CANASTA_SIZE:
                continue
            if onto < 0:
                onto = place
                continue
            wilds = table.twos[base + place] + table.jokers[base + place]
            stood = table.twos[base + onto] + table.jokers[base + onto]
            fits = table.rules.wilds_on_canasta or sizes[base + onto] + wilds <= CANASTA_SIZE
            if fits and wilds + stood <= table.rules.max_wilds:
                combine(table, place, onto)
                if log is not None:
                    log.append(Combine(place, onto))


def plan_placed(
    table: Table, figures: Figures, plan: PlacedPlan, most: i64, *, everything: bool
) -> None:
    """Add to a plan what can be laid: sequences, sets of naturals, wild cards.

    Up to `most` wild cards complete a canasta. With `everything`, the others are laid, too.
    """
    if table.rules.sequences:
        for kind in range(SEQUENCE, KINDS):
            _plan_runs(table, plan, kind)
    for back in range(ACE - table.rules.lowest_set + 1):
        if plan.held[ACE - back] and plan.spare > 0 and table.rules.sets[ACE - back]:
            _plan_set(table, figures, plan, ACE - back)
    if plan.wilds_left and plan.spare > 0:
        _plan_wilds(table, figures, plan, most, everything=everything)


# --- sequences ------------------------------------------------------------------------------------


def _plan_runs(table: Table, plan: PlacedPlan, kind: i64) -> None:
    """Lengthen the sequences of a suit, and begin new ones, the longest first."""
    if table.rules.from_ace:
        _plan_rows(table, plan, kind)
        return
    base = table.side * table.places
    cards: i64 = (kind - SEQUENCE) * RANKS
    codes = plan.codes
    for place in plan.standing:
        if KIND[place] == kind and plan.spare > 0:
            _lengthen(table, plan, place, table.sequences[base + place])
    while plan.spare >= MELD_SIZE:
        best: i64 = 0
        longest: i64 = MELD_SIZE - 1
        length: i64 = 0
        for rank in range(FOUR, ACE + 1):
            length = length + 1 if codes[_CARD[cards + rank]] > 0 else 0
            if longest < length <= CANASTA_SIZE:
                best, longest = rank, length
        if not best:
            return
        place = free_for(table, plan, kind)
        if place < 0:
            return
        for rank in range(best - min(longest, plan.spare) + 1, best + 1):
            plan.add_run(place, rank)


def _plan_rows(table: Table, plan: PlacedPlan, kind: i64) -> None:
    """Do the same for sequences that begin with an ace."""
    for place in plan.standing:
        if KIND[place] == kind and plan.spare > 0:
            lengthen_row(table, plan, place)
    while plan.spare >= MELD_SIZE:
        fresh = free_for(table, plan, kind)
        if fresh < 0 or not begin_rows(table, plan, fresh):
            return


def _plan_row_wilds(table: Table, plan: PlacedPlan, most: i64, *, everything: bool) -> None:
    """Add wild cards to sequences: for canastas and, with `everything`, wherever they fit."""
    rows = [place for place in plan.standing if KIND[place] >= SEQUENCE]
    rows += [place for place in plan.places if KIND[place] >= SEQUENCE and place not in rows]
    for place in rows:
        lacks_one = row_after(table, plan, place) == CANASTA_SIZE - 1
        if (most and lacks_one) or everything:
            add_row_wild(table, plan, place)
    for kind in range(SEQUENCE, KINDS) if everything else ():
        fresh = free_for(table, plan, kind)
        if fresh >= 0:
            pair_with_wild(table, plan, fresh)


def _lengthen(table: Table, plan: PlacedPlan, place: i64, ranks: i64) -> None:
    """Add the cards that fit the ends of a sequence on the table."""
    if ranks == NOT_JUDGED or not is_row(table.rules, ranks, 0):
        return
    cards: i64 = (KIND[place] - SEQUENCE) * RANKS
    size: i64 = table.meld_sizes[table.side * table.places + place]
    low: i64 = FOUR
    while not ranks >> low & 1:
        low += 1
    high = low + size - 1
    while size < CANASTA_SIZE and plan.spare > 0:
        if high < ACE and plan.codes[_CARD[cards + high + 1]] > 0:
            high += 1
            plan.add_run(place, high)
        elif low > FOUR and plan.codes[_CARD[cards + low - 1]] > 0:
            low -= 1
            plan.add_run(place, low)
        else:
            return
        size += 1


def free_for(table: Table, plan: PlacedPlan, kind: i64) -> i64:
    """Return the first place, free also in the plan, at which a meld of a kind can begin, or -1."""
    base = table.side * table.places
    several = table.rules.several and free_numbers(table.rules, kind)
    end = table.places if several else kind + 1
    for place in range(kind, end, KINDS):
        begun = plan.naturals[place] or plan.wilds[place] or plan.runs[place]
        if not table.meld_sizes[base + place] and not begun:
            return place
    return -1


# --- sets -----------------------------------------------------------------------------------------


def growing_place(table: Table, plan: PlacedPlan, rank: i64) -> i64:
    """Return the side's largest set of a rank that is not a canasta, else a canasta, or -1."""
    best: i64 = -1
    most: i64 = -1
    for place in plan.standing:
        if KIND[place] == rank:
            size = plan.size(table, place)
            worth = size if size < CANASTA_SIZE else 0
            if worth > most:
                best, most = place, worth
    return best


def _plan_set(table: Table, figures: Figures, plan: PlacedPlan, rank: i64) -> None:
    """Add the naturals of a rank to its meld, or begin one."""
    count = min(plan.held[rank], plan.spare)
    place = growing_place(table, plan, rank)
    if count >= MELD_SIZE and (place < 0 or plan.size(table, place) >= CANASTA_SIZE):
        fresh = free_for(table, plan, rank)
        if fresh >= 0 and finishes(table, figures, rank, count):
            place = fresh
    elif place < 0:
        return
    if place < 0:
        return
    count = min(count, table.rules.caps[rank] - plan.size(table, place))
    naturals = plan.naturals[place] + count
    if count > 0 and holds(table, figures, place, naturals, plan.wilds[place]):
        plan.add(place, count, 0)


def _plan_wilds(
    table: Table, figures: Figures, plan: PlacedPlan, most: i64, *, everything: bool
) -> None:
    """Add wild cards: to melds of their own, for canastas and, with `everything`, anywhere."""
    if table.rules.all_wild and not _plan_wild_meld(table, figures, plan):
        return
    lowest = table.rules.lowest_set
    if table.rules.from_ace:
        _plan_row_wilds(table, plan, most, everything=everything)
    sets: list[int] = []
    for place in plan.standing:
        if lowest <= KIND[place] <= ACE:
            sets.append(place)
    for place in plan.places:
        if lowest <= KIND[place] <= ACE and place not in sets:
            sets.append(place)
    for missing in range(1, min(most, CANASTA_SIZE) + 1):
        for place in sets:
            if plan.size(table, place) + missing == CANASTA_SIZE:
                _add_wilds(table, figures, plan, place, missing)
    if not everything:
        return
    for back in range(ACE - lowest + 1):
        rank = ACE - back
        if plan.held[rank] == 2 and growing_place(table, plan, rank) < 0:
            _pair_with_wild(table, figures, plan, rank)
    for place in sets:
        while plan.size(table, place) < CANASTA_SIZE:
            if not _add_wilds(table, figures, plan, place, 1):
                break


def plan_wilds_to_open(
    table: Table, figures: Figures, plan: PlacedPlan, need: i64, most: i64
) -> None:
    """Add wild cards, at most `most`, until a plan counts `need` points."""
    least = plan.wilds_left - most
    for back in range(ACE - FOUR + 1):
        rank = ACE - back
        if plan.points >= need or plan.wilds_left <= least:
            return
        if plan.held[rank] == 2 and growing_place(table, plan, rank) < 0:
            _pair_with_wild(table, figures, plan, rank)
    for place in plan.places:
        if FOUR <= KIND[place] <= ACE:
            while plan.points < need and plan.wilds_left > least:
                if not _add_wilds(table, figures, plan, place, 1):
                    break


def _pair_with_wild(table: Table, figures: Figures, plan: PlacedPlan, rank: i64) -> None:
    """Begin a meld with a pair and a wild card, if the rules allow it."""
    place = free_for(table, plan, rank)
    if place < 0 or plan.spare < MELD_SIZE or not plan.wilds_left or not table.rules.sets[rank]:
        return
    if finishes(table, figures, rank, 2) and holds(table, figures, place, 2, 1):
        plan.add(place, 2, 1)


def _add_wilds(table: Table, figures: Figures, plan: PlacedPlan, place: i64, count: i64) -> bool:
    """Add wild cards to a set, and return whether they could be added."""
    if count > plan.wilds_left or count > plan.spare:
        return False
    if not finishes(table, figures, KIND[place], 0):
        return False
    if not holds(table, figures, place, plan.naturals[place], plan.wilds[place] + count):
        return False
    plan.add(place, 0, count)
    return True


def _plan_wild_meld(table: Table, figures: Figures, plan: PlacedPlan) -> bool:
    """Add wild cards to melds of their own; return whether other melds may have some, too."""
    rules = table.rules
    unfinished = False
    cap = min(rules.caps[JOKER_RANK], CANASTA_SIZE)
    for place in plan.standing:
        if KIND[place] == JOKER_RANK and plan.size(table, place) < cap:
            count = min(min(plan.wilds_left, plan.spare), cap - plan.size(table, place))
            if count > 0 and holds(table, figures, place, 0, count):
                plan.add(place, 0, count)
            unfinished = unfinished or plan.size(table, place) < CANASTA_SIZE
    if not unfinished and plan.wilds_left >= max(MELD_SIZE, figures.wild_meld):
        place = free_for(table, plan, JOKER_RANK)
        count = min(min(plan.wilds_left, plan.spare), cap)
        if place >= 0 and count >= MELD_SIZE and holds(table, figures, place, 0, count):
            plan.add(place, 0, count)
            unfinished = count < CANASTA_SIZE
    return not (unfinished and rules.wild_meld_first)


# --- going out ------------------------------------------------------------------------------------


def plan_leaving(table: Table, figures: Figures) -> PlacedPlan | None:
    """Return a plan that lays the hand except at most one card to discard, or None.

    With the plan, the side must have its canastas. The search only counts, so it does not find
    every way.
    """
    rules = table.rules
    base, sizes = table.side * table.places, table.meld_sizes
    if table.kept_threes[table.seat] or table.rest_kept:
        return None
    plan = PlacedPlan(table, table.hand_sizes[table.seat])
    canastas: i64 = 0
    near: i64 = 0
    for place in plan.standing:
        if sizes[base + place] >= CANASTA_SIZE:
            canastas += 1
        else:
            near += 1
    if canastas + near + plan.spare // MELD_SIZE < rules.out_canastas:
        return None
    plan_placed(table, figures, plan, plan.wilds_left, everything=True)
    if awaits_empty_hand(table):
        return None
    threes = plan.held[BLACK_THREE]
    if rules.black_threes and threes >= MELD_SIZE:
        plan.add(BLACK_THREE, threes, 0)
    left = plan.spare
    if left > (0 if table.last_three else 1) or (rules.discard_required and left == 0):
        return None
    if left == 1 and plan.naturals[BLACK_THREE] and rules.nothing_after_threes:
        return None
    if left == 1 and not _may_be_last(table, plan):
        return None
    return plan if _has_canastas(table, plan) else None


def _has_canastas(table: Table, plan: PlacedPlan) -> bool:
    """Return whether the side then has the canastas that going out needs."""
    rules = table.rules
    base, sizes = table.side * table.places, table.meld_sizes
    if lacks_packet(table, table.side):
        return False
    canastas: i64 = 0
    sequences: i64 = 0
    sevens: i64 = 0
    wild: i64 = 0
    mixed: i64 = 0
    natural: i64 = 0
    begun = [place for place in plan.places if not sizes[base + place]]
    for place in (*plan.standing, *begun):
        if not _finished_by(table, plan, place):
            continue
        kind = KIND[place]
        canastas += 1
        if kind >= SEQUENCE and rules.sequences_apart:
            sequences += 1
        elif kind >= SEQUENCE and is_natural_row(table, plan, place):
            natural += 1
        elif kind >= SEQUENCE:
            mixed += 1
        elif kind == JOKER_RANK:
            wild += 1
        elif kind == SEVEN and rules.out_sevens:
            sevens += 1
        elif table.twos[base + place] + table.jokers[base + place] + plan.wilds[place]:
            mixed += 1
        else:
            natural += 1
    return (
        canastas >= rules.out_canastas
        and sequences >= rules.out_sequences
        and natural >= rules.out_natural
        and mixed >= rules.out_mixed
        and wild >= rules.out_wild
        and sevens >= rules.out_sevens
    )


def _may_be_last(table: Table, plan: PlacedPlan) -> bool:
    """Return whether a card that the plan leaves may be the last discard."""
    rules = table.rules
    if rules.any_last:
        return True
    return any(plan.held[rank] and not rules.never_last[rank] for rank in range(len(plan.held)))


def _finished_by(table: Table, plan: PlacedPlan, place: i64) -> bool:
    """Return whether the plan makes a meld a canasta."""
    size = plan.size(table, place)
    ranks = plan.runs[place]
    while ranks:
        size += 1
        ranks &= ranks - 1
    return size >= CANASTA_SIZE


# --- laying ---------------------------------------------------------------------------------------


def lay_placed(table: Table, plan: PlacedPlan, log: list[Action] | None) -> None:
    """Lay the groups of a plan in their order; black threes are planned last."""
    for place in plan.places:
        cards = zeros(plan.naturals[place] + plan.wilds[place] + _bits(plan.runs[place]))
        count: i64 = 0
        kind = KIND[place]
        if kind >= SEQUENCE:
            for rank in range(BLACK_THREE, TWO + 1):
                if plan.runs[place] >> rank & 1:
                    cards[count] = _CARD[(kind - SEQUENCE) * RANKS + rank]
                    count += 1
            if plan.runs[place] & SECOND_ACE:
                cards[count] = _CARD[(kind - SEQUENCE) * RANKS + ACE]
                count += 1
        elif plan.naturals[place]:
            # The cards that no sequence needs are left.
            lowest: i64 = FIRST_OF[kind]
            if kind == BLACK_THREE and table.rules.threes_melded:
                lowest = FIRST_OF[RED_THREE]
            for code in range(lowest, FIRST_OF[kind + 1]):
                while plan.codes[code] > 0 and count < plan.naturals[place]:
                    plan.codes[code] -= 1
                    cards[count] = code
                    count += 1
        for _ in range(plan.wilds[place]):
            cards[count] = _wild_card(plan)
            count += 1
        lay(table, place, cards)
        if log is not None:
            log.append(Lay(int(place), tuple(cards)))


def _wild_card(plan: PlacedPlan) -> i64:
    """Remove a wild card from those that are left: a joker if there is one."""
    card: i64 = JOKER
    for code in range(FIRST_OF[TWO], FIRST_OF[TWO + 1]):
        if not plan.codes[card]:
            card = code
    plan.codes[card] -= 1
    return card


def _bits(ranks: i64) -> i64:
    count: i64 = 0
    while ranks:
        count += 1
        ranks &= ranks - 1
    return count
