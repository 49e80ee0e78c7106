"""The end of a turn: melds, the opening, going out, and whether promises and claims held."""

from __future__ import annotations

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    FIVE_NATURALS,
    JOKER_RANK,
    MELD_SIZE,
    RANK,
)
from canasta_notation.counts import i64
from canasta_notation.engine.play import Playing
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.side import NOT_KNOWN, Side
from canasta_notation.engine.table import LINE, OUT, SPECIAL


class Judging(Playing):
    """A table at which a turn is judged as a whole."""

    __slots__ = ("went_out",)

    def __init__(self, rules: Rules, dealer: int, totals: list[int], has_stock: bool) -> None:
        super().__init__(rules, dealer, totals, has_stock)
        self.went_out = False

    def end_turn(self, mark: str) -> None:
        """End the turn; `mark` is the claim "", "#" or "##".

        Violates the shape of melds, the opening, going out, `out-claim`, `discard-missing`.
        """
        self.at = LINE
        self.went_out = self.out_concealed = False
        if (
            not self.touches
            and not self.took
            and self.discarded >= 0
            and not mark
            and not self.answer
            and not self.special
            and self.overdrawn < 0
            and self.knowable
            and not self.ended
            and self.hand.size > 0
        ):
            self.due = self.rules.next_seat[self.seat]
            return
        if self.knowable and self.overdrawn >= 0:
            self.at = self.overdrawn_at
            self.overcount(self.overdrawn)
        if not self.knowable:
            return
        self.due = self.rules.next_seat[self.seat]
        if self.special:
            self.ended, self.ended_by = SPECIAL, self.seat
        elif not self.ended:
            self._judge_turn(mark)
        self.at = LINE
        if mark and not self.went_out and not self.special:
            self.violate("out-claim", "not-out", mark=mark)
        elif mark == "##" and not self.out_concealed:
            self.violate("out-claim", "not-concealed", "score.concealed_needs", mark=mark)

    def _judge_turn(self, mark: str) -> None:
        side = self.side
        if self.waiting:
            self.settle_rest()
        if self.took:
            self.judge_take(self.seat)
        for place in range(self.touches):
            rank = self.touch_order[place]
            self.at = self.touched_at[rank]
            self._judge_meld(side, rank)
        if self.discarded < 0 or self.hand.size == 0 or self._laid(BLACK_THREE):
            self._judge_out(side, mark)
        if self.answer:
            self._judge_answer(self.went_out)
        if self.touches:
            if self.rules.score_concealed_canasta:
                self._note_concealed_canastas(side)
            if not self.opened_before:
                self.at = self.touched_at[self.touch_order[self.touches - 1]]
                self._judge_opening(side)
                self.openings += 1
            side.opened = True
            self.hand.melded = True

    def _judge_meld(self, side: Side, rank: i64) -> None:
        """Judge the shape of a meld touched in this turn."""
        rules = self.rules
        size = side.sizes[rank]
        if self.took and self.refused and rank == RANK[self.top]:
            return
        if size > rules.max_cards:
            self.violate("meld-size", "cap", "meld.max_cards", cards=size, meld=rank)
        if size < MELD_SIZE:
            if not self._told("meld-short", rank):
                self.violate("meld-short", "short", "", cards=size, meld=rank)
            return
        if rank in (BLACK_THREE, JOKER_RANK):
            return
        naturals, strangers = side.naturals[rank], side.strangers[rank]
        if naturals + strangers < rules.min_naturals:
            if not self._told("meld-naturals", rank):
                self.violate(
                    "meld-naturals", "few", "meld.min_naturals", naturals=naturals, meld=rank
                )
        elif naturals < rules.min_naturals or (strangers and self.laid_wilds[rank]):
            self.doubt("meld-naturals")
        if self.laid_wilds[rank]:
            self._judge_wilds_in(side, rank)

    def _outnumbers(self, side: Side, rank: i64) -> bool:
        """Return whether a meld with naturals enough holds more wild cards than natural ones."""
        naturals = side.naturals[rank] + side.strangers[rank]
        return self.rules.min_naturals <= naturals < side.wilds(rank)

    def _told(self, code: str, rank: i64) -> bool:
        """Return whether the take was found to have the same fault with this rank."""
        return any(
            violation.code == code and violation.facts.get("meld") == rank
            for violation in self.violations
        )

    def _judge_wilds_in(self, side: Side, rank: i64) -> None:
        """Judge the wild cards of a meld to which this turn added some."""
        rules = self.rules
        wilds, naturals = side.wilds(rank), side.naturals[rank]
        if wilds > rules.max_wilds:
            self.violate("meld-wilds", "many", "meld.max_wilds", wilds=wilds, meld=rank)
        elif not rules.may_outnumber and self._outnumbers(side, rank):
            self.violate(
                "meld-wilds",
                "outnumber",
                "meld.wilds_may_outnumber",
                wilds=wilds,
                naturals=naturals,
                meld=rank,
            )
        if rules.no_wilds[rank]:
            was_mixed = wilds > self.laid_wilds[rank]
            if rank != ACE or (self.opened_before and not was_mixed):
                message = "aces" if rank == ACE else "rank"
                self.violate("meld-wild-ban", message, "meld.no_wilds_in", meld=rank)
                return
        if not rules.rule_of_five or not self.opened_before or naturals >= FIVE_NATURALS:
            return
        if naturals + side.strangers[rank] >= FIVE_NATURALS:
            self.doubt("meld-wild-ban")
        else:
            self.violate("meld-wild-ban", "five", "meld.rule_of_five", naturals=naturals, meld=rank)

    def _judge_out(self, side: Side, mark: str) -> None:
        """Decide whether the seat went out, and judge how the turn ended."""
        hand = self.hand
        self.at = LINE
        if hand.size == 0 and hand.slack and not self.talon_taken and not mark:
            self.doubt("out-canasta")
        empty = hand.size == 0 and (hand.slack == 0 or mark != "")
        if empty:
            self._go_out(side)
        elif self.discarded < 0:
            short = side.canastas() < self.rules.out_canastas
            if (hand.slack and hand.size < 2) or self.perhaps_over:
                self.doubt("discard-missing")
            elif hand.size == 1 and short:
                self._report_canastas(side, "stuck")
            else:
                self.violate("discard-missing", "missing", cards=hand.size)
        if self._laid(BLACK_THREE) and hand.size == 0 and not empty:
            self.doubt("meld-threes")
        elif self._laid(BLACK_THREE) and not empty:
            self.at = self.touched_at[BLACK_THREE]
            self.violate("meld-threes", "not-out", "meld.black_threes")

    def _go_out(self, side: Side) -> None:
        if side.canastas() < self.rules.out_canastas:
            self._report_canastas(side, "out")
        elif self.rules.finished and side.unfinished():
            self.violate("out-canasta", "unfinished", "out.finished", meld=side.unfinished()[0])
        if self.rules.discard_required and self.discarded < 0:
            self.violate("out-discard", "required", "out.discard")
        self.went_out = True
        self.out_concealed = self._is_concealed(side)
        self.ended, self.ended_by = OUT, self.seat

    def _report_canastas(self, side: Side, message: str) -> None:
        due = self.rules.out_canastas
        self.violate("out-canasta", message, "out.canastas", canastas=side.canastas(), due=due)

    def _is_concealed(self, side: Side) -> bool:
        """Return whether the whole hand was melded in this turn, on new melds, with a canasta.

        Source: 000 Going out, 001 Going Out, 003 Going Out With a Concealed Hand.
        """
        if self.hand.melded or not self.touches:
            return False
        if any(side.sizes[rank] > self._laid_on(rank) for rank in self.touched):
            return False
        if not self.rules.concealed_own:
            return side.canastas() > 0
        return any(side.sizes[rank] >= CANASTA_SIZE for rank in self.touched)

    def _laid_on(self, rank: i64) -> i64:
        return self.laid_naturals[rank] + self.laid_wilds[rank]

    def _judge_answer(self, went_out: bool) -> None:
        """Hold the seat to its partner's answer."""
        self.at = self.ask_at
        hand = self.hand
        if not went_out and hand.size == 0 and hand.slack:
            self.doubt("out-promised")
        elif self.answer == "yes" and not went_out:
            self.violate("out-promised", "stayed", "penalty.ask")
        elif self.answer == "no" and went_out:
            self.violate("out-denied", "went", "out.ask")

    def _judge_opening(self, side: Side) -> None:
        """Judge the side's opening: its count, and the clean triple where one is asked for."""
        if any(violation.code == "opening-low" for violation in self.violations):
            return
        splash = self.splashed()
        if not splash and not self._waived():
            if side.minimum == NOT_KNOWN or self.count_least < side.minimum <= self.count_most:
                self.doubt("opening-low")
            elif self.count_most < side.minimum:
                self.violate(
                    "opening-low",
                    "low",
                    "opening.table",
                    count=self.count_most,
                    minimum=side.minimum,
                    total=side.total,
                )
        if self.rules.clean_triple and not splash and not self._has_clean_triple(0):
            if self._has_clean_triple(self.laid_perhaps):
                self.doubt("opening-form")
            else:
                self.violate("opening-form", "triple", "opening.clean_triple")

    def _waived(self) -> bool:
        """Return whether going out concealed after a stock draw waives the minimum (003)."""
        return self.rules.waived == "out-concealed-from-stock" and self.drew and self.out_concealed

    def _has_clean_triple(self, perhaps: i64) -> bool:
        """Return whether a meld of naturals alone, or of wild cards alone, was laid.

        The pile's top card may be in it, cards of the pile's rest not; `perhaps` more cards may
        have come from the hand.
        """
        for rank in self.touched:
            laid = self._laid_with_top(rank) + perhaps
            clean = rank == JOKER_RANK or (rank != BLACK_THREE and not self.laid_wilds[rank])
            if clean and laid >= MELD_SIZE:
                return True
        return False

    def _laid_with_top(self, rank: i64) -> i64:
        """Return how many cards laid surely came from the hand, the pile's top among them."""
        if self.took and self.top_melded and rank == RANK[self.top]:
            return self.laid_from_hand[rank] + 1
        return self.laid_from_hand[rank]

    def judge_open_claim(self, claimed: i64) -> None:
        """Judge the claimed count of the side's opening; violates `opening-claim`."""
        if self.opened_before or not self.touches:
            self.violate("opening-claim", "none", claimed=claimed)
        elif claimed - self.count_least not in self.count_more:
            self.violate("opening-claim", "count", claimed=claimed, count=self.count_most)
        elif self.count_least != self.count_most:
            self.doubt("opening-claim")

    def _note_concealed_canastas(self, side: Side) -> None:
        """Mark canastas laid complete from the hand, the pile's top card allowed (004)."""
        for rank in self.touched:
            laid = self._laid_with_top(rank)
            if side.sizes[rank] > self._laid_on(rank):
                continue
            if laid >= CANASTA_SIZE:
                side.concealed |= 1 << rank
            elif laid + self.laid_perhaps >= CANASTA_SIZE:
                side.perhaps_concealed |= 1 << rank
