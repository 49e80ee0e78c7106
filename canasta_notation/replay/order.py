"""Which deal of the game this is and who deals it, held against the deals before it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from canasta_notation.findings import Finding
from canasta_notation.notation.document import Deal
from canasta_notation.replay.locate import Context, Locating


@dataclass(frozen=True, slots=True)
class Due:
    """What a deal should say of itself by the deals before it.

    `dealer` is a seat or -1; it is `sure` unless it was false before. `shift` is how far the last
    deal's number was from its place, `false_number` the first of the row of false numbers that it
    ended.
    """

    dealer: int = -1
    sure: bool = True
    shift: int = 0
    false_number: Finding | None = None

    def lost(self) -> Due:
        """Return what is due after a deal that could not be read."""
        return replace(self, dealer=-1, sure=False)


class Ordered(Locating):
    """A deal and its place in the game."""

    def __init__(self, context: Context, at: int, deal: Deal, due: Due) -> None:
        super().__init__(context, at, deal)
        self.due = due
        #: How far the deal's number is from its place, and from where the last one would lead.
        self.number_shift = due.shift
        self.step = 0
        #: What a row of false numbers began with that this deal's number ends, or goes on.
        self.false_number: Finding | None = due.false_number
        if min(context.game.lost, default=deal.span.line) >= deal.span.line:
            # After a lost deal line, it is not known which deal this is.
            self._judge_number()
        self.dealer = self._judge_dealer()

    @property
    def jump(self) -> Finding | None:
        """The false number by which deals are missing before this one, or are elsewhere."""
        return self.false_number if self.step else None

    def next_due(self) -> Due:
        """Return what the next deal should say of itself."""
        false_number = self.false_number if self.number_shift else None
        due = Due(-1, False, self.number_shift, false_number)
        if self.false_dealer is None:
            due = replace(due, sure=True)
        elif self.deal.dealer is None and self._began_wrongly():
            return due
        if self.dealer < 0:
            return due
        return replace(due, dealer=(self.dealer + 1) % self.rules.players)

    def _began_wrongly(self) -> bool:
        """Return whether the play shows that the dealer is not the one that was due."""
        codes = ("wrong-seat", "stock-order")
        return any(each.code in codes and each.follows is self.jump for each in self.findings)

    def _judge_number(self) -> None:
        """Judge the deal's number; one that goes on from a false one is its consequence."""
        number, place = self.deal.number, self.at + 1
        self.number_shift = number - place
        self.step = self.number_shift - self.due.shift
        if not self.number_shift:
            return
        finding = self.find("deal-number", "other", self.deal.span, number=number, due=place)
        if self.false_number is None or (self.step and not self._fills_gap()):
            self.false_number = finding
        else:
            self.findings[-1] = replace(finding, follows=self.false_number)

    def _fills_gap(self) -> bool:
        """Return whether the number is one that an earlier false number has passed over."""
        number, numbers = self.deal.number, self.context.numbers
        return 0 < number < numbers.highest[self.at] and numbers.first[number] == self.at

    def _judge_dealer(self) -> int:
        """Return the dealer's seat, the written one if there is one, or -1."""
        written, due = self.deal.dealer, self.due.dealer
        span = self._span(self.deal.dealer_at)
        players = self.rules.players
        if written is None:
            self.false_dealer = self.jump
            return due
        if written not in self.rules.seats:
            self.find("dealer", "none", span, "players", dealer=written)
            return due
        seat = self.rules.seats.index(written)
        if not self.due.sure or due == -1:
            return seat
        if (seat - due - self.step) % players:
            # The deals went on: it is the number alone that is false.
            self.step = 0
        if seat != due:
            finding = self.find("dealer", "other", span, dealer=written, due=self.rules.seats[due])
            self.findings[-1] = self.false_dealer = replace(finding, follows=self.jump)
        return seat
