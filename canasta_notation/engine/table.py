"""The table: the one mutable state of a deal, fields only. What happens to it are functions.

Only these may hold a table: the engine, and the packages that drive it (`search`, `scan`, `replay`,
`live`, `generate`). Nobody outside the engine writes into it or into a violation; what leaves is a
frozen picture (`state.snapshot`), a violation or a score. Seats and sides are indices in the order
of `Rules.seats` and `Rules.sides`.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.arrays import array
from canasta_notation.cards import NO_CODES, NO_RANKS, UNKNOWN, UNKNOWN_RANK
from canasta_notation.counts import i64, vec
from canasta_notation.engine.hand import Deck, Hand
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.side import NOT_KNOWN, Side

#: Where a violation stands that belongs to the line as a whole, not to one action.
LINE: Final = -1

#: What is known of a thing that may not be decided.
NO: Final = 0
YES: Final = 1
MAYBE: Final = 2

#: How a deal ended, in the words of the `end` line; "" while play is open.
OPEN: Final = ""
OUT: Final = "out"
STOCK: Final = "stock"
SPECIAL: Final = "special"

#: In place of an action's index: the rank was not laid on this turn.
UNTOUCHED: Final = -2
_NO_RANK_TOUCHED: Final[vec[i64]] = array([UNTOUCHED] * (UNKNOWN_RANK + 1))
#: What an opening's count can be above the least: nothing.
SURE: Final = frozenset({0})


class Violation:
    """A rule broken: the finding's code, which of its messages, the profile's key, the numbers.

    `action` is the index of the action in its turn, or LINE. Values of `facts` whose names begin
    with `card`, `rank`, `meld`, `seat` or `side` are codes and indices, for the words to spell out.
    Nobody changes a violation.
    """

    def __init__(
        self, code: str, message: str, key: str, action: int, facts: dict[str, object]
    ) -> None:
        self.code: Final = code
        self.message: Final = message
        self.key: Final = key
        self.action: Final = action
        self.facts: Final = facts


class Table:
    """Hands, sides, pile and stock of one deal, and the violations and doubts met so far."""

    __slots__ = (
        "answer", "ask_at", "at", "before", "before_free", "before_partly", "before_vague",
        "count_least", "count_more", "count_most", "dealer", "deck", "discarded", "doubts", "drew",
        "due", "ended", "ended_by", "frozen", "hand", "hands", "has_stock", "knowable", "laid",
        "laid_from_hand", "laid_naturals", "laid_perhaps", "laid_points", "laid_wilds",
        "opened_before", "openings", "out_concealed", "out_unseen", "overdrawn", "overdrawn_at",
        "perhaps", "perhaps_over", "pile", "pile_slack", "refused", "rules", "seat", "side",
        "sides", "special", "special_cards", "special_points", "stock", "stock_at", "stock_fewest",
        "stock_most", "sure_naturals", "sure_wilds", "take_at", "taken_frozen", "talon_taken",
        "talons", "took", "top", "top_meld", "top_melded", "touch_order", "touched_at", "touches",
        "traced", "turns", "undealt", "violations", "waiting", "went_out",
    )  # fmt: skip

    def __init__(self, rules: Rules, dealer: int, totals: list[int], has_stock: bool) -> None:
        self.rules = rules
        self.dealer = dealer
        self.deck = Deck(rules)
        self.hands: list[Hand] = []
        for _ in range(rules.players):
            self.hands.append(Hand(self.deck))
        self.sides: list[Side] = []
        for total in totals:
            minimum = NOT_KNOWN if total == NOT_KNOWN else rules.minimum(total)
            self.sides.append(Side(total, minimum))
        self.pile: list[int] = []
        #: How many cards may lie under `pile` besides: of a deal whose up cards are not written.
        self.pile_slack: i64 = 0
        self.frozen: i64 = NO
        #: The most and the fewest cards that the stock can hold.
        self.stock_most: i64 = rules.undealt
        self.stock_fewest: i64 = self.stock_most
        #: Cards that were left when the hands had been dealt: the length of the stock line.
        self.undealt: i64 = self.stock_most
        #: The stock as written, and how much of it has left.
        self.has_stock = has_stock
        self.stock: vec[i64] = vec[i64]()
        self.stock_at: i64 = 0
        self.talons: tuple[list[int], ...] = ()
        #: How many sides have opened.
        self.openings: i64 = 0
        self.ended = OPEN
        #: The seat that went out or laid a special hand, else -1.
        self.ended_by: i64 = -1
        self.out_concealed = False
        #: True where only the record says that the seat went out: how, cannot be told.
        self.out_unseen = False
        #: True where the draw may have been the stock's last red threes.
        self.perhaps_over = False
        #: Points of the special hand that ended the deal.
        self.special_points: i64 = 0
        #: The cards of a special hand, which lie in no meld.
        self.special_cards: tuple[int, ...] = ()
        #: False once a violation left the state unknowable.
        self.knowable = True
        self.due: i64 = -1 if dealer < 0 else (dealer + 1) % rules.players
        self.turns: i64 = 0
        self.violations: list[Violation] = []
        #: Checks that the record cannot decide: (code, action).
        self.doubts: list[tuple[str, int]] = []
        self.at: i64 = LINE
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
        self.drew = False
        self.answer = ""
        self.ask_at: i64 = LINE
        self.discarded: i64 = -1
        self.talon_taken = False
        self.special = ""
        self.went_out = False

    def copy_arrays(self, other: Table) -> None:
        """Take over copies of another table's own arrays."""
        self.stock, self.before = other.stock[:], other.before[:]
        self.touch_order, self.touched_at = other.touch_order[:], other.touched_at[:]
        self.laid_naturals, self.laid_wilds = other.laid_naturals[:], other.laid_wilds[:]
        self.laid_from_hand, self.laid_points = other.laid_from_hand[:], other.laid_points[:]
