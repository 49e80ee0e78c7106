"""The frozen picture of a table: what a step of a replay shows.

Seats and sides are in the profile's order; cards are codes in canonical order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from canasta_notation.cards import (
    BARE,
    BLACK_THREE,
    JOKER,
    KIND,
    KINDS,
    RANK,
    SEQUENCE,
    SEQUENCE_OF,
    SINGLE_CARDS,
    TWO,
    UNKNOWN,
    UNKNOWN_RANK,
    kinds,
)
from canasta_notation.engine.hands import is_vague, known_cards, loose_cards
from canasta_notation.engine.knowledge import is_open_hand, open_cards, unknown_melded
from canasta_notation.engine.scoring import score_side
from canasta_notation.engine.side import canasta_kind, has_opened, meld_places, tabled_threes
from canasta_notation.engine.table import AS_BOOL, NOT_KNOWN, Table, pile_of
from canasta_notation.engine.take import frozen_for


@dataclass(frozen=True, slots=True)
class HandState:
    """A hand: the cards known to be in it, how many more are unknown, and how many in all.

    It may have up to `loose` more cards: from a pile whose size the record does not give, or
    because the table at the end does not show the whole hand. `may` are the cards that its unknown
    cards can be, each once; empty if none is unknown.
    """

    cards: tuple[int, ...]
    unknown: int
    size: int
    loose: int = 0
    may: tuple[int, ...] = ()

    @property
    def excluded(self) -> tuple[int, ...]:
        """The ranks, except red threes, that none of its unknown cards can have."""
        ranks = range(BLACK_THREE, UNKNOWN_RANK) if self.may else ()
        possible = {RANK[code] for code in self.may}
        return tuple(rank for rank in ranks if rank not in possible)


@dataclass(frozen=True, slots=True)
class MeldState:
    """A meld: its place (`cards.LABELS` has the label) and how many cards of each kind.

    The place `rank` of a side's first meld of a rank is the rank, JOKER_RANK for one of wild cards.
    `cards` are its cards in the order laid. If it is not known which they are, natural cards and
    twos are spelled without suits.
    """

    rank: int
    naturals: int
    twos: int
    jokers: int
    unknown: int
    concealed: bool
    cards: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.naturals + self.twos + self.jokers + self.unknown

    @property
    def canasta(self) -> str:
        """Return "natural", "mixed", "wild" or "sequence" for a canasta, else ""."""
        return canasta_kind(self.rank, self.size, self.twos + self.jokers)


@dataclass(frozen=True, slots=True)
class SideState:
    """What a side has on the table. Figures are points; None if the record leaves them open.

    `minimum` is what its opening must count, `total` is its total before the deal, and `points` is
    the score it would have if the deal ended now.
    """

    melds: tuple[MeldState, ...]
    threes: tuple[int, ...]
    opened: bool
    minimum: int | None
    total: int | None
    points: int | None
    penalty: int


@dataclass(frozen=True, slots=True)
class State:
    """A table between two actions.

    `frozen` and each of `frozen_for` (one for each side) are True, False, or None if the record
    cannot tell. `stock` is (fewest, most) cards. `due` is the seat whose turn is due or in
    progress, None if it is not known; `ended` is "", "out", "stock" or "special". Within a turn, a
    taken pile is in the hand as soon as the cards laid may have met the opening.
    """

    hands: tuple[HandState, ...]
    sides: tuple[SideState, ...]
    pile: tuple[int, ...]
    pile_loose: int
    frozen: bool | None
    frozen_for: tuple[bool | None, ...]
    stock: tuple[int, int]
    due: int | None
    ended: str
    ended_by: int | None
    #: The cards of the special hand that ended the deal.
    special: tuple[int, ...] = ()

    @property
    def canastas(self) -> int:
        """The number of canastas on the table."""
        return sum(bool(meld.canasta) for side in self.sides for meld in side.melds)


#: The cards that each side has laid, by the places of its melds.
Laid = Sequence[Mapping[int, tuple[int, ...]]]

_NONE: Final[Mapping[int, tuple[int, ...]]] = MappingProxyType({})


def snapshot(table: Table, laid: Laid = ()) -> State:
    """Return the state of a table as a value.

    `laid` are the cards that the sides have laid, which a table only counts. A meld to which they
    do not add up is spelled without suits.
    """
    return State(
        hand_states(table),
        tuple(
            _side(table, side, laid[side] if laid else _NONE)
            for side in range(len(table.rules.sides))
        ),
        tuple(pile_of(table)),
        table.pile_loose,
        AS_BOOL[table.frozen_by_card],
        tuple(AS_BOOL[frozen_for(table, side)] for side in range(len(table.rules.sides))),
        (table.stock_fewest, table.stock_most),
        None if table.due < 0 else table.due,
        table.ended,
        None if table.ended_by < 0 else table.ended_by,
        table.special_cards,
    )


def hand_states(table: Table) -> tuple[HandState, ...]:
    """Return the hands of a table as values."""
    unseen = open_cards(table, vague=False)
    return tuple(_hand(table, seat, unseen) for seat in range(table.rules.players))


def _hand(table: Table, seat: int, unseen: list[int]) -> HandState:
    """Return a hand with the cards it must hold; its unknown ones are usually among `unseen`."""
    size = table.hand_sizes[seat]
    cards, perhaps = known_cards(table, seat)
    unknown, loose = size - len(cards), loose_cards(table, seat)
    if is_open_hand(table, seat):
        loose = table.pile_loose
    if not (unknown or loose):
        return HandState(tuple(cards), unknown, size)
    perhaps.update(open_cards(table, vague=True) if is_vague(table, seat) else unseen)
    may = [code for code in SINGLE_CARDS if code in perhaps]
    return HandState(tuple(cards), unknown, size, loose, tuple(may))


def meld_state(table: Table, side: int, rank: int, laid: tuple[int, ...] = ()) -> MeldState:
    """Return a side's meld of a rank as a value; not checked: that it has one."""
    at = side * table.places + rank
    made = table.naturals[at], table.twos[at], table.jokers[at], unknown_melded(table, side, rank)
    cards = laid
    if kinds(laid) != made:
        cards = _spelled(KIND[rank], *made) if KIND[rank] < SEQUENCE else _run(table, side, rank)
    # Rules with several melds of a rank have no concealed canastas.
    concealed = rank < KINDS and bool(table.concealed[side] >> rank & 1)
    return MeldState(rank, *made, concealed, cards)


def _run(table: Table, side: int, place: int) -> tuple[int, ...]:
    """Return the cards of a sequence, from low to high."""
    ranks = table.sequences[side * table.places + place]
    suit = [code for code in range(UNKNOWN) if SEQUENCE_OF[code] == KIND[place]]
    return tuple(code for code in suit if ranks >> RANK[code] & 1)


def _spelled(rank: int, naturals: int, twos: int, jokers: int, unknown: int) -> tuple[int, ...]:
    """Return the cards of a meld without suits."""
    known = (BARE[rank],) * naturals + (BARE[TWO],) * twos
    return known + (JOKER,) * jokers + (UNKNOWN,) * unknown


def _side(table: Table, side: int, laid: Mapping[int, tuple[int, ...]]) -> SideState:
    melds = tuple(
        meld_state(table, side, rank, laid.get(rank, ())) for rank in meld_places(table, side)
    )
    possible = [entry.possible for entry in score_side(table, side)]
    known = [min(each) for each in possible if each is not None and len(each) == 1]
    minimum, total = table.minimums[side], table.totals[side]
    return SideState(
        melds,
        tuple(tabled_threes(table, side)),
        has_opened(table, side),
        None if minimum == NOT_KNOWN else minimum,
        None if total == NOT_KNOWN else total,
        sum(known) if len(known) == len(possible) else None,
        table.penalties[side],
    )
