"""A turn, action by action: what is judged at once. What is judged at its end is in `judge`."""

from __future__ import annotations

from canasta_notation.cards import (
    ACE,
    EXACT,
    JOKER_RANK,
    RANK,
    SEVEN,
    TWO,
    UNKNOWN,
    is_wild,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.lay import SURE, UNTOUCHED, Laying
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.side import NOT_KNOWN
from canasta_notation.engine.special import special_points
from canasta_notation.engine.table import LINE, MAYBE, NO, YES, agree


class Playing(Laying):
    """A table at which a turn is being played."""

    __slots__ = ("answer", "ask_at", "discarded", "drew", "special", "talon_taken")

    def __init__(self, rules: Rules, dealer: int, totals: list[int], has_stock: bool) -> None:
        super().__init__(rules, dealer, totals, has_stock)
        self.drew = False
        self.answer = ""
        self.ask_at: i64 = LINE
        self.discarded: i64 = -1
        self.talon_taken = False
        self.special = ""

    def begin_turn(self, seat: i64) -> bool:
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
        self.drew = self.took = self.traced = self.laid = self.waiting = self.talon_taken = False
        if self.touches:
            for at in range(self.touches):
                self.touched_at[self.touch_order[at]] = UNTOUCHED
            self.touches = 0
        self.count_least = self.count_most = self.laid_perhaps = 0
        self.count_more = SURE
        self.answer = self.special = ""
        self.perhaps_over = False
        self.discarded = self.overdrawn = -1
        self.hand = self.hands[seat]
        self.side = self.sides[self.rules.side_of[seat]]
        self.opened_before = self.side.opened
        return True

    def draw_cards(self, cards: tuple[int, ...], bare: bool) -> None:
        """Draw from the stock; see `Drawing.draw`."""
        self.drew = True
        self.draw(self.seat, cards, bare)

    def draw_card(self, code: i64) -> None:
        """Draw one card from the stock; see `Drawing.draw`."""
        if self.draw_plain(self.hand, code):
            self.drew = True
        else:
            self.draw_cards((code,), False)

    def draw_read(self, cards: vec[i64], count: i64) -> None:
        """Draw the first `count` cards from the stock; see `Drawing.draw`."""
        if self.draw_known(self.seat, cards, count):
            self.drew = True
        else:
            self.draw_cards(tuple(cards[:count]), False)

    def ask(self, yes: bool) -> None:
        """Ask partner for leave to go out; violates `ask-when`."""
        rules = self.rules
        hand = self.hand
        asked = self.answer != "" if rules.ask_limit == "turn" else hand.asked
        if not rules.may_ask:
            message, key = ("never", "out.ask") if rules.partners else ("alone", "players")
            self.violate("ask-when", message, key)
            return
        if asked:
            self.violate("ask-when", "again", "out.ask_limit")
            return
        if rules.ask_when == "before-melds" and self.laid:
            self.violate("ask-when", "melds", "out.ask_when")
        elif rules.ask_when == "after-stock" and not self.drew:
            self.violate("ask-when", "stock", "out.ask_when")
        self.answer = "yes" if yes else "no"
        self.ask_at = self.at
        hand.asked = True

    def lay_special(self, kind: str, cards: tuple[int, ...]) -> None:
        """Lay a special hand; violates `special-hand`, `not-in-hand`. Ends the deal."""
        if not self._may_go_on("group"):
            return
        side = self.side
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
        if not message and UNKNOWN in cards:
            points = NOT_KNOWN
        if not message and self.hand.size:
            self.violate("special-hand", "rest", "special", cards=self.hand.size)
        self.special = kind
        self.special_cards = cards
        self.special_points = 0 if message else points

    def discard(self, code: i64) -> None:
        """Put a card on the pile.

        Violates `not-in-hand`, `discard-three`, `discard-ban`, `out-discard`, `after-end`.
        """
        rules = self.rules
        if (self.ended or rules.nothing_after_threes) and not self._may_go_on("discard"):
            return
        if self.special:
            self.violate("out-discard", "special", "special")
            self.hand.remove(code)
            return
        if self.waiting:
            self.settle_rest()
        hand = self.hand
        held = hand.balance[code]
        if held > 0 and not hand.partly and rules.plain_discard[code]:
            hand.balance[code] = held - 1
            hand.size -= 1
        elif not self._discard_other(code):
            return
        self.pile.append(code)
        self.discarded = code

    def _discard_other(self, code: i64) -> bool:
        """Take a discard that a rule may touch out of the hand; return False where it cannot be."""
        rules = self.rules
        if rules.tabled[RANK[code]]:
            self.violate("discard-three", "three", card=code)
            if not self.hand.remove(code):
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

    def _judge_ban(self, code: i64) -> None:
        """Report a wild card, or an ace or seven on an empty pile, discarded with others in hand.

        Source: 002, Modern American, Discarding; pagat.com for the exceptions.
        """
        wild = is_wild(code)
        special = RANK[code] in (SEVEN, ACE) and not self.pile
        hand = self.hand
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
        elif due < len(self.talons) and not _could_be(list(cards), self.talons[due]):
            self.violate("talon", "other", "deal.talons", cards=len(cards), due=len(cards))
        written = self.talons[due] if 0 <= due < len(self.talons) else []
        counted = bool(self.talons) if due < 0 else all(EXACT[code] for code in written)
        if not counted:
            for code in written:
                self.deck.take_back(code)
        elif written and len(written) == len(cards):
            cards = tuple(written)
        for code in cards:
            if not (counted and self.talons):
                self.count(code)
        self.talon_taken = True
        for code in cards:
            if self.rules.tabled[RANK[code]]:
                self.table_three(self.seat, code)
            elif counted and self.talons:
                self.hand.add_taken(code)
            else:
                self.hand.add(code)

    def talon_due(self) -> i64:
        """Return which talon this turn's opening earned, from 0, or -1."""
        if self.opened_before or not self.laid or self.openings >= len(self.rules.talons):
            return -1
        return self.openings


def _could_be(cards: list[int], others: list[int]) -> bool:
    """Return whether two lists of as many cards can be spellings of the same cards."""
    if not cards or not others:
        return not cards and not others
    rest = cards[1:]
    return any(
        agree(cards[0], other) and _could_be(rest, others[:at] + others[at + 1 :])
        for at, other in enumerate(others)
    )
