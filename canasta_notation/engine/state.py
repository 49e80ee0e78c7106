"""The frozen picture of a table: what a step of a replay shows.

Seats and sides are in the profile's order; cards are codes in canonical order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import FrozenInstanceError, dataclass
from functools import lru_cache, partial
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final

from canasta_notation.arrays import COMPILED
from canasta_notation.cards import (
    BARE,
    BLACK_THREE,
    JOKER,
    KIND,
    KINDS,
    RANK,
    SEQUENCE,
    SINGLE_CARDS,
    TWO,
    UNKNOWN,
    UNKNOWN_RANK,
    is_wild,
    kinds,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.back import raised
from canasta_notation.engine.hands import is_vague, known_cards, loose_cards
from canasta_notation.engine.knowledge import is_open_hand, open_cards, unknown_melded
from canasta_notation.engine.packets import untouched
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import ItemSums, score_side, write_score
from canasta_notation.engine.sequence import NO_READING, in_row, reading_of
from canasta_notation.engine.side import canasta_kind, has_opened, meld_places, tabled_threes
from canasta_notation.engine.table import (
    AS_BOOL,
    NO_TOTALS,
    NOT_KNOWN,
    Knowledge,
    Table,
)
from canasta_notation.engine.take import frozen_for


@dataclass(frozen=True, slots=True)
class HandState:
    """A hand: the cards known to be in it, how many more are unknown, and how many in all.

    It may have up to `loose` more cards: from a pile whose size the record does not give, or
    because the table at the end does not show the whole hand. `may` are the cards that its unknown
    cards can be, each once; empty if none is unknown, and in the view of a seat of a live game, for
    which this is not worked out.
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
    `cards` are its cards in the order laid, those of a sequence from low to high. If it is not
    known which they are, natural cards and twos are spelled without suits. A two in its own place
    in a sequence is one of the naturals. `canasta` is "natural", "semi", "mixed", "wild" or
    "sequence" for a canasta, else "".
    """

    rank: int
    naturals: int
    twos: int
    jokers: int
    unknown: int
    concealed: bool
    cards: tuple[int, ...]
    canasta: str = ""

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.naturals + self.twos + self.jokers + self.unknown


@dataclass(frozen=True, slots=True)
class SideState:
    """What a side has on the table. Figures are points, or None if the record does not decide them.

    `minimum` is what its opening must count, `raised` is the part that was added for cards taken
    back, `total` is its total before the deal, and `points` is the score that it would have if the
    deal ended now.
    """

    melds: tuple[MeldState, ...]
    threes: tuple[int, ...]
    opened: bool
    minimum: int | None
    total: int | None
    points: int | None
    penalty: int
    bonus: int
    raised: int = 0


@dataclass(frozen=True, slots=True)
class PacketState:
    """A foot or a pot that nobody has taken: its word, whose seat it is, and its cards.

    `seat` is None for a packet of a side. Cards that are not written are unknown.
    """

    word: str
    seat: int | None
    cards: tuple[int, ...]


#: The cards that each side has laid, by the places of its melds.
Laid = Sequence[Mapping[int, tuple[int, ...]]]

_NONE: Final[Mapping[int, tuple[int, ...]]] = MappingProxyType({})

#: The fields of a table that its state is worked out from: its arrays, and the others.
_ARRAYS: Final = (
    "accounted", "bonuses", "concealed", "counts", "hand_sizes", "jokers", "meld_points",
    "meld_sizes", "minimums", "naturals", "penalties", "sequences", "threes", "totals", "twos",
)  # fmt: skip
_FIELDS: Final = (
    "backs", "due", "ended", "ended_by", "frozen_by_card", "opened", "out_concealed", "out_unseen",
    "packet_sides", "packet_unplayed", "packets", "packets_gone", "packets_open", "pile_loose",
    "special_cards", "special_points", "stock_fewest", "stock_most",
)  # fmt: skip
#: How a field of a state, which is frozen, gets its value.
_set: Final = object.__setattr__
_arrays_of: Final = attrgetter(*_ARRAYS)
_fields_of: Final = attrgetter(*_FIELDS)


class State:
    """A table between two actions, as a value. Each part is worked out when it is first asked for.

    `frozen` and each of `frozen_for` (one for each side) are True, False, or None if the record
    cannot tell. `stock` is (fewest, most) cards. `due` is the seat whose turn is due or in
    progress, None if it is not known; `ended` is "", "out", "stock" or "special". Within a turn, a
    taken pile is in the hand as soon as the cards laid may have met the opening. States are equal
    if their parts are.
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
    special: tuple[int, ...]
    #: The feet and pots that lie on the table.
    packets: tuple[PacketState, ...]
    #: What the parts are computed from, and the table made from it for the engine's functions.
    _rules: Rules
    _arrays: tuple[Any, ...]
    _fields: tuple[object, ...]
    _knowledge: Knowledge | None
    _laid: Laid
    _table: Table
    __slots__ = tuple(__annotations__)

    @property
    def canastas(self) -> int:
        """The number of canastas on the table."""
        return sum(bool(meld.canasta) for side in self.sides for meld in side.melds)

    def with_parts(self, **parts: object) -> State:
        """Return a state with some parts replaced."""
        return _of_parts(**_parts(self) | parts)

    def __getattr__(self, name: str) -> Any:
        """Work out a part that has not been asked for before."""
        work = _WORK.get(name)
        if work is None:
            raise AttributeError(f"a state has no {name!r}", name=name, obj=self)
        part = work(self)
        _set(self, name, part)
        return part

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return _parts(self) == _parts(other) if isinstance(other, State) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(_parts(self).values()))

    def __repr__(self) -> str:
        return f"State({', '.join(f'{name}={part!r}' for name, part in _parts(self).items())})"

    def __reduce__(self) -> tuple[object, ...]:
        return partial(_of_parts, **_parts(self)), ()


#: How each part is computed from a state's table, and how that table is made.
_WORK: Final[dict[str, Callable[[State], object]]] = {
    "hands": lambda state: hand_states(state._table),
    "sides": lambda state: side_states(state._table, state._laid),
    "pile_loose": lambda state: state._table.pile_loose,
    "frozen": lambda state: AS_BOOL[state._table.frozen_by_card],
    "frozen_for": lambda state: _frozen_for(state._table),
    "stock": lambda state: (state._table.stock_fewest, state._table.stock_most),
    "due": lambda state: _known_seat(state._table.due),
    "ended": lambda state: state._table.ended,
    "ended_by": lambda state: _known_seat(state._table.ended_by),
    "special": lambda state: state._table.special_cards,
    "packets": lambda state: packet_states(state._table),
    "_table": lambda state: _table_of(state),
}


def _parts(state: State) -> dict[str, object]:
    return {name: getattr(state, name) for name in State.__slots__ if not name.startswith("_")}


def _of_parts(**parts: object) -> State:
    """Return a state of which every part has been worked out."""
    state = State()
    for name, part in parts.items():
        _set(state, name, part)
    return state


def _table_of(state: State) -> Table:
    """Return a table with the fields that a state is worked out from; the others are not set."""
    table = Table(state._rules, -1, NO_TOTALS, has_stock=False)
    for name, value in zip(_ARRAYS, state._arrays, strict=True):
        setattr(table, name, value if COMPILED else list(value))
    for name, other in zip(_FIELDS, state._fields, strict=True):
        setattr(table, name, other)
    table.knowledge = state._knowledge
    return table


def snapshot(table: Table, laid: Laid = ()) -> State:
    """Return the state of a table as a value; what happens at the table later does not change it.

    `laid` are the cards that the sides have laid, which a table only counts. A meld to which they
    do not add up is spelled without suits.
    """
    return Snapshots().take(table, laid)


class Snapshots:
    """Takes the states of a deal, one after the other.

    They share the arrays that do not change from one to the next, which saves time and memory.
    """

    __slots__ = ("_arrays", "_seen")

    def __init__(self) -> None:
        #: The arrays as they were last seen, and as the states keep them.
        self._seen: list[vec[i64] | None] = [None] * len(_ARRAYS)
        self._arrays: list[Any] = [None] * len(_ARRAYS)

    def take(self, table: Table, laid: Laid = ()) -> State:
        """Return the state of the table; see `snapshot`."""
        known, rules, seen = table.knowledge, table.rules, self._seen
        if known is not None:
            known = known.copy(rules.players, len(rules.sides), rules.places)
        for at, array in enumerate(_arrays_of(table)):
            if array != seen[at]:
                seen[at] = copy = array[:]
                self._arrays[at] = _kept(copy)
        state = State()
        _set(state, "pile", tuple(table.piled[: table.pile_size]))
        _set(state, "_rules", rules)
        _set(state, "_arrays", tuple(self._arrays))
        _set(state, "_fields", _fields_of(table))
        _set(state, "_knowledge", known)
        _set(state, "_laid", laid)
        return state


def _kept(array: vec[i64]) -> object:
    """Return an array that nobody changes as a state keeps it; `_table_of` makes it an array again.

    Interpreted, an array is a list: bytes, if the numbers fit, need an eighth of its memory, and
    the garbage collector does not visit them.
    """
    if COMPILED:
        return array
    try:
        return bytearray(array)
    except ValueError:
        return tuple(array)


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


def packet_states(table: Table) -> tuple[PacketState, ...]:
    """Return the feet and pots that nobody has taken as values."""
    word = table.rules.packet_word
    packets = untouched(table)
    return tuple([PacketState(word, _known_seat(seat), tuple(cards)) for seat, cards in packets])


def meld_state(table: Table, side: int, place: int, laid: tuple[int, ...] = ()) -> MeldState:
    """Return a side's meld at a place as a value; not checked: that it has one."""
    at = side * table.places + place
    made = table.naturals[at], table.twos[at], table.jokers[at], unknown_melded(table, side, place)
    # Rules with several melds of a rank have no concealed canastas.
    concealed = place < KINDS and bool(table.concealed[side] >> place & 1)
    if KIND[place] >= SEQUENCE:
        return _sequence(table, side, place, made, laid)
    return _meld(table.rules, place, made, concealed, laid)


@lru_cache
def _meld(
    rules: Rules,
    place: int,
    made: tuple[int, int, int, int],
    concealed: bool,
    laid: tuple[int, ...],
) -> MeldState:
    """Return a set, or a meld of wild cards, with a number of cards of each kind.

    Successive states share most of their melds.
    """
    cards = laid if kinds(laid) == made else _spelled(KIND[place], *made)
    canasta = canasta_kind(rules, place, sum(made), made[1] + made[2])
    return MeldState(place, *made, concealed, cards, canasta)


def _sequence(
    table: Table, side: int, place: int, made: tuple[int, int, int, int], laid: tuple[int, ...]
) -> MeldState:
    """Return a sequence, its cards from low to high."""
    own = table.sequences[side * table.places + place]
    row = reading_of(table, side, place)
    cards = laid
    if row != NO_READING:
        wilds = [code for code in laid if is_wild(code)]
        if len(laid) != sum(made):
            wilds = [BARE[TWO]] * made[1] + [JOKER] * made[2]
        cards = in_row(KIND[place], row, wilds, made[1] + made[2])
    canasta = canasta_kind(table.rules, place, sum(made), made[1] + made[2], max(0, own))
    return MeldState(place, *made, False, cards, canasta)


def _spelled(rank: int, naturals: int, twos: int, jokers: int, unknown: int) -> tuple[int, ...]:
    """Return the cards of a meld without suits."""
    known = (BARE[rank],) * naturals + (BARE[TWO],) * twos
    return known + (JOKER,) * jokers + (UNKNOWN,) * unknown


def side_states(table: Table, laid: Laid = ()) -> tuple[SideState, ...]:
    """Return, as values, what the sides of a table have; see `snapshot`."""
    boards = laid or [_NONE] * len(table.rules.sides)
    return tuple([_side(table, side, board) for side, board in enumerate(boards)])


def _side(table: Table, side: int, laid: Mapping[int, tuple[int, ...]]) -> SideState:
    melds = [
        meld_state(table, side, place, laid.get(place, ())) for place in meld_places(table, side)
    ]
    minimum, total = table.minimums[side], table.totals[side]
    return SideState(
        tuple(melds),
        tuple(tabled_threes(table, side)),
        has_opened(table, side),
        None if minimum == NOT_KNOWN else minimum,
        None if total == NOT_KNOWN else total,
        _points(table, side),
        table.penalties[side],
        table.bonuses[side],
        raised(table, side),
    )


def _points(table: Table, side: int) -> int | None:
    """Return a side's score if the deal ended now; None if unwritten cards decide it."""
    sums = ItemSums()
    write_score(table, side, sums)
    if sums.known:
        return sums.total()
    possible = [entry.possible for entry in score_side(table, side)]
    known = [min(each) for each in possible if each is not None and len(each) == 1]
    return sum(known) if len(known) == len(possible) else None


def _frozen_for(table: Table) -> tuple[bool | None, ...]:
    return tuple([AS_BOOL[frozen_for(table, side)] for side in range(len(table.rules.sides))])


def _known_seat(seat: int) -> int | None:
    return None if seat < 0 else seat
