"""The cards of each side's melds as they were laid; a table only counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

from canasta_notation.cards import (
    ACE,
    BARE,
    EXACT,
    FOUR,
    KIND,
    OF_RANK,
    RANK,
    UNKNOWN,
    meld_place,
)
from canasta_notation.engine.actions import Action, Combine, Lay, TableThrees, Take
from canasta_notation.engine.hands import hand_counts
from canasta_notation.engine.knowledge import came_unsuited
from canasta_notation.engine.table import Table
from canasta_notation.notation.document import Deal

#: The known cards of a side's melds, by place.
Board = Mapping[int, tuple[int, ...]]


class Suits(NamedTuple):
    """Cards of a rank that were laid without suits by a hand whose cards of the rank were known.

    `number` cards of the side's meld at the place `meld` are among the `held` cards.
    """

    side: int
    meld: int
    number: int
    held: Counter[int]


@dataclass(frozen=True, slots=True)
class LaidCards:
    """The cards that the sides have laid in a deal so far; `boards` must not be changed.

    `top_at` is the place of the top of the pile taken last, -1 before it is melded. `suits` is what
    is known about cards laid without their suits.
    """

    boards: tuple[Board, ...]
    top_at: int = -1
    suits: tuple[Suits, ...] = ()

    def after(self, table: Table, action: Action | None) -> LaidCards:
        """Return the cards after an action, or the end of a turn, that the table has just seen.

        The top of a taken pile is laid when the table melds it. The end of a turn can put it on
        another meld.
        """
        laid = self
        if isinstance(action, TableThrees):  # This comes before any take of its turn.
            return self
        if isinstance(action, Combine):
            laid = self._combined(table, action)
        elif isinstance(action, Take):
            laid = replace(self, top_at=-1)
        place = table.taken.place if table.took and table.taken.melded else laid.top_at
        if place == laid.top_at and not isinstance(action, Lay):
            return laid
        board = dict(laid.boards[table.side])
        if place != laid.top_at:
            if laid.top_at >= 0:
                cards = list(board[laid.top_at])
                cards.remove(table.taken.top)
                board[laid.top_at] = tuple(cards)
            _add(board, place, (table.taken.top,))
        if isinstance(action, Lay):
            add_group(board, action)
        boards = (*laid.boards[: table.side], board, *laid.boards[table.side + 1 :])
        return LaidCards(boards, place, laid.suits)

    def _combined(self, table: Table, action: Combine) -> LaidCards:
        """Return the cards after a meld was put on another one, if both exist and are sets."""
        side, place = table.side, action.rank
        board = dict(self.boards[side])
        stand = place != action.onto and place in board and action.onto in board
        if not stand or not FOUR <= KIND[place] <= ACE:
            return self
        _add(board, action.onto, board.pop(place))
        boards = (*self.boards[:side], board, *self.boards[side + 1 :])
        suits = [
            each._replace(meld=action.onto) if (each.side, each.meld) == (side, place) else each
            for each in self.suits
        ]
        top_at = action.onto if self.top_at == place else self.top_at
        return replace(self, boards=boards, suits=tuple(suits), top_at=top_at)

    def after_turn(
        self, table: Table, actions: Iterable[Action], suits: Iterable[Suits]
    ) -> LaidCards:
        """Return the cards after a turn that has just ended at the table; see `suits_of`."""
        laid = replace(self, suits=(*self.suits, *suits))
        for action in actions:
            laid = laid.after(table, action)
        return laid


def suits_of(table: Table, group: Lay) -> Iterator[Suits]:
    """Yield what is known of the cards without suits of a group that is about to be laid."""
    seat, known = table.seat, table.knowledge
    if table.took or (known is not None and (known.unknown[seat] or known.loose_taken[seat])):
        return
    counts = hand_counts(table, seat)
    for bare, number in Counter(group.cards).items():
        rank = RANK[bare]
        if bare == UNKNOWN or EXACT[bare] or came_unsuited(table, seat, rank):
            continue
        held = Counter({code: counts[code] for code in OF_RANK[rank] if EXACT[code]})
        yield Suits(table.side, meld_place(group.rank), number, +held)


def false_card(
    laid: LaidCards, side: int, meld: int, shown: Iterable[int]
) -> tuple[int, int] | None:
    """Return a card shown in a meld that cannot be in it, and one that is; None if all can be.

    The cards that were laid with their suits are assumed to be in it. The others fit if, for every
    choice of suits, no more of these cards are shown than the hands can have laid.
    """
    board = Counter(laid.boards[side].get(meld, ()))
    left = Counter(code for code in shown if EXACT[code]) - board
    for rank in {RANK[code] for code in left}:
        groups = [each for each in laid.suits if (each.side, each.meld) == (side, meld)]
        groups = [each for each in groups if any(RANK[code] == rank for code in each.held)]
        free = board[BARE[rank]] + board[UNKNOWN] - sum(each.number for each in groups)
        codes = [code for code in left if RANK[code] == rank]
        for size in range(1, len(codes) + 1):
            for some in combinations(codes, size):
                room = sum(
                    min(each.number, sum(each.held[code] for code in some)) for each in groups
                )
                if sum(left[code] for code in some) > room + free:
                    due = next(code for each in groups for code in each.held if code not in some)
                    return some[0], due
    return None


def nothing_laid(sides: int) -> LaidCards:
    """Return the cards before the first turn of a deal."""
    return LaidCards(tuple({} for _ in range(sides)))


def laid_at_end(deal: Deal, sides: tuple[str, ...]) -> LaidCards:
    """Return the cards of a deal that is recorded only by the table at its end; else none."""
    boards: dict[str, dict[int, tuple[int, ...]]] = {side: {} for side in sides}
    for line, group in deal.final_groups:
        if line.side in boards:
            add_group(boards[line.side], group)
    return LaidCards(tuple(boards.values()))


def add_group(board: dict[int, tuple[int, ...]], group: Lay) -> None:
    """Add the cards of a group to the melds of a side."""
    _add(board, meld_place(group.rank), group.cards)


def _add(board: dict[int, tuple[int, ...]], place: int, cards: tuple[int, ...]) -> None:
    board[place] = (*board.get(place, ()), *cards)
