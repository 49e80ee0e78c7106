"""Which card a player discards: what is least worth keeping, and least likely to give the pile."""

from __future__ import annotations

from typing import Final

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    CODES,
    FIRST_OF,
    JOKER_RANK,
    MELD_SIZE,
    RED_THREE,
    SEVEN,
    TWO,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.discard import barred_on_empty, lacks_sevens
from canasta_notation.engine.side import dead_for, has_opened
from canasta_notation.engine.table import NO, YES, Table
from canasta_notation.engine.take import frozen_for, is_dead
from canasta_notation.players.figures import Figures
from canasta_notation.players.sight import let_go, seen_by_rank

#: A chance that is certain. Chances are in thousandths.
SURE: Final[i64] = 1_000
#: More than any card is worth: for a card that may be discarded only if the hand has no other.
_BANNED: Final[i64] = 1_000_000


class Danger:
    """What the next seat may hold, as the seat that discards sees it.

    What is the same for every card is computed once.
    """

    __slots__ = (
        "figures", "frozen", "hidden", "joins", "let_go", "opened", "pair_scale", "pair_weight",
        "seen", "side", "size", "table", "with_wild",
    )  # fmt: skip

    def __init__(self, table: Table, figures: Figures, held: vec[i64]) -> None:
        rules, seat = table.rules, table.seat
        following: i64 = rules.next_seat[seat]
        self.table = table
        self.figures = figures
        self.side: i64 = rules.side_of[following]
        self.opened = has_opened(table, self.side)
        self.frozen: i64 = frozen_for(table, self.side)
        self.joins = rules.onto_meld and self.frozen != YES
        self.with_wild = rules.with_wild and self.frozen != YES
        self.seen = seen_by_rank(table, held)
        self.let_go: i64 = let_go(table, figures.rounds)
        #: How many cards the seat does not see, and how many of them the next seat has.
        hidden = table.stock_most
        for other in range(rules.players):
            if other != seat:
                hidden += table.hand_sizes[other]
        hidden = max(1, hidden)
        size = table.hand_sizes[following]
        self.hidden: i64 = hidden
        self.size: i64 = size
        self.pair_weight: i64 = size * size * figures.chance_pair
        self.pair_scale: i64 = 2 * hidden * hidden

    def of_rank(self, rank: i64) -> i64:
        """Return the chance, in thousandths, that the next seat could take a card of the rank."""
        table, figures = self.table, self.figures
        rules = table.rules
        if rules.blockers[rank] or is_dead(table, rank):
            return 0
        stands = table.meld_sizes[self.side * table.places + rank]
        if stands:
            if stands >= rules.max_cards:
                return 0
            if self.joins:
                return figures.chance_join
        unseen = rules.rank_copies[rank] - self.seen[rank]
        if unseen <= 0:
            return 0
        pairs = unseen * (unseen - 1) * self.pair_weight // self.pair_scale
        if self.with_wild:
            pairs += unseen * self.size * figures.chance_wild // self.hidden
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
    freeze = figures.freeze if has_opened(table, table.side) else figures.freeze_unopened
    price = figures.price * min(size, rules.most_taken) + figures.price_base
    barred = barred_on_empty(table) if rules.bans and size == 1 else []
    no_sevens = rules.bans_sevens and lacks_sevens(table) >= 0
    best: i64 = -1
    least: i64 = 0
    stays = rules.red_three_stays
    for rank in range(RED_THREE, JOKER_RANK + 1):
        count = held[rank]
        if not count or rules.tabled[rank] or (stays and rank == RED_THREE):
            continue
        cost = _worth(table, figures, danger, count, rank, late)
        if rules.freezers[rank] and danger.frozen == NO:
            cost -= freeze * min(table.pile_size, rules.most_taken)
        # A price can only raise the cost of a card that already costs too much.
        if price < 0 or (price > 0 and (best < 0 or cost < least)):
            cost += danger.of_rank(rank) * price // SURE
        if no_sevens and rank == SEVEN:
            cost += _BANNED
        if rules.bans:
            if rank >= TWO:
                cost += 2 * _BANNED
            elif rank in barred:
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
    if rank == RED_THREE:
        # It can only cost what it costs in a hand at the end.
        return table.rules.red3_held
    if rank == BLACK_THREE:
        return figures.keep_black
    worth = (figures.late_points if late else figures.points) * table.rules.rank_points[rank]
    if rank in (SEVEN, ACE) and table.rules.score_held:
        worth += figures.keep_costly
    if dead_for(table, table.side, rank) >= 0:
        return worth
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
