"""Which card a player discards: what is least worth keeping, and least likely to give the pile."""

from __future__ import annotations

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    CODES,
    FIRST_OF,
    JOKER_RANK,
    MELD_SIZE,
    RANK_POINTS,
    SEVEN,
    TWO,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.side import has_opened, meld_size
from canasta_notation.engine.table import NO, YES, Table
from canasta_notation.engine.take import frozen_for, is_dead
from canasta_notation.players.figures import Figures
from canasta_notation.players.sight import let_go, seen_by_rank

#: A chance that is certain. Chances are in thousandths.
SURE = 1_000
#: More than any card is worth, for one that the rules let go only from a hand of nothing else.
_BANNED = 1_000_000


class Danger:
    """What the next seat may hold, as the seat that discards sees it."""

    __slots__ = (
        "figures", "frozen", "hidden", "let_go", "next", "opened", "seen", "side", "table",
    )  # fmt: skip

    def __init__(self, table: Table, figures: Figures, held: vec[i64]) -> None:
        rules, seat = table.rules, table.seat
        self.table = table
        self.figures = figures
        self.next: i64 = rules.next_seat[seat]
        self.side: i64 = rules.side_of[self.next]
        self.opened = has_opened(table, self.side)
        self.frozen: i64 = frozen_for(table, self.side)
        self.seen = seen_by_rank(table, held)
        self.let_go: i64 = let_go(table, figures.rounds)
        #: How many cards the seat does not see.
        self.hidden: i64 = table.stock_most
        for other in range(rules.players):
            if other != seat:
                self.hidden += table.hand_sizes[other]

    def of_rank(self, rank: i64) -> i64:
        """Return the chance, in thousandths, that the next seat could take a card of the rank."""
        table, figures = self.table, self.figures
        rules = table.rules
        if rules.blockers[rank] or is_dead(table, rank):
            return 0
        stands = meld_size(table, self.side, rank)
        if stands and stands >= rules.max_cards:
            return 0
        if rules.onto_meld and self.frozen != YES and stands:
            return figures.chance_join
        size, hidden = table.hand_sizes[self.next], max(1, self.hidden)
        unseen = max(0, rules.rank_copies[rank] - self.seen[rank])
        pairs = unseen * (unseen - 1) * size * size * figures.chance_pair // (2 * hidden * hidden)
        if self.frozen != YES and rules.with_wild:
            pairs += unseen * size * figures.chance_wild // hidden
        chance = SURE * pairs // (SURE + pairs)
        if not self.opened:
            chance = chance * figures.chance_unopened // SURE
        if self.let_go >> rank & 1:
            chance = chance * figures.chance_let_go // SURE
        return chance


def choose_discard(table: Table, figures: Figures, held: vec[i64], late: bool) -> i64:
    """Return the card to discard from a hand, which must hold one that may be discarded."""
    rules = table.rules
    danger = Danger(table, figures, held)
    size = table.pile_size + 1
    own_opened = has_opened(table, table.side)
    price = figures.price * size + figures.price_base
    best: i64 = -1
    least: i64 = 0
    for rank in range(BLACK_THREE, JOKER_RANK + 1):
        if not held[rank] or rules.tabled[rank]:
            continue
        cost = _worth(table, figures, danger, held[rank], rank, late)
        if rules.freezers[rank] and danger.frozen == NO:
            gain = figures.freeze if own_opened else figures.freeze_unopened
            cost -= gain * table.pile_size
        if price:
            cost += danger.of_rank(rank) * price // SURE
        if rules.bans:
            if rank >= TWO:
                cost += 2 * _BANNED
            elif rank in (SEVEN, ACE) and size == 1:
                cost += _BANNED
        if best < 0 or cost < least:
            best, least = rank, cost
    return card_of(table, best)


def card_of(table: Table, rank: i64) -> i64:
    """Return the first card of a rank in the hand of the seat that plays."""
    counts, base = table.counts, table.seat * CODES
    for code in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
        if counts[base + code]:
            return code
    return -1


def _worth(
    table: Table, figures: Figures, danger: Danger, count: i64, rank: i64, late: bool
) -> i64:
    """Return what keeping a card of a rank is worth, in points."""
    if rank >= TWO:
        return figures.keep_wild
    if rank == BLACK_THREE:
        return figures.keep_black
    worth = (figures.late_points if late else figures.points) * RANK_POINTS[rank]
    if rank in (SEVEN, ACE) and table.rules.score_held:
        worth += figures.keep_costly
    size = table.meld_sizes[table.side * table.places + rank]
    if size:
        if size < table.rules.max_cards:
            worth += figures.keep_melded
            if size < CANASTA_SIZE:
                worth += figures.keep_melded
    elif count >= MELD_SIZE:
        worth += figures.keep_triple
    elif count == 2:
        unseen = table.rules.rank_copies[rank] - danger.seen[rank]
        worth += figures.keep_pair + figures.keep_unseen * unseen
    else:
        worth += figures.keep_one
    return worth
