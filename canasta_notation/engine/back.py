"""Cards that were laid and taken back: they are known to be in the hand, and stay there."""

from __future__ import annotations

from canasta_notation.cards import CODES, EXACT, RANK, UNKNOWN
from canasta_notation.counts import i64
from canasta_notation.engine.hands import (
    can_hold,
    count_of_rank,
    hand_counts,
    is_written,
    remove_card,
)
from canasta_notation.engine.knowledge import deck_lacks
from canasta_notation.engine.lay import may_go_on
from canasta_notation.engine.table import NOT_KNOWN, Knowledge, Table, doubt, violate
from canasta_notation.engine.take import may_be_of_rest


def take_back(table: Table, cards: tuple[int, ...]) -> None:
    """Note cards that the seat laid and took back; nothing else about them is judged.

    If the side has not opened, the rules may raise what its opening must count from now on.
    Violates `not-in-hand`, also for a card that came with the pile in this turn; `after-end`.
    """
    if table.ended and not may_go_on(table, "group"):
        return
    if _held(table, cards) and table.took and not table.waiting:
        _judge_origin(table, cards)
    if table.opened_before or not table.rules.opening_raise:
        return
    table.backs += ((table.side, table.turn),)
    if table.minimums[table.side] != NOT_KNOWN:
        table.minimums[table.side] += table.rules.opening_raise


def raised(table: Table, side: i64) -> i64:
    """Return how many more points a side's opening must count because of what it took back."""
    return table.rules.opening_raise * len(turns_back(table, side))


def turns_back(table: Table, side: i64) -> tuple[int, ...]:
    """Return the turns in which a side took cards back before it opened."""
    return tuple(turn for other, turn in table.backs if other == side)


def _held(table: Table, cards: tuple[int, ...]) -> bool:
    """Take the cards out of the hand, if they can be there, and put them back as they were.

    What this shows about the hand's unwritten cards remains known. Returns whether all can be
    there.
    """
    seat, known = table.seat, table.knowledge
    written = is_written(table, seat)
    counts, size = hand_counts(table, seat), table.hand_sizes[seat]
    loose: i64 = 0 if known is None else known.loose[seat]
    nameless: i64 = 0 if known is None else known.nameless[seat]
    found = True
    for code in cards:
        found = can_hold(table, seat, code) and remove_card(table, seat, code)
        if not found:
            violate(table, "not-in-hand", "card", card=code, seat=seat)
            break
        if not written and table.knowledge is not None:
            _judge_unwritten(table, table.knowledge, code)
    for code in range(CODES):
        table.counts[seat * CODES + code] = counts[code]
    table.hand_sizes[seat] = size
    now = table.knowledge
    if now is not None:
        now.loose[seat], now.nameless[seat] = loose, nameless
        if written:
            now.partly &= ~(1 << seat)
    if known is None:
        table.knowledge = None
    return found


def _judge_unwritten(table: Table, known: Knowledge, code: i64) -> None:
    """Note a card that the hand held although no line shows how it came there."""
    if known.doubtful and code != UNKNOWN:
        doubt(table, "not-in-hand")
    if table.overdrawn < 0 and deck_lacks(table, code):
        table.overdrawn, table.overdrawn_at = code, table.at


def _judge_origin(table: Table, cards: tuple[int, ...]) -> None:
    """Judge that the hand held the cards before it got the rest of the pile in this turn.

    Cards that the hand held before count as laid first.
    """
    seat = table.seat
    named = [code for code in cards if code != UNKNOWN]
    if not is_written(table, seat):
        if any(may_be_of_rest(table, code) for code in named):
            doubt(table, "not-in-hand")
        return
    rest = list(table.piled[: table.taken.rest_size])
    for code in named:
        rank = RANK[code]
        if EXACT[code]:
            held = table.counts[seat * CODES + code] - rest.count(code)
            shown = named.count(code)
        else:
            held = count_of_rank(table, seat, rank) - _of_rank(rest, rank)
            shown = _of_rank(named, rank)
        if held < shown:
            violate(table, "not-in-hand", "pile", card=code, seat=seat)
            return


def _of_rank(cards: list[int], rank: i64) -> int:
    return sum(RANK[code] == rank for code in cards)
