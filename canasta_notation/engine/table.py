"""The state of a deal: hands, sides, pile and stock, and what the record of it violates.

The table is mutable and never leaves the engine; `state.State` is its frozen picture. Seats and
sides are indices in the order of `Rules.seats` and `Rules.sides`.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from canasta_notation.cards import BARE, BLACK_THREE, RANK, RED_THREE, UNKNOWN
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


class Violation:
    """A rule broken: the finding's code, which of its messages, the profile's key, the numbers.

    `action` is the index of the action in its turn, or LINE. Values of `facts` whose names begin
    with `card`, `rank`, `meld`, `seat` or `side` are codes and indices, for the words to spell out.
    """

    def __init__(
        self, code: str, message: str, key: str, action: int, facts: dict[str, object]
    ) -> None:
        self.code = code
        self.message = message
        self.key = key
        self.action = action
        self.facts = facts


class Table:
    """Hands, sides, pile and stock of one deal, and the violations and doubts met so far."""

    __slots__ = (
        "at", "dealer", "deck", "doubts", "due", "ended", "ended_by", "frozen", "hands",
        "has_stock", "knowable", "openings", "out_concealed", "out_unseen", "perhaps_over", "pile",
        "pile_slack", "rules", "sides", "special_cards", "special_points", "stock", "stock_at",
        "stock_fewest", "stock_most", "talons", "turns", "undealt", "violations",
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

    def violate(self, code: str, message: str, key: str = "", **facts: object) -> None:
        """Record a violation at the current action."""
        self.violations.append(Violation(code, message, key, self.at, facts))

    def doubt(self, code: str) -> None:
        """Record that a check needs a card that is not written."""
        self.doubts.append((code, self.at))

    def lose(self) -> None:
        """Record that from here on the state of the deal cannot be known."""
        self.knowable = False

    def pull(self, code: i64) -> i64:
        """Move a card off the stock and return it, as the stock line names it if that says more.

        Violates `stock-order` and `deck-count`; the stock's own count is checked by the caller.
        """
        self.stock_most -= 1
        self.stock_fewest = max(0, self.stock_fewest - 1)
        if not self.has_stock:
            self.count(code)
            if code == UNKNOWN:
                self.doubt("deck-count")
            return code
        expected = self.stock[self.stock_at] if self.stock_at < len(self.stock) else UNKNOWN
        self.stock_at += 1
        if expected == UNKNOWN:
            self.count(code)
            return code
        finer = code != expected and expected == BARE[RANK[code]]
        if finer and not self.deck.refine(expected, code):
            self.miscount(code)
        if not agree(code, expected):
            self.violate("stock-order", "other", card=code, card_due=expected)
            self.lose()
            return code
        return expected if code in (UNKNOWN, BARE[RANK[expected]]) else code

    def count(self, code: i64) -> None:
        """Account for a card that left the deck; violates `deck-count`."""
        if not self.deck.add(code):
            self.miscount(code)

    def miscount(self, code: i64) -> None:
        """Report a card that the deck cannot have, unless the deal is unknowable already."""
        if self.knowable:
            self.overcount(code)

    def overcount(self, code: i64) -> None:
        """Report a card of which the deck has no further copy; the deal is unknowable from here."""
        self.overdraw(self.deck, code)

    def overdraw(self, deck: Deck, code: i64) -> None:
        """Report a card that an account of the deck has no further copy of; see `overcount`."""
        rank = RANK[code]
        if code == UNKNOWN:
            self.violate("deck-count", "places", "deck.jokers", places=deck.unnamed)
        elif deck.total(rank) > deck.rank_copies[rank]:
            self.violate(
                "deck-count", "rank", "deck.jokers", rank=rank, copies=deck.rank_copies[rank]
            )
        elif deck.origin[code] + deck.needed[code] > deck.copies[code]:
            self.violate("deck-count", "card", "deck.jokers", card=code, copies=deck.copies[code])
        else:
            self.violate("deck-count", "places", "deck.jokers", places=deck.unnamed)
        self.lose()

    def table_three(self, seat: i64, code: i64) -> None:
        """Put a three on the table before the seat's side."""
        self.sides[self.rules.side_of[seat]].threes.append(code)

    def unseen_threes(self) -> i64:
        """Return how many threes that must be tabled are not accounted for."""
        ranks = (RED_THREE, BLACK_THREE) if self.rules.black_tabled else (RED_THREE,)
        return sum(self.deck.unseen(rank) for rank in ranks)


def agree(code: i64, other: i64) -> bool:
    """Return whether two spellings can be of one card; an unknown card is never a red three."""
    if code == other:
        return True
    if code == UNKNOWN or other == UNKNOWN:
        return RED_THREE not in (RANK[code], RANK[other])
    return RANK[code] == RANK[other] and BARE[RANK[code]] in (code, other)


def specify(codes: tuple[int, ...], expected: list[int]) -> list[int]:
    """Return cards as a second list of them names them where that says more."""
    return [
        other
        if code in (UNKNOWN, BARE[RANK[other]]) and agree(code, other) and other != UNKNOWN
        else code
        for code, other in zip_longest(codes, expected[: len(codes)], fillvalue=UNKNOWN)
    ]
