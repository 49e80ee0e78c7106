"""Positions: the table between two actions, as a value with cards as texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from canasta_notation.cards import CODE, RANK_LETTERS, TEXT, UNKNOWN, kinds
from canasta_notation.engine.state import HandState, MeldState, SideState, State
from canasta_notation.notation.builder import label_rank
from canasta_notation.notation.document import Game
from canasta_notation.notation.format import format_action
from canasta_notation.page.diagram import position_svg
from canasta_notation.replay.header import read_header
from canasta_notation.replay.laid import LaidCards
from canasta_notation.replay.steps import Step, walk
from canasta_notation.rules import Profile

Cards = tuple[str, ...]

#: The text of a card that is not known.
HIDDEN = TEXT[UNKNOWN]


@dataclass(frozen=True, slots=True)
class Position:
    """The table between two actions. Cards are texts as the notation spells them, `_` if not known.

    `deal` and `turn` count from 1, `action` from 0; before a deal's first turn `turn` is 0 and
    `action` is -1. `due` is the seat whose turn it is, `begun` says that it has drawn or taken the
    pile, and `last` is what happened last (`N +5h`), "" if the cards have just been dealt. By seat:
    `hands`. By side: `melds` (cards by the label of their meld), `threes` on the table, `opened`,
    `minimum` (points that the opening must count) and `totals` (points before the deal). The last
    card of `pile` is its top. What the record does not tell is None. `ended` is "", "out", "stock"
    or "special", and `by` is the seat that ended the deal.

    `seat` is the seat that has this view, None for a view of every hand. Do not change the
    mappings, or what they contain.
    """

    deal: int
    turn: int
    action: int
    last: str
    due: str | None
    begun: bool
    hands: Mapping[str, Cards]
    melds: Mapping[str, Mapping[str, Cards]]
    threes: Mapping[str, Cards]
    opened: Mapping[str, bool]
    minimum: Mapping[str, int | None]
    totals: Mapping[str, int | None]
    pile: Cards
    frozen: bool | None
    stock: int | None
    ended: str = ""
    by: str | None = None
    seat: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the position as values for JSON, field by field."""
        return {each.name: _plain(getattr(self, each.name)) for each in fields(self)}

    def _repr_svg_(self) -> str:
        """Return the table as an SVG picture, which notebooks show."""
        return _picture(self)

    def __str__(self) -> str:
        """Return the table as lines of text."""
        hands = [f"{seat}: {' '.join(cards)}" for seat, cards in self.hands.items()]
        melds = [
            f"{side}: "
            + " ".join([*self.threes[side], *(f"{k}:{''.join(v)}" for k, v in melds.items())])
            for side, melds in self.melds.items()
        ]
        stock = "?" if self.stock is None else self.stock
        due = f"ended: {self.ended} {self.by or ''}" if self.ended else f"due: {self.due or '?'}"
        head = f"deal {self.deal}, turn {self.turn}  {self.last}".rstrip()
        pile = f"pile: {' '.join(self.pile)}   stock: {stock}   {due}".rstrip()
        return "\n".join([head, *hands, *melds, pile])


def _plain(value: Any) -> Any:
    """Return a value with lists for tuples and plain dictionaries for mappings."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _picture(position: Position) -> str:
    melds = [tuple(map(_codes, held.values())) for held in position.melds.values()]
    heading = f"Deal {position.deal}, turn {position.turn}: {position.last or 'as dealt'}"
    seats, sides = "".join(position.hands), tuple(position.melds)
    return position_svg(_state(position), seats, sides, heading=heading, melds=melds)


def _state(position: Position) -> State:
    """Return the state that a position shows; the rest of the state is unknown."""
    seats = "".join(position.hands)
    stock = (0, 0) if position.stock is None else (position.stock, position.stock)
    return State(
        tuple(map(_hand_state, position.hands.values())),
        tuple(_side_state(position, side) for side in position.melds),
        _codes(position.pile),
        0,
        position.frozen,
        (None,) * len(position.melds),
        stock,
        None if position.due is None else seats.index(position.due),
        position.ended,
        None if position.by is None else seats.index(position.by),
    )


def _hand_state(cards: Cards) -> HandState:
    known = tuple(code for code in _codes(cards) if code != UNKNOWN)
    return HandState(known, len(cards) - len(known), len(cards))


def _side_state(position: Position, side: str) -> SideState:
    return SideState(
        tuple(
            MeldState(label_rank(label), *kinds(_codes(cards)), concealed=False)
            for label, cards in position.melds[side].items()
        ),
        _codes(position.threes[side]),
        position.opened[side],
        position.minimum[side],
        position.totals[side],
        None,
        0,
    )


def _codes(cards: Cards) -> tuple[int, ...]:
    return tuple(CODE[card] for card in cards)


def position_of(
    profile: Profile,
    state: State,
    laid: LaidCards,
    place: tuple[int, int, int],
    last: str,
    *,
    begun: bool,
    seat: int | None = None,
) -> Position:
    """Return the position of a state, as `seat` sees it if one is given.

    `place` is deal, turn and action. Of a position, only the other hands are hidden from a seat.
    """
    seats, sides = profile.seats, profile.side_names
    by_side = dict(zip(sides, state.sides, strict=True))
    fewest, most = state.stock
    deal, turn, action = place
    return Position(
        deal,
        turn,
        action,
        last,
        None if state.due is None or state.ended else seats[state.due],
        begun,
        {
            name: _hand(hand, hidden=seat not in (None, at))
            for at, (name, hand) in enumerate(zip(seats, state.hands, strict=True))
        },
        {
            side: {
                RANK_LETTERS[meld.rank]: _meld(laid.cards(at, meld.rank), meld.size)
                for meld in held.melds
            }
            for at, (side, held) in enumerate(by_side.items())
        },
        {side: tuple(TEXT[code] for code in held.threes) for side, held in by_side.items()},
        {side: held.opened for side, held in by_side.items()},
        {side: held.minimum for side, held in by_side.items()},
        {side: held.total for side, held in by_side.items()},
        (HIDDEN,) * state.pile_loose + tuple(TEXT[code] for code in state.pile),
        state.frozen,
        most if fewest == most else None,
        state.ended,
        None if state.ended_by is None else seats[state.ended_by],
        None if seat is None else seats[seat],
    )


def _hand(hand: HandState, *, hidden: bool) -> Cards:
    if hidden:
        return (HIDDEN,) * hand.size
    return tuple(TEXT[code] for code in hand.cards) + (HIDDEN,) * hand.unknown


def _meld(cards: list[int], size: int) -> Cards:
    """Return the cards of a meld; the top of a taken pile only after it is melded."""
    return tuple(TEXT[code] for code in cards[:size]) + (HIDDEN,) * (size - len(cards))


def walk_positions(game: Game) -> Iterator[Position]:
    """Yield the position of every step of a game's replay."""
    profile = read_header(game, game.number).profile
    if profile is None:
        return
    steps, _ = walk(game, number=game.number)
    for step in steps:
        if step.place < 0:
            laid = LaidCards(profile, game.deals[step.deal - 1])
        yield _position(profile, step, laid)


def _position(profile: Profile, step: Step, laid: LaidCards) -> Position:
    last = ""
    if step.line is not None and step.action >= 0:
        action = step.line.actions[step.action]
        laid.note(profile.side_of(step.line.seat), action)
        last = f"{step.line.seat} {format_action(action, profile['draw.count'])}"
    place = step.deal, step.turn, step.action
    return position_of(profile, step.state, laid, place, last, begun=not step.last)
