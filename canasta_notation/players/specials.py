"""Special hands: whether to wait for one, and what to discard meanwhile.

A hand is compared with each pattern: how many of its cards fill the pattern's parts. This only
guides a choice; the engine decides what is a special hand.
"""

from __future__ import annotations

from canasta_notation.arrays import zeros
from canasta_notation.cards import (
    BLACK_THREE,
    CODES,
    JOKER_RANK,
    RANKS,
    RED_THREE,
    TWO,
    UNKNOWN,
)
from canasta_notation.counts import i64, vec
from canasta_notation.dealing import may_keep_three
from canasta_notation.engine.lay import special_points
from canasta_notation.engine.side import has_opened
from canasta_notation.engine.table import Table
from canasta_notation.players.discarding import card_of
from canasta_notation.players.figures import Figures
from canasta_notation.players.sight import own_hand


def special_kind(table: Table, figures: Figures, held: vec[i64]) -> tuple[str, tuple[int, ...]]:
    """Return the kind of the special hand that the seat holds, and its cards."""
    counts, base = table.counts, table.seat * CODES
    size = table.hand_sizes[table.seat]
    if size != table.rules.hand + table.rules.draw_count:
        return "", ()
    _, missing = _nearest(figures, held)
    if missing:
        return "", ()
    cards: list[int] = []
    for code in range(UNKNOWN):
        for _ in range(counts[base + code]):
            cards.append(code)
    special = table.rules.special
    for kind in special:
        if special_points(special, kind, tuple(cards)):
            return kind, tuple(cards)
    return "", ()


def waits_for_special(table: Table, figures: Figures, seat: i64, held: vec[i64]) -> bool:
    """Return whether a hand is so close to a special hand that the player lays nothing else."""
    special = table.rules.special
    if not special or figures.special_reach < 0:
        return False
    if has_opened(table, table.rules.side_of[seat]):
        return False
    _, missing = _nearest(figures, held)
    return missing <= figures.special_reach


def worst_card(table: Table, figures: Figures, held: vec[i64]) -> i64:
    """Return a card that the nearest special hand does not need, -1 if there is none to discard."""
    used, _ = _nearest(figures, held)
    best: i64 = -1
    for rank in range(BLACK_THREE, TWO):
        if held[rank] > used[rank] and not table.rules.tabled[rank]:
            best = rank
            if held[rank] > 1:
                break
    return card_of(table, best) if best >= 0 else -1


def keeps_three(table: Table, figures: Figures, seat: i64) -> bool:
    """Return whether a seat keeps the next three that it draws, under rules that allow it."""
    if figures.special_reach < 0 or not may_keep_three(table, seat):
        return False
    held = own_hand(table, seat)
    ranks: i64 = 0
    for rank in range(RANKS):
        ranks += 1 if held[rank] else 0
    return ranks + 1 + figures.special_reach >= table.rules.hand + 1


def _nearest(figures: Figures, held: vec[i64]) -> tuple[vec[i64], i64]:
    """Return the cards of the hand that the nearest pattern uses, and how many it lacks."""
    best, fewest = zeros(RANKS), 99
    for parts in figures.patterns:
        used, missing = _filled(parts, held, fewest)
        if missing < fewest:
            best, fewest = used, missing
    return best, fewest


def _filled(parts: vec[i64], held: vec[i64], limit: i64) -> tuple[vec[i64], i64]:
    """Return the cards of the hand that a pattern uses if its largest parts are filled first.

    It stops as soon as `limit` cards are missing.
    """
    used = zeros(RANKS)
    missing: i64 = 0
    for at in range(0, len(parts), 2):
        size, ranks = parts[at], parts[at + 1]
        best: i64 = -1
        most: i64 = 0
        for rank in range(RED_THREE, JOKER_RANK + 1):
            if held[rank] <= most or used[rank] or not ranks >> rank & 1:
                continue
            if (rank == RED_THREE and used[BLACK_THREE]) or (
                rank == BLACK_THREE and used[RED_THREE]
            ):
                continue
            best, most = rank, min(held[rank], size)
            if most == size:
                break
        if best >= 0:
            used[best] = most
        missing += size - most
        if missing >= limit:
            break
    return used, missing
