"""What the search finds, as values: ways to take the pile, groups, discards, ends of a turn.

This module is not compiled, so that its values can be copied and pickled.
"""

from __future__ import annotations

from dataclasses import dataclass

from canasta_notation.cards import RANK
from canasta_notation.engine.actions import Action, Lay, Take
from canasta_notation.engine.table import Violation


@dataclass(frozen=True, slots=True)
class Ending:
    """A legal way to end a turn. `out` says that the seat goes out, `concealed` that it goes out
    concealed. `certain` is False if unwritten cards decide, or if the search reached its limit
    before it found an ending; `actions` may then be empty.
    """

    actions: tuple[Action, ...]
    out: bool
    concealed: bool
    certain: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a play is not legal: the finding it would be, the profile's key, and the facts.

    `message` and `facts` are for the sentences of the catalogue (`rules.catalogue`).
    """

    code: str
    key: str
    message: str
    facts: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """Whether a partner can be asked: the turn must have a legal end after either answer.

    `wrong` is the first objection, None if there is none, and `answer` is the answer after which it
    holds, "" if it is to the question itself. `certain` says that ends after both answers are
    known.
    """

    wrong: Violation | None = None
    answer: str = ""
    certain: bool = False


@dataclass(frozen=True, slots=True)
class TakeWay:
    """A way to take the pile: `join` a meld on the table, or lay the top card with cards from the
    hand, a natural `pair` or `with-wild` (a natural and a wild card). `cards` are those two; if the
    way is refused, they are the ones that the hand has; if the top is not written, there are none.
    The way `special` takes the top alone, as the last card of a special hand.
    The way "" is for a pile that cannot be taken. `onto` is the place of the meld that the top is
    laid on, if it is not the side's first meld of the rank. `ending` are actions after which the
    turn can end, if the way is certain.
    """

    way: str
    cards: tuple[int, ...]
    refusal: Refusal | None
    certain: bool = True
    onto: int | None = None
    ending: tuple[Action, ...] = ()

    def begun(self, top: int) -> list[Action]:
        """Return the take and the group of a way, as actions; not checked: that it is allowed."""
        if not self.cards:
            return [Take(top, None, self.onto)]
        return [Take(top), Lay(RANK[top] if self.onto is None else self.onto, self.cards)]


@dataclass(frozen=True, slots=True)
class StockChoice:
    """A draw: how many cards are due, without replacements; refused if the stock is empty.

    `special` says that only a special hand may follow it, which holds a three that would have to be
    tabled before; whether there is one depends on the card drawn.
    """

    cards: int
    refusal: Refusal | None
    certain: bool = True
    special: bool = False


@dataclass(frozen=True, slots=True)
class GroupChoice:
    """Cards that can be laid on the meld at the place `rank`, a new one or one on the table.

    `size` is how many cards the meld then has, `canasta` is "natural", "mixed", "wild",
    "sequence" or "".
    `count` is what the side's opening then counts in points, None if the side has opened before.
    `ending` are actions after which the turn can end, if the group is certain.
    """

    rank: int
    cards: tuple[int, ...]
    naturals: int
    wilds: int
    size: int
    canasta: str
    count: int | None
    certain: bool = True
    ending: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class DiscardChoice:
    """A discard of a rank, allowed or refused; `packet` is what must be taken after it."""

    card: int
    refusal: Refusal | None
    out: bool = False
    packet: tuple[int, ...] = ()
    certain: bool = True


@dataclass(frozen=True, slots=True)
class SpecialChoice:
    """A special hand that can be laid now, and its points."""

    kind: str
    cards: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class FoundPlays:
    """What a seat can do. Before the draw or take (`begun` is False), `stock` and `takes` are
    filled; after it, the others. `stock`, `takes` and `discards` also hold what is not allowed: its
    `refusal` is not None.

    `must_take` says whether the pile must be taken (None if that is not decided). `over` says that
    the empty stock ends the deal unless the pile is taken. `may_stop` says that the turn may end
    now without a discard, because the last three of the stock was drawn or because the seat keeps
    its last card. `ask` is why the partner
    cannot be asked now, None if it can be. `minimum` is what the side's opening must count in
    points, None if the side has opened before or the minimum is not known; `raised` is the part of
    it that was added for cards taken back. `out` has a way to go out with a discard and one
    without, if they exist; it is also empty for a hand with unwritten cards. `combines` are places
    of two melds, the first of which can be put on the second. `dead` are the ranks of the hand that
    cannot be laid because a side has a canasta of them, and `packet` is why an opening in this turn
    would earn no packet, None if it would, or if there is none.

    `threes` are the threes of the hand that can be tabled before the draw or take. If `must_table`,
    nothing else can be done first, and nothing else is listed.

    `complete` is False if the search reached its limit, which can happen with very long hands. Then
    plays that it did not decide are listed as not certain, and a way to go out may be missing.
    """

    seat: int
    begun: bool
    stock: StockChoice | None = None
    takes: tuple[TakeWay, ...] = ()
    must_take: bool | None = False
    over: bool | None = False
    groups: tuple[GroupChoice, ...] = ()
    discards: tuple[DiscardChoice, ...] = ()
    may_stop: bool = False
    ask: Refusal | None = None
    minimum: int | None = None
    raised: int = 0
    out: tuple[Ending, ...] = ()
    specials: tuple[SpecialChoice, ...] = ()
    combines: tuple[tuple[int, int], ...] = ()
    threes: tuple[int, ...] = ()
    must_table: bool = False
    dead: tuple[int, ...] = ()
    packet: Refusal | None = None
    known: bool = True
    complete: bool = True

    def end_after(self, lay: Lay) -> tuple[Action, ...]:
        """Return how the turn can end after one of the groups, () if that is not known."""
        for group in self.groups:
            if group.rank == lay.rank and sorted(group.cards) == sorted(lay.cards):
                return group.ending if group.certain else ()
        return ()
