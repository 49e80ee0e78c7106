"""The lines before play: hands, up cards, stock and talons, each at its place."""

from __future__ import annotations

from canasta_notation.arrays import array
from canasta_notation.engine.account import specify
from canasta_notation.engine.deal import (
    begin_play,
    deal_hand,
    deal_unseen,
    judge_stock,
    match_stock,
    match_up,
    set_stock,
    set_talon,
    turn_unseen,
    turn_up,
)
from canasta_notation.engine.table import Table
from canasta_notation.notation.document import (
    Deal,
    HandLine,
    StockLine,
)
from canasta_notation.replay.end_table import end_table
from canasta_notation.replay.final_table import FinalTable
from canasta_notation.replay.game_report import Doubt
from canasta_notation.replay.locate import Context, line_number
from canasta_notation.replay.order import Due, Ordered


class DealSetup(Ordered):
    """A deal being replayed up to its first turn; `totals` are those of the sides before it."""

    def __init__(self, context: Context, at: int, deal: Deal, due: Due, totals: list[int]) -> None:
        super().__init__(context, at, deal, due)
        #: The stock line can be laid under the play only if nothing before play is unwritten.
        self.stocked = deal.stock is not None and self._is_dealt_in_full()
        self.play = Table(self.rules, self.dealer, totals, self.stocked)
        if end_table(deal) and not deal.turns:
            self.final = FinalTable(self.rules, self.dealer, totals, deal)

    def _is_dealt_in_full(self) -> bool:
        """Return whether every hand line, and the up line if there is one, is written whole."""
        seats = {line.seat for line in self.deal.hands if not line.rest_unknown}
        up = self.deal.up is not None or not self.rules.up_turned
        if self.dealer < 0 and sum(bool(line.replacements) for line in self.deal.hands) > 1:
            # Whose replacements left the stock first is not written either.
            return False
        return up and seats >= set(self.rules.seats)

    def _setup(self) -> bool:
        """Replay hands, up cards, stock and talons; return whether play can be replayed."""
        play, deal = self.play, self.deal
        if (self.sheet or self.final) and not deal.hands:
            return True
        seen = self._setup_hands()
        if seen is None:
            return False
        self._setup_up()
        self._setup_stock(seen)
        begin_play(play)
        for each in (*deal.hands, deal.up):
            if each is not None:
                self._judge_acknowledged(each)
        self.findings.sort(key=lambda finding: finding.span.line)
        return not self._unread(line_number(deal.play[0]) if deal.play else self._end_line())

    def _setup_hands(self) -> dict[int, HandLine] | None:
        """Deal the hands; return the lines of the seats, None if one cannot be read."""
        play, deal, rules = self.play, self.deal, self.rules
        seen: dict[int, HandLine] = {}
        pulled = self._pulled()
        for line in deal.hands:
            if self._unread(line.span.line):
                return None
            if line.seat not in rules.seats:
                self.find("wrong-seat", "none", line.span, "players", name=line.seat)
                continue
            seat = rules.seats.index(line.seat)
            seen[seat] = line
            replacements = pulled.get(line.seat, list(line.replacements))
            deal_hand(play, seat, array(line.cards), line.rest_unknown, array(replacements))
            self._settle_line(line.span, line.acknowledged)
        for seat in range(rules.players):
            if seat not in seen:
                deal_unseen(play, seat)
        self._settle_line(deal.span)
        return seen

    def _setup_stock(self, seen: dict[int, HandLine]) -> None:
        play, deal = self.play, self.deal
        if deal.stock is not None and not self._unread(deal.stock.span.line):
            if self.stocked:
                set_stock(play, array(deal.stock.cards))
                self._settle_line(deal.stock.span)
                self._match_stock(seen)
            else:
                self.doubts.append(Doubt("stock-order", None, deal.stock.span.line))
                self._judge_stock(deal.stock, seen)
        for talon in deal.talons:
            set_talon(play, list(talon.cards))
            self._settle_line(talon.span)

    def _judge_stock(self, line: StockLine, seen: dict[int, HandLine]) -> None:
        """Judge what a stock line says whatever the hands that are not written hold."""
        play, up, stock = self.play, self.deal.up, array(line.cards)
        judge_stock(play, stock, [array(hand.cards) for hand in seen.values()])
        self._settle_line(line.span)
        if up is not None and len(stock) == play.undealt:
            match_up(play, array(up.cards), stock)
            self._settle_line(up.span, up.acknowledged)

    def _pulled(self) -> dict[str, list[int]]:
        """Return each seat's replacements, as the stock line names them if it says more."""
        deal, rules = self.deal, self.rules
        if not self.stocked or deal.stock is None:
            return {}
        lines = {line.seat: line for line in deal.hands}
        stock = list(deal.stock.cards)
        at = len(deal.up.cards) if deal.up else 0
        pulled: dict[str, list[int]] = {}
        for turn in range(rules.players):
            seat = rules.seats[(max(self.play.dealer, 0) + 1 + turn) % rules.players]
            codes = lines[seat].replacements
            pulled[seat] = specify(codes, stock[at : at + len(codes)])
            at += len(codes)
        return pulled

    def _match_stock(self, seen: dict[int, HandLine]) -> None:
        """Hold up cards and replacements to the stock line, each at its own line."""
        play, up = self.play, self.deal.up
        if up is not None:
            match_stock(play, array(up.cards))
            self._settle_line(up.span, up.acknowledged)
        players = self.rules.players
        for seat in ((max(play.dealer, 0) + 1 + at) % players for at in range(players)):
            if seat in seen:
                line = seen[seat]
                match_stock(play, array(line.replacements))
                self._settle_line(line.span, line.acknowledged)

    def _setup_up(self) -> None:
        up = self.deal.up
        if up is None:
            turn_unseen(self.play)
            self._settle_line(self.deal.span)
            return
        if self._unread(up.span.line):
            return
        stock = self.deal.stock.cards if self.stocked and self.deal.stock else ()
        turn_up(self.play, array(specify(up.cards, list(stock))))
        self._settle_line(up.span, up.acknowledged)
