"""A turn, action by action: what is judged at once. What is judged at its end is in `judge`."""

from __future__ import annotations

from typing import Final

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    FOUR,
    JOKER,
    JOKER_RANK,
    MELD_SIZE,
    POINTS,
    RANK,
    RED_THREE,
    SEVEN,
    TWO,
    UNKNOWN,
    UNKNOWN_RANK,
    is_wild,
)
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.side import NOT_KNOWN
from canasta_notation.engine.special import special_points
from canasta_notation.engine.table import LINE, MAYBE, NO, YES
from canasta_notation.engine.take import Taking, pile_holds

_RANKS: Final = UNKNOWN_RANK + 1
#: Cards of a group, in the order written: from a document, or as the scanner reads them.
Cards = tuple[int, ...] | list[int]


class Playing(Taking):
    """A table at which a turn is being played."""

    def __init__(self, rules: Rules, dealer: int, totals: list[int], has_stock: bool) -> None:
        super().__init__(rules, dealer, totals, has_stock)
        self.seat = -1
        self.drew = False
        self.laid = False
        #: Whether each rank was laid on this turn, by which action last; cards laid by kind.
        self.touched: list[int] = []
        self.is_touched: list[bool] = [False] * _RANKS
        self.touched_at: list[int] = [LINE] * _RANKS
        self.laid_naturals: list[int] = [0] * _RANKS
        self.laid_wilds: list[int] = [0] * _RANKS
        self.laid_from_hand: list[int] = [0] * _RANKS
        #: Points counted towards the opening: at least and at most.
        self.count_least = 0
        self.count_most = 0
        self.answer = ""
        self.ask_at = LINE
        self.discarded = -1
        self.talon_taken = False
        #: A card of which the deck has no further copy; the turn may prove worse (settled 16).
        self.overdrawn = -1
        self.overdrawn_at = LINE
        self.special = ""

    def begin_turn(self, seat: int) -> bool:
        """Start a seat's turn; return False where the deal is over.

        Violates `after-end`, `wrong-seat`.
        """
        self.at = LINE
        self.turns += 1
        if self.ended:
            self.violate("after-end", "turn", how=self.ended)
            self.lose()
            return False
        if seat != self.due:
            if self.due < 0:
                self.doubt("wrong-seat")
            else:
                self.violate("wrong-seat", "turn", seat=seat, seat_due=self.due)
        self.seat = seat
        self.drew = self.took = self.laid = self.waiting = self.talon_taken = False
        if self.touched:
            for rank in self.touched:
                self.is_touched[rank] = False
            self.touched.clear()
        self.count_least = self.count_most = 0
        self.answer = self.special = ""
        self.discarded = self.overdrawn = -1
        self.opened_before = self.sides[self.rules.side_of[seat]].opened
        return True

    def draw_cards(self, cards: tuple[int, ...], bare: bool) -> None:
        """Draw from the stock; see `Drawing.draw`."""
        self.drew = True
        self.draw(self.seat, cards, bare)

    def ask(self, yes: bool) -> None:
        """Ask partner for leave to go out; violates `ask-when`."""
        rules = self.rules
        asked = self.answer if rules.ask_limit == "turn" else self.asked[self.seat]
        if not rules.may_ask:
            self.violate("ask-when", "never", "out.ask")
        elif asked:
            self.violate("ask-when", "again", "out.ask_limit")
        elif rules.ask_when == "before-melds" and self.laid:
            self.violate("ask-when", "melds", "out.ask_when")
        elif rules.ask_when == "after-stock" and not self.drew:
            self.violate("ask-when", "stock", "out.ask_when")
        self.answer = "yes" if yes else "no"
        self.ask_at = self.at
        self.asked[self.seat] = True

    def lay(self, rank: int, cards: Cards) -> None:
        """Lay cards from the hand on the side's meld of a rank.

        Violates `not-in-hand`, `deck-count`, `opening-low` (a card of a waiting pile's rest),
        `meld-rank`, `meld-threes`, `meld-wild-only`, `meld-wild-ban`, `out-discard`, `after-end`.
        """
        if self._lay_plainly(rank, cards):
            return
        if (self.ended or self.rules.nothing_after_threes) and not self._may_go_on("group"):
            return
        meld = JOKER_RANK if rank == TWO else rank
        with_top = self.took and meld == RANK[self.top]
        hand = self.hands[self.seat]
        balance = hand.balance
        naturals = twos = jokers = strangers = points = from_hand = 0
        plain = FOUR <= rank <= ACE
        for code in cards:
            if balance[code] > 0 and not hand.partly:
                balance[code] = balance[code] - 1
                hand.size -= 1
            elif not self._remove(code):
                return
            worth = POINTS[code]
            points += worth
            if RANK[code] == rank and plain:
                naturals += 1
            else:
                plain = False
                if code == JOKER:
                    jokers += 1
                elif RANK[code] == TWO:
                    twos += 1
                elif code == UNKNOWN:
                    strangers += 1
                else:
                    naturals += 1
            came = self.from_hand(code) if self.took else YES
            if came == YES:
                from_hand += 1
            if with_top:
                self.note_top_group(code, came)
            if not self.opened_before and came != NO:
                self.count_most += worth
                if came == YES:
                    self.count_least += worth
        if not plain:
            self._judge_label(rank, cards)
        self._note_meld(meld, naturals + strangers, twos + jokers, from_hand)
        side = self.sides[self.rules.side_of[self.seat]]
        side.put(meld, naturals, twos, jokers, strangers, points)
        self.laid = True
        if with_top and not self.top_melded:
            self.meld_top(self.seat)
        elif self.waiting:
            self.settle_pile(self.seat)

    def _lay_plainly(self, rank: int, cards: Cards) -> bool:
        """Lay naturals on a meld that they plainly suit, where no rule can have a word.

        Returns False, having changed nothing, wherever one might: the side has not opened, the seat
        has not melded before, the pile was taken, a card is wild or not surely in the hand.
        """
        hand = self.hands[self.seat]
        if self.took or hand.partly or not self.melded[self.seat] or not self.rules.plain_melds:
            return False
        side = self.sides[self.rules.side_of[self.seat]]
        count = len(cards)
        stands = side.naturals[rank]
        if self.ended or self.is_touched[rank] or stands + count < MELD_SIZE:
            return False
        for code in cards:
            if RANK[code] != rank or rank < FOUR or rank > ACE:
                return False
        balance = hand.balance
        for at in range(count):
            code = cards[at]
            held = balance[code]
            if held == 0:
                for back in range(at):
                    balance[cards[back]] = balance[cards[back]] + 1
                return False
            balance[code] = held - 1
        hand.size -= count
        side.naturals[rank] = stands + count
        side.points[rank] = side.points[rank] + count * POINTS[cards[0]]
        self.laid = True
        return True

    def _remove(self, code: int) -> bool:
        """Take a card out of the hand; report it, and return False, where it cannot be there."""
        hand = self.hands[self.seat]
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

    def _laid(self, rank: int) -> bool:
        return self.is_touched[rank]

    def _judge_label(self, rank: int, cards: Cards) -> None:
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
                self.violate("meld-rank", "other", card=code, rank=rank)
                self.refused = self.refused or (self.took and other == RANK[self.top])
                return
        if wild and self.rules.all_wild:
            self._judge_wilds(rank)

    def _judge_wilds(self, rank: int) -> None:
        """Report wild cards laid where the order written forbids them."""
        side = self.sides[self.rules.side_of[self.seat]]
        if rank < TWO and 0 < side.size(JOKER_RANK) < CANASTA_SIZE:
            self.violate("meld-wild-ban", "unfinished", "meld.all_wild", rank=rank)

    def _from_rest(self, code: int) -> bool:
        """Use a card of the waiting pile's rest, which is reported; return whether it has one."""
        if not self.waiting or not pile_holds(self, code):
            return False
        if self.opened_before:
            return False
        self.violate("opening-low", "rest", "opening.table", card=code)
        self.enter_rest(self.seat)
        return self.hands[self.seat].remove(code)

    def _note_meld(self, rank: int, naturals: int, wilds: int, from_hand: int) -> None:
        """Count cards that this turn puts on a meld."""
        if not self.is_touched[rank]:
            self.is_touched[rank] = True
            self.touched.append(rank)
            self.laid_naturals[rank] = naturals
            self.laid_wilds[rank] = wilds
            self.laid_from_hand[rank] = from_hand
        else:
            self.laid_naturals[rank] = self.laid_naturals[rank] + naturals
            self.laid_wilds[rank] = self.laid_wilds[rank] + wilds
            self.laid_from_hand[rank] = self.laid_from_hand[rank] + from_hand
        self.touched_at[rank] = self.at

    def meld_top(self, seat: int) -> None:
        """Meld the top card, and count it towards the opening where the profile does."""
        top = self.top
        points = POINTS[top]
        rank = RANK[top]
        if not self.opened_before and self.rules.top_counts:
            self.count_least += points
            self.count_most += points
        wild = TWO <= rank <= JOKER_RANK
        self._note_meld(rank, 0 if wild else 1, 1 if wild else 0, 0)
        side = self.sides[self.rules.side_of[seat]]
        if wild:
            side.put(rank, 0, int(rank == TWO), int(rank == JOKER_RANK), 0, points)
        else:
            side.put(rank, int(top != UNKNOWN), 0, 0, int(top == UNKNOWN), points)
        super().meld_top(seat)

    def opening_met(self) -> bool:
        """Return whether the side has opened, or what was laid so far opens it."""
        minimum = self.sides[self.rules.side_of[self.seat]].minimum
        return (
            self.opened_before
            or minimum == NOT_KNOWN
            or self.count_most >= minimum
            or self.splashed()
        )

    def splashed(self) -> bool:
        """Return whether a natural canasta or one of wild cards was laid from the hand.

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

    def lay_special(self, kind: str, cards: tuple[int, ...]) -> None:
        """Lay a special hand; violates `special-hand`, `not-in-hand`. Ends the deal."""
        if not self._may_go_on("group"):
            return
        side = self.sides[self.rules.side_of[self.seat]]
        message = ""
        points = special_points(self.rules.special, kind, cards)
        if not self.rules.special:
            message = "never"
        elif self.took:
            message = "pile"
        elif side.opened or self.laid:
            message = "opened"
        elif UNKNOWN in cards:
            self.doubt("special-hand")
        elif not points:
            message = "pattern"
        if message:
            self.violate("special-hand", message, "special", kind=kind)
        self.settle_rest()
        self.refused = True
        for code in cards:
            if not self._remove(code):
                return
        if not message and self.hands[self.seat].size:
            self.violate("special-hand", "rest", "special", cards=self.hands[self.seat].size)
        self.special = kind
        self.special_points = 0 if message else points

    def discard(self, code: int) -> None:
        """Put a card on the pile.

        Violates `not-in-hand`, `discard-three`, `discard-ban`, `out-discard`, `after-end`.
        """
        rules = self.rules
        if (self.ended or rules.nothing_after_threes) and not self._may_go_on("discard"):
            return
        if self.special:
            self.violate("out-discard", "special", "special")
            self.hands[self.seat].remove(code)
            return
        if self.waiting:
            self.settle_rest()
        hand = self.hands[self.seat]
        held = hand.balance[code]
        if held > 0 and not hand.partly and rules.plain_discard[code]:
            hand.balance[code] = held - 1
            hand.size -= 1
        elif not self._discard_other(code):
            return
        self.pile.append(code)
        self.discarded = code

    def _discard_other(self, code: int) -> bool:
        """Take a discard that a rule may touch out of the hand; return False where it cannot be."""
        rules = self.rules
        if rules.tabled[RANK[code]]:
            self.violate("discard-three", "three", card=code)
            if not self.hands[self.seat].remove(code):
                self.lose()
            return True
        if rules.bans:
            self._judge_ban(code)
        if not self._remove(code):
            return False
        if rules.freezers[RANK[code]]:
            self.frozen = YES
        elif code == UNKNOWN and self.frozen == NO and any(rules.freezers):
            self.frozen = MAYBE
        return True

    def settle_rest(self) -> None:
        """Let what still waits of a taken pile into the hand: the turn's groups are over."""
        if self.waiting:
            self.enter_rest(self.seat)

    def _judge_ban(self, code: int) -> None:
        """Report a wild card, or an ace or seven on an empty pile, discarded with others in hand.

        Source: 002, Modern American, Discarding; pagat.com for the exceptions.
        """
        wild = is_wild(code)
        special = RANK[code] in (SEVEN, ACE) and not self.pile
        hand = self.hands[self.seat]
        if not wild and not special:
            return
        if hand.size == 1 and wild:
            return
        allowed = [TWO, JOKER_RANK] if wild else [TWO, JOKER_RANK, SEVEN, ACE]
        held = sum(max(0, hand.of_rank(rank)) for rank in allowed)
        others = hand.size - held - hand.threes - max(0, hand.unknown - hand.named)
        if others > 0:
            self.violate("discard-ban", "wild" if wild else "empty", "discard.banned", card=code)
        elif hand.free():
            self.doubt("discard-ban")

    def take_talon(self, cards: tuple[int, ...]) -> None:
        """Take the talon that the side's opening earned; violates `talon`, `after-end`."""
        due = self.talon_due()
        if due < 0:
            self.violate("talon", "undue", "deal.talons")
        elif len(cards) != self.rules.talons[due]:
            size = self.rules.talons[due]
            self.violate("talon", "size", "deal.talons", cards=len(cards), due=size)
        elif due < len(self.talons) and sorted(cards) != sorted(self.talons[due]):
            self.violate("talon", "other", "deal.talons", cards=len(cards), due=len(cards))
        if due < 0 or due >= len(self.talons):
            for code in cards:
                self.count(code)
        self.talon_taken = True
        for code in cards:
            if self.rules.tabled[RANK[code]]:
                self.table_three(self.seat, code)
            else:
                self.hands[self.seat].add(code)

    def talon_due(self) -> int:
        """Return which talon this turn's opening earned, from 0, or -1."""
        if self.opened_before or not self.laid or self.openings >= len(self.rules.talons):
            return -1
        return self.openings
