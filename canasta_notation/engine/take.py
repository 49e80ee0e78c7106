"""Taking the pile: whether it may be taken, and when its rest enters the hand."""

from __future__ import annotations

from canasta_notation.cards import (
    BARE,
    CANASTA_SIZE,
    EXACT,
    FIRST_OF,
    MELD_SIZE,
    NO_CODES,
    RANK,
    UNKNOWN,
    is_wild,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.draw import Drawing
from canasta_notation.engine.hand import Hand
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.side import Side
from canasta_notation.engine.table import LINE, MAYBE, NO, YES, agree


class Taking(Drawing):
    """A table at which the seat to play may take the pile.

    Between the take and the moment when its top is melded and the opening met, the pile's rest
    waits: `waiting` is True, and cards come from the hand as it was before the take.
    """

    __slots__ = (
        "before", "before_free", "before_partly", "before_vague", "opened_before", "perhaps",
        "refused", "sure_naturals", "sure_wilds", "take_at", "taken_frozen", "took", "top",
        "top_meld", "top_melded", "traced", "waiting",
    )  # fmt: skip

    def __init__(self, rules: Rules, dealer: int, totals: list[int], has_stock: bool) -> None:
        super().__init__(rules, dealer, totals, has_stock)
        self.took = False
        self.waiting = False
        #: The top card of the pile that was taken last, and whether it has been melded.
        self.top: i64 = UNKNOWN
        self.top_melded = False
        self.take_at: i64 = LINE
        #: The pile could not be taken at all: how its top was melded is not judged.
        self.refused = False
        self.taken_frozen: i64 = NO
        #: Whether it matters on this turn which cards came from the hand as it was before a take.
        self.traced = False
        #: The meld of the top's rank and the hand as they were before the take.
        self.top_meld: i64 = 0
        self.before: vec[i64] = NO_CODES
        self.before_free: i64 = 0
        self.before_partly = False
        #: Whether it is open which of those cards have been laid since.
        self.before_vague = False
        #: Cards of the top's rank laid this turn, and wild ones with them, out of that hand.
        self.sure_naturals: i64 = 0
        self.sure_wilds: i64 = 0
        self.perhaps: i64 = 0
        self.opened_before = False

    def frozen_for(self, side: Side) -> i64:
        """Return whether the pile is frozen against a side: YES, NO or MAYBE."""
        rules = self.rules
        if rules.always_frozen or (rules.frozen_until_opened and not side.opened):
            return YES
        return self.frozen

    def take(self, seat: i64, claimed: i64, count: i64 | None) -> None:
        """Take the pile, whose top is restated as `claimed` and whose size may be claimed.

        Violates `pile-empty`, `pile-top`, `pile-count`, `pile-blocked`, `pile-one-card`, and
        `pile-unmeldable` for a dead rank; how the top is melded is judged at the turn's end.
        """
        if not self.pile:
            self.violate("pile-empty", "empty")
            self.lose()
            return
        top = self._judge_top(claimed)
        if count is not None:
            self._judge_claim(count)
        hand = self.hands[seat]
        side = self.sides[self.rules.side_of[seat]]
        if self.rules.one_card_rule and hand.size == 1 and len(self.pile) == 1:
            if hand.slack or self.pile_slack:
                self.doubt("pile-one-card")
            else:
                self.violate("pile-one-card", "one", "pile.one_card_rule")
        self.top = top
        self.top_melded = False
        self.top_meld = side.sizes[RANK[top]]
        self.took = self.waiting = True
        self.take_at = self.at
        self.taken_frozen = self.frozen_for(side)
        joins = self.rules.onto_meld and self.top_meld > 0
        sure = joins and self.taken_frozen == NO and self.opened_before
        self.traced = not sure or self.rules.score_concealed_canasta != 0
        if self.traced:
            self._remember(hand)
        if joins and self.taken_frozen != YES:
            self.meld_top(seat)

    def _judge_top(self, claimed: i64) -> i64:
        """Return the top card, as exactly as pile and claim name it."""
        top = self.pile[-1]
        if top != claimed and not agree(top, claimed):
            self.violate("pile-top", "other", card=claimed, card_top=top)
            if RANK[top] != RANK[claimed]:
                self.lose()
        elif top != claimed != UNKNOWN and top in (UNKNOWN, BARE[RANK[top]]):
            self.doubt("pile-top")
            if top == UNKNOWN and self.pile_slack and len(self.pile) == 1:
                self.count(claimed)
            top = self.pile[-1] = claimed
        rank = RANK[top]
        self.refused = False
        if self.rules.blockers[rank]:
            self.violate("pile-blocked", "top", "pile.blockers", card=top)
            self.refused = True
        elif top == UNKNOWN:
            # Which meld the top joined, and when the rest came in, cannot be known.
            self.doubt("pile-blocked")
            self.lose()
        if self.rules.dead_ranks and top != UNKNOWN and self._closed(rank):
            self.violate("pile-unmeldable", "dead", "pile.dead_ranks", meld=rank)
            self.refused = True
        return top

    def _closed(self, rank: i64) -> bool:
        """Return whether a side has a canasta of the rank."""
        return any(side.sizes[rank] >= CANASTA_SIZE for side in self.sides)

    def _judge_claim(self, count: i64) -> None:
        held = len(self.pile)
        if count == held:
            return
        if held < count <= held + self.pile_slack:
            self.doubt("pile-count")
            return
        self.violate("pile-count", "count", count=count, held=held)

    def _remember(self, hand: Hand) -> None:
        """Note what the hand held before the take."""
        self.sure_naturals = self.sure_wilds = self.perhaps = 0
        self.before = hand.balance[:]
        self.before_free = hand.free() if hand.partly else 0
        self.before_partly = hand.partly
        self.before_vague = False

    def meld_top(self, seat: i64) -> None:
        """Meld the top card."""
        raise NotImplementedError

    def opening_met(self) -> bool:
        """Return whether the side has opened or this turn's count suffices."""
        raise NotImplementedError

    def settle_pile(self, seat: i64) -> None:
        """Let the rest of the pile into the hand once the top is melded and the opening met."""
        if self.waiting and self.top_melded and (self.opened_before or self.opening_met()):
            self.enter_rest(seat)

    def enter_rest(self, seat: i64, *, keep_top: bool = False) -> None:
        """Move the pile into the hand; tables its threes, unreplaced.

        A melded top is no longer in it; one that still has to be can be kept waiting.
        """
        hand = self.hands[seat]
        pile = self.pile
        top = pile.pop() if keep_top else UNKNOWN
        tabled = self.rules.tabled
        balance = hand.balance
        for code in pile:
            if tabled[RANK[code]]:
                self.table_three(seat, code)
            elif EXACT[code]:
                balance[code] += 1
                hand.size += 1
            else:
                hand.add_taken(code)
                self.deck.blurred[RANK[code]] = True
        if self.pile_slack:
            hand.loosen(self.pile_slack)
            self.sides[self.rules.side_of[seat]].threes_open = True
        pile.clear()
        if keep_top:
            pile.append(top)
        self.pile_slack = 0
        self.frozen = NO
        self.waiting = keep_top

    def from_hand(self, code: i64) -> i64:
        """Return whether a card just laid came from the hand as it was: YES, NO or MAYBE.

        After the rest of the pile came in, what the hand held before the take counts first.
        """
        if code == UNKNOWN:
            self.before_vague = True
            if not self.waiting:
                return MAYBE
        spent = self._spend(code)
        if self.waiting:
            return YES
        # Any of the cards laid may be one of those that are not written: which, is open.
        if spent:
            return MAYBE if self.before_partly or self.before_vague else YES
        return MAYBE if self.before_free or self.before_vague else NO

    def _spend(self, code: i64) -> bool:
        """Take a card, however spelled, off what the hand held before the take, if it held it."""
        before = self.before
        bare = BARE[RANK[code]]
        first: i64 = FIRST_OF[RANK[code]] if code == bare else code
        for kind in range(first, code + 1):
            if before[kind] > 0:
                before[kind] -= 1
                for other in range(kind + 1, code + 1):
                    if before[other] > 0:
                        # It may as well have been the other one.
                        self.before_vague = True
                return True
        if before[bare] > 0:
            before[bare] -= 1
            return True
        return False

    def note_top_group(self, code: i64, from_hand: i64) -> None:
        """Count a card laid with the top's rank by where it came from."""
        if from_hand == MAYBE:
            self.perhaps += 1
        elif from_hand == YES and is_wild(code):
            self.sure_wilds += 1
        elif from_hand == YES:
            self.sure_naturals += 1

    def judge_take(self, seat: i64) -> None:
        """Judge how the top was melded with what came from the hand.

        Violates `pile-frozen`, `pile-unmeldable`, `meld-naturals`, `meld-short`, at the take.
        """
        if self.refused or (self.top_meld and self.taken_frozen == NO and self.rules.onto_meld):
            return
        self.at = self.take_at
        frozen = self.taken_frozen == YES
        code = self._take_fault(self.sure_naturals, self.sure_wilds, frozen)
        if not code and self.taken_frozen == MAYBE:
            frozen = True
            if self._take_fault(self.sure_naturals, self.sure_wilds, frozen):
                self.doubt("pile-frozen")
            return
        if not code:
            return
        if not self._take_fault(self.sure_naturals + self.perhaps, self.sure_wilds, frozen):
            self.doubt(code)
            return
        self._report_take(code, seat)

    def _take_fault(self, naturals: i64, wilds: i64, frozen: bool) -> str:
        """Return the code of what is wrong with a take so melded, or ""."""
        rules = self.rules
        stands = self.top_meld > 0 and (frozen or rules.onto_meld)
        if naturals >= 2 or (stands and not frozen):
            return ""
        if not naturals and not wilds and not stands:
            return "pile-unmeldable"
        if not stands and 1 + naturals + wilds < MELD_SIZE:
            return "meld-short"
        if not stands and 1 + naturals < rules.min_naturals:
            return "meld-naturals"
        return "pile-frozen" if frozen or not rules.with_wild else ""

    def _report_take(self, code: str, seat: i64) -> None:
        naturals = self.sure_naturals
        rank = RANK[self.top]
        if code == "pile-frozen":
            why, key = self._why(seat)
            self.violate(code, why, key, card=self.top, pair=naturals)
        elif code == "pile-unmeldable":
            self.violate(code, "none", "pile.onto_meld", card=self.top)
        elif code == "meld-naturals":
            self.violate(code, "top", "meld.min_naturals", naturals=1 + naturals, meld=rank)
        else:
            self.violate(code, "top", "", cards=1 + naturals + self.sure_wilds, meld=rank)

    def _why(self, seat: i64) -> tuple[str, str]:
        """Return why the pile was frozen, and the key that says so."""
        rules = self.rules
        if rules.always_frozen:
            return "always", "pile.always_frozen"
        if rules.frozen_until_opened and not self.opened_before:
            return "unopened", "pile.frozen_until_opened"
        if self.taken_frozen == YES:
            return "discard", "pile.freezers"
        return "with-wild", "pile.with_wild"


def pile_holds(table: Taking, code: i64) -> bool:
    """Return whether the rest of the waiting pile holds the card."""
    if table.pile_slack and table.rules.up_covered[RANK[code]]:
        return True
    rest = table.pile if table.top_melded else table.pile[:-1]
    return any(agree(code, other) for other in rest)
