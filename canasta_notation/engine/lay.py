"""Laying cards: groups from the hand onto the side's melds, judged as they are laid."""

from __future__ import annotations

from typing import Final

from canasta_notation.arrays import array
from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    FOUR,
    JOKER,
    JOKER_RANK,
    MELD_SIZE,
    NO_RANKS,
    POINTS,
    RANK,
    RANK_POINTS,
    RED_THREE,
    TWO,
    UNKNOWN,
    UNKNOWN_RANK,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.side import NOT_KNOWN
from canasta_notation.engine.table import LINE, MAYBE, NO, YES
from canasta_notation.engine.take import Taking, pile_holds

#: In place of an action's index: the rank was not laid on this turn.
UNTOUCHED: Final = -2
#: Nothing more than the least.
SURE: Final = frozenset({0})
_NO_RANK_TOUCHED: Final[vec[i64]] = array([UNTOUCHED] * (UNKNOWN_RANK + 1))


class Group:
    """Cards being laid, by kind; how many surely came from the hand; the most they count."""

    __slots__ = ("counted", "from_hand", "jokers", "naturals", "points", "strangers", "twos")

    def __init__(self) -> None:
        self.naturals: i64 = 0
        self.twos: i64 = 0
        self.jokers: i64 = 0
        #: Cards that are not written.
        self.strangers: i64 = 0
        self.points: i64 = 0
        self.from_hand: i64 = 0
        #: Points towards the opening, at most.
        self.counted: i64 = 0

    def add(self, code: i64) -> None:
        """Add a card."""
        self.points += POINTS[code]
        if code == JOKER:
            self.jokers += 1
        elif RANK[code] == TWO:
            self.twos += 1
        elif code == UNKNOWN:
            self.strangers += 1
        else:
            self.naturals += 1


class Laying(Taking):
    """A table at which the seat to play lays cards; what this turn laid is counted by rank."""

    __slots__ = (
        "count_least", "count_more", "count_most", "hand", "laid", "laid_from_hand",
        "laid_naturals", "laid_perhaps", "laid_points", "laid_wilds", "overdrawn", "overdrawn_at",
        "seat", "side", "touch_order", "touched_at", "touches",
    )  # fmt: skip

    def __init__(self, rules: Rules, dealer: int, totals: list[int], has_stock: bool) -> None:
        super().__init__(rules, dealer, totals, has_stock)
        self.seat: i64 = -1
        #: The hand and the side of the seat whose turn began last.
        self.hand = self.hands[0]
        self.side = self.sides[0]
        self.laid = False
        #: How many ranks were laid on this turn so that its end has to judge them, which, in this
        #: order, and by which action each last, or UNTOUCHED; then the cards laid by kind.
        self.touches: i64 = 0
        self.touch_order: vec[i64] = NO_RANKS[:]
        self.touched_at: vec[i64] = _NO_RANK_TOUCHED[:]
        self.laid_naturals: vec[i64] = NO_RANKS[:]
        self.laid_wilds: vec[i64] = NO_RANKS[:]
        self.laid_from_hand: vec[i64] = NO_RANKS[:]
        #: Points that each rank's cards, laid this turn, count towards the opening at most.
        self.laid_points: vec[i64] = NO_RANKS[:]
        #: Cards laid this turn that may have come from the hand or from the pile's rest.
        self.laid_perhaps: i64 = 0
        #: Points counted towards the opening: at least and at most.
        self.count_least: i64 = 0
        self.count_most: i64 = 0
        #: What the count can be above the least.
        self.count_more: frozenset[int] = SURE
        #: A card of which the deck has no further copy; `not-in-hand` later in the turn
        #: says more.
        self.overdrawn: i64 = -1
        self.overdrawn_at: i64 = LINE

    def copy_arrays(self, other: Laying) -> None:
        """Take over copies of another table's own arrays."""
        self.stock, self.before = other.stock[:], other.before[:]
        self.touch_order, self.touched_at = other.touch_order[:], other.touched_at[:]
        self.laid_naturals, self.laid_wilds = other.laid_naturals[:], other.laid_wilds[:]
        self.laid_from_hand, self.laid_points = other.laid_from_hand[:], other.laid_points[:]

    def lay(self, rank: i64, cards: vec[i64]) -> None:
        """Lay cards from the hand on the side's meld of a rank.

        Violates `not-in-hand`, `deck-count`, `opening-low` (a card of a waiting pile's rest),
        `meld-rank`, `meld-threes`, `meld-wild-only`, `meld-wild-ban`, `out-discard`, `after-end`.
        """
        if self.lay_known(rank, cards, len(cards)):
            return
        if (self.ended or self.rules.nothing_after_threes) and not self._may_go_on("group"):
            return
        meld = rank
        if rank == TWO:
            meld = JOKER_RANK
        group = Group()
        plain = FOUR <= rank <= ACE
        for code in cards:
            if not self._remove(code):
                return
            plain = plain and RANK[code] == rank
            group.add(code)
            self._count_card(code, meld, group)
        if not plain:
            self._judge_label(rank, cards)
        naturals = group.naturals + group.strangers
        self._note_meld(meld, naturals, group.twos + group.jokers, group.from_hand)
        self.count_most += group.counted
        self.laid_points[meld] += group.counted
        self.side.put(meld, group.naturals, group.twos, group.jokers, group.strangers, group.points)
        self.laid = True
        if self.waiting:
            self._let_pile_in(meld)

    def _count_card(self, code: i64, meld: i64, group: Group) -> None:
        """Count a card just laid by where it came from, and towards the opening."""
        came: i64 = YES
        if self.traced:
            came = self.from_hand(code)
            if meld == RANK[self.top]:
                self.note_top_group(code, came)
        if came == YES:
            group.from_hand += 1
        elif came == MAYBE:
            self.laid_perhaps += 1
        if self.opened_before or came == NO:
            return
        if came == YES and code != UNKNOWN:
            self.count_least += POINTS[code]
            group.counted += POINTS[code]
        else:
            group.counted += self._count_unsure(code, meld, came)

    def lay_known(self, rank: i64, cards: vec[i64], count: i64) -> bool:
        """Lay the first `count` cards, of a known hand, where only number and shape will be judged.

        Returns False, having changed nothing, where it may matter which cards a taken pile brought
        into the hand, or what else is laid.
        """
        hand = self.hand
        if hand.partly or self.ended or not self.rules.plain_melds:
            return False
        if self.traced and not self.waiting and (not self.opened_before or rank == RANK[self.top]):
            return False
        if rank < FOUR or rank > ACE:
            return False
        balance = hand.balance
        twos: i64 = 0
        jokers: i64 = 0
        removed: i64 = 0
        while removed < count:
            code = cards[removed]
            held = balance[code]
            if not held:
                break
            if RANK[code] != rank:
                if code == JOKER:
                    jokers += 1
                elif RANK[code] == TWO:
                    twos += 1
                else:
                    break
            balance[code] = held - 1
            removed += 1
        if removed < count:
            for at in range(removed):
                balance[cards[at]] += 1
            return False
        hand.size -= count
        self._put_known(rank, count - twos - jokers, twos, jokers)
        if self.traced:
            before = self.before
            for at in range(count):
                code = cards[at]
                if before[code] > 0:
                    before[code] -= 1
                else:
                    self._spend(code)
            if self.waiting:
                if rank == RANK[self.top]:
                    self.sure_naturals += count - twos - jokers
                    self.sure_wilds += twos + jokers
                self._let_pile_in(rank)
        return True

    def _put_known(self, rank: i64, naturals: i64, twos: i64, jokers: i64) -> None:
        """Put cards of a known hand on the meld, which is noted where there is a thing to judge."""
        side = self.side
        wilds = twos + jokers
        points = naturals * RANK_POINTS[rank]
        if wilds:
            points += twos * RANK_POINTS[TWO] + jokers * RANK_POINTS[JOKER_RANK]
        whole = not wilds and side.naturals[rank] + naturals >= MELD_SIZE
        if not whole or self.took or not self.hand.melded or self.touched_at[rank] != UNTOUCHED:
            self._note_meld(rank, naturals, wilds, naturals + wilds)
            if not self.opened_before:
                self.count_least += points
                self.count_most += points
                self.laid_points[rank] += points
        side.put(rank, naturals, twos, jokers, 0, points)
        self.laid = True

    def _let_pile_in(self, rank: i64) -> None:
        """Meld the top where its rank was laid; let the rest in where nothing is wanting."""
        if rank == RANK[self.top] and not self.top_melded:
            self.meld_top(self.seat)
        else:
            self.settle_pile(self.seat)

    def _count_unsure(self, code: i64, rank: i64, came: i64) -> i64:
        """Count a card towards the opening that is not written, or that may not count.

        Returns the most points that it can count.
        """
        worths = [POINTS[code]]
        if code == UNKNOWN:
            worths = [RANK_POINTS[rank], RANK_POINTS[TWO], RANK_POINTS[JOKER_RANK]]
        least = min(worths) if came == YES else 0
        more = {worth - least for worth in worths} | ({0} if came != YES else set())
        self.count_least += least
        self.count_more = frozenset(one + other for one in self.count_more for other in more)
        return max(worths)

    def _remove(self, code: i64) -> bool:
        """Take a card out of the hand; report it, and return False, where it cannot be there."""
        hand = self.hand
        if not hand.remove(code) and not self._from_rest(code):
            self.violate("not-in-hand", "card", card=code, seat=self.seat)
            self.lose()
            return False
        if hand.partly:
            if hand.doubtful:
                self.doubt("not-in-hand")
            if self.overdrawn < 0 and hand.overdrawn(code):
                self.overdrawn, self.overdrawn_at = code, self.at
        return True

    def _may_go_on(self, what: str) -> bool:
        """Return whether another action may follow; report it where it may not."""
        if self.ended:
            self.violate("after-end", "action", how=self.ended)
            self.lose()
            return False
        if self.rules.nothing_after_threes and self._laid(BLACK_THREE):
            self.violate("out-discard", "after-threes", "out.after_black_threes", what=what)
        return True

    def _laid(self, rank: i64) -> bool:
        return self.touched_at[rank] != UNTOUCHED

    def _judge_label(self, rank: i64, cards: vec[i64]) -> None:
        """Report cards that do not go under the label, and labels that no meld can have."""
        rules = self.rules
        if rank == BLACK_THREE and not rules.black_threes:
            self.violate("meld-threes", "never", "meld.black_threes")
            return
        if rank == TWO or (rank == JOKER_RANK and not rules.all_wild):
            self.violate("meld-wild-only", "never", "meld.all_wild")
        wild = False
        for code in cards:
            other = RANK[code]
            if other == rank or code == UNKNOWN:
                continue
            if other >= TWO and rank != BLACK_THREE:
                wild = True
            elif rank == BLACK_THREE and (other >= TWO or other == RED_THREE):
                self.violate("meld-threes", "cards", "meld.black_threes", card=code)
                return
            else:
                top = self.took and other == RANK[self.top]
                self.violate("meld-rank", "top" if top else "other", card=code, meld=rank)
                self.refused = self.refused or top
                return
        if wild and self.rules.all_wild:
            self._judge_wilds(rank)

    def _judge_wilds(self, rank: i64) -> None:
        """Report wild cards laid where the order written forbids them."""
        side = self.side
        if rank < TWO and 0 < side.sizes[JOKER_RANK] < CANASTA_SIZE:
            self.violate("meld-wild-ban", "unfinished", "meld.all_wild", meld=rank)

    def _from_rest(self, code: i64) -> bool:
        """Use a card of the waiting pile's rest, which is reported; return whether it has one."""
        if not self.waiting or not pile_holds(self, code):
            return False
        if self.opened_before:
            if self.top_melded or not self.top_meld or self.taken_frozen == NO:
                return False
            # The top was put on the standing meld although the pile is frozen: judged at the end.
            self.meld_top(self.seat)
            return self.hand.remove(code)
        self.violate("opening-low", "rest", "opening.table", card=code)
        self.enter_rest(self.seat, keep_top=not self.top_melded)
        return self.hand.remove(code)

    @property
    def touched(self) -> list[int]:
        """The ranks laid on this turn that its end judges, in their order."""
        return list(self.touch_order[: self.touches])

    def _note_meld(self, rank: i64, naturals: i64, wilds: i64, from_hand: i64) -> None:
        """Count cards that this turn puts on a meld."""
        if self.touched_at[rank] == UNTOUCHED:
            self.touch_order[self.touches] = rank
            self.touches += 1
            self.laid_naturals[rank] = naturals
            self.laid_wilds[rank] = wilds
            self.laid_from_hand[rank] = from_hand
            self.laid_points[rank] = 0
        else:
            self.laid_naturals[rank] += naturals
            self.laid_wilds[rank] += wilds
            self.laid_from_hand[rank] += from_hand
        self.touched_at[rank] = self.at

    def meld_top(self, seat: i64) -> None:
        """Meld the top card, and count it towards the opening where the profile does."""
        top = self.top
        points = POINTS[top]
        rank = RANK[top]
        if not self.opened_before and self.rules.top_counts:
            self.count_least += points
            self.count_most += points
        wild = TWO <= rank <= JOKER_RANK
        if wild:
            self._note_meld(rank, 0, 1, 0)
        else:
            self._note_meld(rank, 1, 0, 0)
        if self.rules.top_counts:
            self.laid_points[rank] += points
        side = self.side
        if wild:
            side.put(rank, 0, int(rank == TWO), int(rank == JOKER_RANK), 0, points)
        elif top == UNKNOWN:
            side.put(rank, 0, 0, 0, 1, points)
        else:
            side.put(rank, 1, 0, 0, 0, points)
        self.top_melded = True
        self.pile.pop()
        self.settle_pile(seat)

    def opening_met(self) -> bool:
        """Return whether the side has opened, or the whole melds laid so far open it."""
        side = self.side
        if self.opened_before or side.minimum == NOT_KNOWN:
            return True
        if self.count_most < side.minimum:
            return self.splashed()
        counted = 0
        for rank in self.touched:
            naturals = side.naturals[rank] + side.strangers[rank]
            whole = rank == JOKER_RANK or naturals >= self.rules.min_naturals
            if whole and side.sizes[rank] >= MELD_SIZE:
                counted += self.laid_points[rank]
        return counted >= side.minimum or self.splashed()

    def splashed(self) -> bool:
        """Return whether a natural canasta or one of wild cards was laid this turn.

        The pile's top card is left out; not checked: whether cards of its rest are among them.

        Source: 002, Modern American, First meld(s).
        """
        if self.rules.waived != "splash":
            return False
        for rank in self.touched:
            naturals, wilds = self.laid_naturals[rank], self.laid_wilds[rank]
            if self.took and rank == RANK[self.top] and self.top_melded:
                naturals -= 1
            if rank == JOKER_RANK and wilds >= CANASTA_SIZE:
                return True
            if rank != JOKER_RANK and not wilds and naturals >= CANASTA_SIZE:
                return True
        return False
