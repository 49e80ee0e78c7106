"""A deal from the first card to its end: the one class that the outside drives."""

from __future__ import annotations

from canasta_notation.counts import i64
from canasta_notation.engine.able import must_take
from canasta_notation.engine.judge import Judging
from canasta_notation.engine.table import LINE, MAYBE, NO, OPEN, OUT, SPECIAL, STOCK, YES


class DealPlay(Judging):
    """A deal being played: the setup lines, then turns and penalties, then its end.

    Every method records violations and doubts and applies what happened; once `knowable` is
    False the turn that is on may be ended, and nothing further be played.
    """

    __slots__ = ()

    def plain_turn(self, seat: i64, drawn: i64, discarded: i64) -> bool:
        """Play a turn of one card drawn and one discarded that plainly breaks no rule.

        Returns False, having changed nothing, where any rule might have a word; the turn then goes
        action by action. A card that has no suit, or is none, is not plain.
        """
        rules = self.rules
        hand = self.hands[seat]
        if (
            seat != self.due
            or self.ended
            or hand.partly
            or hand.size == 0
            or not rules.plain_discard[discarded]
        ):
            return False
        balance = hand.balance
        held = balance[discarded]
        if (held == 0 and discarded != drawn) or not self.draw_plain(hand, drawn):
            return False
        balance[discarded] -= 1
        hand.size -= 1
        self.pile.append(discarded)
        self.turns += 1
        self.seat = seat
        self.due = rules.next_seat[seat]
        return True

    def penalize(self, side: i64, points: i64, word: str) -> None:
        """Take points from a side for a ruling; violates `penalty` (a warning)."""
        self.at = LINE
        self.sides[side].penalty += points
        if word not in self.rules.penalties:
            return
        due = self.rules.penalties[word]
        if due is None:
            self.violate("penalty", "none", f"penalty.{word}", word=word, points=points)
        elif due != points:
            self.violate("penalty", "amount", f"penalty.{word}", word=word, points=points, due=due)

    def stock_over(self) -> i64:
        """Return whether the empty stock has ended the deal: YES, NO or MAYBE.

        It has when the next seat need not take the pile and the record shows no take.
        """
        if self.stock_fewest > 0 or self.ended != OPEN:
            return NO
        if self.stock_most > 0:
            return MAYBE
        if self.due < 0:
            return MAYBE
        must = must_take(self, self.due)
        return {YES: NO, NO: YES, MAYBE: MAYBE}[must]

    def end(self, reason: str, seat: i64) -> bool:
        """Judge an end line; return whether the deal counts as ended and can be scored.

        Violates `end-claim`, `end-stock-left`, `pile-must-take`.
        """
        self.at = LINE
        if self.ended != OPEN:
            if reason != self.ended or (reason in (OUT, SPECIAL) and seat != self.ended_by):
                self._deny_end(reason, seat)
            return True
        if reason == STOCK:
            self._end_by_stock()
            return True
        if reason in (OUT, SPECIAL):
            return self._end_by_seat(reason, seat)
        return self._end_unfinished()

    def _end_by_stock(self) -> None:
        over = self.stock_over()
        if over == NO and self.stock_most > 0:
            self.violate("end-stock-left", "left", stock=self.stock_fewest)
        elif over == NO:
            self.violate("pile-must-take", "able", "pile.must_take", card=self.pile[-1])
        elif over == MAYBE:
            self.doubt("end-stock-left" if self.stock_most else "pile-must-take")
        self.ended = STOCK

    def _end_by_seat(self, reason: str, seat: i64) -> bool:
        hand = self.hands[seat]
        if reason == OUT and hand.size == 0 and hand.slack and self.seat == seat:
            self.doubt("end-claim")
            self.ended, self.ended_by = OUT, seat
            self.out_unseen = True
            return True
        if self.stock_over() == YES:
            self.ended = STOCK
            self._deny_end(reason, seat)
            return True
        self.violate("end-claim", "open", claimed=self._end_text(reason, seat))
        return False

    def _deny_end(self, reason: str, seat: i64) -> None:
        """Report an end line that says otherwise than the play."""
        how = self._end_text(self.ended, self.ended_by)
        self.violate("end-claim", "other", claimed=self._end_text(reason, seat), how=how)

    def _end_text(self, reason: str, seat: i64) -> str:
        return f"{reason} {self.rules.seats[seat]}" if seat >= 0 else reason

    def _end_unfinished(self) -> bool:
        over = self.stock_over()
        if over == YES:
            self.ended = STOCK
            self._deny_end("unfinished", -1)
        elif over == MAYBE:
            self.doubt("end-claim")
        return self.ended != OPEN

    def end_unclaimed(self) -> bool:
        """Close a deal without an end line; return whether the play ended it."""
        self.at = LINE
        over = self.stock_over()
        if over == YES:
            self.ended = STOCK
        elif over == MAYBE:
            self.doubt("end-missing")
        return self.ended != OPEN
