"""Drawing from the stock: the cards due, the threes tabled, the replacements."""

from __future__ import annotations

from canasta_notation.cards import EXACT, RANK, UNKNOWN
from canasta_notation.counts import i64, vec
from canasta_notation.engine.hand import Hand
from canasta_notation.engine.setup import Setup
from canasta_notation.engine.table import STOCK


class Drawing(Setup):
    """A table at which the seat to play may draw."""

    __slots__ = ()

    def draw(self, seat: i64, cards: tuple[int, ...], bare: bool) -> None:
        """Draw cards in their order; `bare` adds an unknown card for each one still due.

        Violates `stock-empty`, `draw-count`, `replacement`, `stock-order`, `deck-count`. Sets
        `ended` where the stock ran out with nothing drawn into the hand.
        """
        if len(cards) == 1 and self.draw_plain(self.hands[seat], cards[0]):
            return
        self._draw_sequence(seat, cards, bare)
        if self.knowable and not self.deck.has_room():
            self.overcount(UNKNOWN)

    def draw_plain(self, hand: Hand, code: i64) -> bool:
        """Draw one card where that is the whole draw and plainly breaks no rule; return whether."""
        deck = self.deck
        if self.stock_fewest == 0 or not self.rules.plain_draw[code] or not deck.written:
            return False
        if self.has_stock:
            at = self.stock_at
            if at >= len(self.stock) or self.stock[at] != code:
                return False
            self.stock_at = at + 1
        else:
            copies = deck.origin[code] + 1
            if copies > deck.copies[code]:
                return False
            deck.origin[code] = copies
        self.stock_most -= 1
        self.stock_fewest -= 1
        hand.balance[code] += 1
        hand.size += 1
        return True

    def draw_known(self, seat: i64, cards: vec[i64], count: i64) -> bool:
        """Draw the first `count` cards where they plainly are the draw due, threes replaced.

        Returns False, having changed nothing, where a card is not written, the stock may be at its
        end or a rule might be broken.
        """
        tabled = self.rules.tabled
        due: i64 = self.rules.draw_count
        for at in range(count):
            due += tabled[RANK[cards[at]]]
        if due != count or self.stock_fewest <= count or not self.deck.written:
            return False
        if self.has_stock:
            if self.stock_at + count > len(self.stock):
                return False
            for at in range(count):
                if not EXACT[cards[at]] or self.stock[self.stock_at + at] != cards[at]:
                    return False
            self.stock_at += count
        elif not self.deck.add_exact(cards[:count]):
            return False
        self.stock_most -= count
        self.stock_fewest -= count
        for at in range(count):
            if tabled[RANK[cards[at]]]:
                self.table_three(seat, cards[at])
            else:
                self.hands[seat].add(cards[at])
        return True

    def _draw_sequence(self, seat: i64, cards: tuple[int, ...], bare: bool) -> None:
        tabled = self.rules.tabled
        threes = sum(tabled[RANK[code]] for code in cards)
        due = self.rules.draw_count + threes
        available = self.stock_most
        if available == 0 or len(cards) > available:
            self.violate("stock-empty", "draw", stock=available)
            self.lose()
            return
        if bare:
            most = min(due, available)
            if max(len(cards) + 1, min(due, self.stock_fewest)) < most:
                # How many cards the stock still had, and so the size of the hand, is open.
                self.doubt("draw-count")
                self.lose()
                return
            cards += (UNKNOWN,) * (most - len(cards))
        missing = self._missing(seat, len(cards), due, threes)
        self._place(seat, [self.pull(code) for code in cards], missing)

    def _missing(self, seat: i64, drawn: i64, due: i64, threes: i64) -> i64:
        """Return how many cards still due were not drawn; report them, or one too many."""
        if drawn == due or drawn == self.stock_most:
            return 0
        if drawn < due and self.stock_fewest <= drawn:
            self.doubt("draw-count")
            self.perhaps_over = drawn == threes
            if self.perhaps_over and self.rules.black_tabled:
                # The last one stays in the hand if the stock is empty, and cannot be told.
                self.sides[self.rules.side_of[seat]].threes_less += 1
                self.hands[seat].blur()
                self.hands[seat].vague = True
            return 0
        # With the whole stock the draw would have been none too long: was it empty already?
        last = drawn < due and self.stock_most <= due
        left = self.stock_most - drawn
        if not threes:
            message = "last" if last else "count"
            self.violate("draw-count", message, "draw.count", drawn=drawn, due=due, stock=left)
        elif drawn > due:
            self.violate("replacement", "many", drawn=drawn, due=due, threes=threes)
        elif due - drawn > 1 or not self._may_keep(seat):
            message = "last" if last else "few"
            self.violate(
                "replacement", message, "deal.three_kept", drawn=drawn, due=due, stock=left
            )
        return max(0, due - drawn)

    def _may_keep(self, seat: i64) -> bool:
        """Return whether the seat may keep a three. Source: pagat.com, Modern American."""
        side = self.sides[self.rules.side_of[seat]]
        return self.rules.three_kept and not side.opened and self.hands[seat].threes == 0

    def _place(self, seat: i64, cards: list[int], missing: i64) -> None:
        """Table the threes that were replaced, put the rest into the hand.

        Unreplaced threes are the last ones drawn. With the stock at its end a red three is tabled
        without a replacement where only red threes are (000, Going out), but stays in the hand
        where threes of both colours are (pagat.com, Modern American).
        """
        hand = self.hands[seat]
        tabled = self.rules.tabled
        if self.stock_most == 0 and self.rules.black_tabled and tabled[RANK[cards[-1]]]:
            missing += 1
        came = 0
        for code in reversed(cards):
            if not tabled[RANK[code]]:
                hand.add(code)
                came += 1
            elif missing:
                missing -= 1
                hand.add(code)
                hand.threes += 1
            else:
                self.table_three(seat, code)
        if self.stock_most == 0 and came == 0:
            self.ended = STOCK
