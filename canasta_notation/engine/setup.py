"""The lines before play: hands as dealt, the up cards, the stock and the talons."""

from __future__ import annotations

from canasta_notation.arrays import array
from canasta_notation.cards import BLACK_THREE, RANK, UNKNOWN, UNKNOWN_RANK
from canasta_notation.counts import i64, vec
from canasta_notation.engine.hand import Deck
from canasta_notation.engine.table import MAYBE, NO, YES, Table, agree


class Setup(Table):
    """A table at which the cards are being dealt."""

    __slots__ = ()

    def deal_hand(
        self, seat: i64, dealt: vec[i64], rest_unknown: bool, replacements: vec[i64]
    ) -> None:
        """Give a seat its hand as dealt, and table its threes against the replacements.

        Violates `deal-size`, `deck-count`, `replacement`; `...` excuses what is missing.
        """
        size = self.rules.hand
        if len(dealt) != size and not (rest_unknown and len(dealt) < size):
            self.violate("deal-size", "hand", "deal.hand", cards=len(dealt), due=size, seat=seat)
            self.undealt += size - len(dealt)
            self.stock_most += size - len(dealt)
            self.stock_fewest += size - len(dealt)
        hand = self.hands[seat]
        given = len(replacements)
        if self.deck.add_exact(dealt):
            hand.add_exact(dealt)
            if not (given or rest_unknown or hand.holds(self.rules.tabled_codes)):
                return
            threes = hand.pull_exact(self.rules.tabled_codes)
            unknown = rest_unknown
            dealt = array(threes)
        else:
            for code in dealt:
                self.count(code)
            threes = []
            unknown = self._pick(dealt, threes) or rest_unknown
        for code in replacements:
            self._replacement(code)
        if self._pick(replacements, threes) or unknown:
            self.doubt("deck-count")
        kept = self._kept(seat, threes, given, rest_unknown)
        self._hold(seat, dealt, kept)
        self._hold(seat, replacements, kept)
        if rest_unknown:
            self.sides[self.rules.side_of[seat]].threes_open = True
            missing = max(0, len(threes) - given)
            self.stock_most -= max(0, missing - 1) if self.rules.three_kept else missing
            self.stock_fewest -= missing
            unreplaced = len(threes) > given
            if unreplaced and self.rules.three_kept and hand.size < size:
                # One of the threes may be in the hand, and not on the table.
                self.sides[self.rules.side_of[seat]].threes_less += 1
                hand.add_taken(UNKNOWN)
            for _ in range(size - hand.size):
                hand.add(UNKNOWN)

    def _pick(self, cards: vec[i64], threes: list[int]) -> bool:
        """Add the threes that are to be tabled to a list; return whether a card is not written."""
        tabled = self.rules.tabled
        unknown = False
        for code in cards:
            if tabled[RANK[code]]:
                threes.append(code)
            elif code == UNKNOWN:
                unknown = True
        return unknown

    def _replacement(self, code: i64) -> None:
        if self.has_stock:
            self.stock_most -= 1
            self.stock_fewest -= 1
        else:
            self.pull(code)

    def _kept(self, seat: i64, threes: list[int], given: i64, rest_unknown: bool) -> list[int]:
        """Return the threes that stay in the hand because nothing replaced them."""
        if given > len(threes):
            if not rest_unknown:
                self.violate("replacement", "surplus", seat=seat, given=given, due=len(threes))
            return []
        missing = len(threes) - given
        if missing == 0 or rest_unknown:
            return []
        # No text says which three is kept: a black one if there is one.
        kept = sorted(threes, key=lambda code: RANK[code] != BLACK_THREE)[:missing]
        if not self.rules.three_kept or missing > 1:
            self.violate(
                "replacement", "dealt", "deal.three_kept", seat=seat, given=given, due=len(threes)
            )
        return kept

    def _hold(self, seat: i64, cards: vec[i64], kept: list[int]) -> None:
        """Put cards into the hand, threes on the table; those in `kept` stay and leave the list."""
        hand = self.hands[seat]
        tabled = self.rules.tabled
        for code in cards:
            if not tabled[RANK[code]]:
                hand.add(code)
            elif code in kept:
                kept.remove(code)
                hand.add(code)
                hand.threes += 1
            else:
                self.table_three(seat, code)

    def deal_unseen(self, seat: i64) -> None:
        """Give a seat a hand that was never seen: all unknown, its dealt threes too."""
        self.doubt("deal-size")
        self.sides[self.rules.side_of[seat]].threes_open = True
        for _ in range(self.rules.hand):
            self.hands[seat].add(UNKNOWN)

    def turn_up(self, cards: vec[i64]) -> None:
        """Start the pile with the cards turned up, the last one on top; violates `up-cards`."""
        rules = self.rules
        if not rules.up_turned:
            self.violate("up-cards", "none", "up.turned")
        for at in range(len(cards)):
            code = cards[at]
            covered = rules.up_covered[RANK[code]]
            last = at == len(cards) - 1
            if code != UNKNOWN and covered == last:
                message = "cover" if last else "over"
                self.violate("up-cards", message, "up.covered", card=code)
            if rules.up_freezes[RANK[code]]:
                self.frozen = YES
            elif code == UNKNOWN and not last and self.frozen == NO:
                self.frozen = self._frozen_by_covered()
            if self.has_stock:
                self.stock_most -= 1
                self.stock_fewest -= 1
            else:
                self.pull(code)
            self.pile.append(code)

    def _frozen_by_covered(self) -> i64:
        """Return whether a covered card that is not written freezes the pile: YES, NO or MAYBE."""
        rules = self.rules
        freezing = [
            rules.up_freezes[rank] for rank in range(UNKNOWN_RANK) if rules.up_covered[rank]
        ]
        if not any(freezing):
            return NO
        return YES if all(freezing) else MAYBE

    def turn_unseen(self) -> None:
        """Start the pile with up cards that are not written: one, and any that it covered."""
        rules = self.rules
        if not rules.up_turned:
            return
        wild_and_threes = sum(
            copies for rank, copies in enumerate(rules.rank_copies) if rules.up_covered[rank]
        )
        self.doubt("up-cards")
        self.pile.append(UNKNOWN)
        self.pile_slack = wild_and_threes
        self.stock_most -= 1
        self.stock_fewest = max(0, self.stock_fewest - 1 - wild_and_threes)
        if any(rules.up_freezes):
            self.frozen = MAYBE

    def set_stock(self, cards: vec[i64]) -> None:
        """Lay the stock as written; what has left it already is matched by `match_stock`.

        Violates `deck-count` for a line of another length than the undealt cards.
        """
        due = self.undealt
        if len(cards) != due:
            self.violate("deck-count", "stock", "deck.jokers", cards=len(cards), due=due)
            self.has_stock = False
            return
        self.stock = cards
        if not self.deck.add_exact(cards):
            for code in cards:
                self.count(code)

    def judge_stock(self, cards: vec[i64], hands: list[vec[i64]]) -> None:
        """Judge a stock line that cannot be followed, as not every hand is written.

        `hands` are those that are, as dealt. Violates `deck-count` for the line's length, and for
        a card of which it and the hands hold more copies than the deck has.
        """
        if len(cards) != self.undealt:
            self.violate("deck-count", "stock", "deck.jokers", cards=len(cards), due=self.undealt)
            return
        deck = Deck(self.rules)
        for codes in (*hands, cards):
            for code in codes:
                if not deck.add(code):
                    self.overdraw(deck, code)
                    return

    def match_up(self, up: vec[i64], stock: vec[i64]) -> None:
        """Hold the up cards to the first cards of a stock line that cannot be followed further.

        Violates `stock-order`.
        """
        for at in range(len(up)):
            if not agree(up[at], stock[at]):
                self.violate("stock-order", "other", card=up[at], card_due=stock[at])
                self.lose()
                return

    def match_stock(self, cards: vec[i64]) -> None:
        """Hold cards that left the stock before play to its line, in the order in which they left.

        First the up cards, then each seat's replacements from the dealer's left on. Violates
        `stock-order`.
        """
        if self.has_stock:
            self.stock_most += len(cards)
            self.stock_fewest += len(cards)
            for code in cards:
                self.pull(code)

    def set_talon(self, cards: list[int]) -> None:
        """Lay a talon aside; violates `talon` for one that is not due or has another size."""
        sizes = self.rules.talons
        if len(self.talons) >= len(sizes):
            self.violate("talon", "none", "deal.talons", due=len(sizes))
            return
        if len(cards) != sizes[len(self.talons)]:
            due = sizes[len(self.talons)]
            self.violate("talon", "dealt", "deal.talons", cards=len(cards), due=due)
        for code in cards:
            if code == UNKNOWN:
                self.doubt("deck-count")
            else:
                self.count(code)
        self.talons += (cards,)

    def begin(self) -> None:
        """Close the dealing: threes that may have been dealt unseen make the stock uncertain."""
        if any(side.threes_open for side in self.sides):
            self.stock_fewest = max(0, self.stock_fewest - self.unseen_threes())
