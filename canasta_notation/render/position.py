"""Positions: the table between two actions, as a value with cards as texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from canasta_notation.cards import LABELS, TEXT, UNKNOWN, card_texts
from canasta_notation.engine.state import State
from canasta_notation.notation.document import Game, Turn
from canasta_notation.render.diagram import position_svg
from canasta_notation.replay.header import read_header
from canasta_notation.replay.steps import walk
from canasta_notation.report.played import done, state_json

CardTexts = tuple[str, ...]
_T = TypeVar("_T")

#: The text of a card that is not known.
HIDDEN = TEXT[UNKNOWN]


# With slots, Python 3.11 reports an assignment to a property with another error.
@dataclass(frozen=True, repr=False)
class Position:
    """The table between two actions. Cards are texts as the notation spells them, `_` if not known.

    `deal` and `turn` count from 1, `action` from 0; before a deal's first turn `turn` is 0.
    `action` is None then, and after a penalty. `last` is what happened last (`N +5h`), ""
    if the cards have just been dealt, and `begun` says whether the seat due has drawn or taken the
    pile. `seats` are clockwise, `sides` are spelled by their seats. `state` is the table with cards
    as codes. `seat` is the seat that has this view, None for a view of every hand.
    """

    deal: int
    turn: int
    action: int | None
    last: str
    begun: bool
    seats: str
    sides: tuple[str, ...]
    state: State
    seat: str | None = None

    @property
    def due(self) -> str | None:
        """The seat whose turn it is; None if the deal is over, or the record does not say."""
        state = self.state
        return None if state.due is None or state.ended else self.seats[state.due]

    @property
    def hands(self) -> dict[str, CardTexts]:
        """Each seat's hand, the unknown cards last."""
        return {
            seat: _texts(hand.cards) + (HIDDEN,) * hand.unknown
            for seat, hand in zip(self.seats, self.state.hands, strict=True)
        }

    @property
    def melds(self) -> dict[str, dict[str, CardTexts]]:
        """Each side's melds by their labels, with their cards in the order laid."""
        return self._by_side(
            {LABELS[meld.rank]: _texts(meld.cards) for meld in side.melds}
            for side in self.state.sides
        )

    @property
    def threes(self) -> dict[str, CardTexts]:
        """The threes that each side has tabled."""
        return self._by_side(_texts(side.threes) for side in self.state.sides)

    @property
    def opened(self) -> dict[str, bool]:
        """Whether each side has opened."""
        return self._by_side(side.opened for side in self.state.sides)

    @property
    def minimum(self) -> dict[str, int | None]:
        """The points that each side's opening must count, None if the record does not say."""
        return self._by_side(side.minimum for side in self.state.sides)

    @property
    def totals(self) -> dict[str, int | None]:
        """Each side's points before the deal, None if the record does not say."""
        return self._by_side(side.total for side in self.state.sides)

    @property
    def packets(self) -> tuple[tuple[str, str | None, CardTexts], ...]:
        """The feet and pots that nobody has taken: word, seat (None for one of a side), cards."""
        return tuple(
            (each.word, None if each.seat is None else self.seats[each.seat], _texts(each.cards))
            for each in self.state.packets
        )

    @property
    def pile(self) -> CardTexts:
        """The pile, its top last."""
        return (HIDDEN,) * self.state.pile_loose + _texts(self.state.pile)

    @property
    def frozen(self) -> bool | None:
        """Whether the pile is frozen for all; None if the record does not say."""
        return self.state.frozen

    @property
    def stock(self) -> int | None:
        """How many cards the stock has, None if the record does not say."""
        fewest, most = self.state.stock
        return most if fewest == most else None

    @property
    def ended(self) -> str:
        """How the deal ended: "", "out", "stock" or "special"."""
        return self.state.ended

    @property
    def by(self) -> str | None:
        """The seat that ended the deal."""
        return None if self.state.ended_by is None else self.seats[self.state.ended_by]

    def _by_side(self, values: Iterable[_T]) -> dict[str, _T]:
        return dict(zip(self.sides, values, strict=True))

    def to_json(self) -> dict[str, Any]:
        """Return the place and the state for JSON, as schemas/replay.schema.json describes them."""
        place = {
            "deal": self.deal,
            "turn": self.turn,
            "action": -1 if self.action is None else self.action,
            "last": self.last,
            "begun": self.begun,
            "seat": self.seat,
        }
        return place | state_json(self.state, self.seats, self.sides)

    def _repr_svg_(self) -> str:
        """Return the table as an SVG picture, which notebooks show."""
        heading = f"Deal {self.deal}, turn {self.turn}: {self.last or 'as dealt'}"
        return position_svg(self.state, self.seats, self.sides, heading=heading)

    def __repr__(self) -> str:
        return f"<Position deal {self.deal}, turn {self.turn}: {self.last or 'as dealt'}>"

    def __str__(self) -> str:
        """Return the table as lines of text."""
        hands = [f"{seat}: {' '.join(cards)}" for seat, cards in self.hands.items()]
        melds = [
            f"{side}: "
            + " ".join([*self.threes[side], *(f"{k}:{''.join(v)}" for k, v in melds.items())])
            for side, melds in self.melds.items()
        ]
        packets = [
            f"{word}{f' {seat}' if seat else ''}: {' '.join(cards)}"
            for word, seat, cards in self.packets
        ]
        stock = "?" if self.stock is None else self.stock
        due = f"ended: {self.ended} {self.by or ''}" if self.ended else f"due: {self.due or '?'}"
        head = f"deal {self.deal}, turn {self.turn}  {self.last}".rstrip()
        pile = f"pile: {' '.join(self.pile)}   stock: {stock}   {due}".rstrip()
        return "\n".join([head, *hands, *packets, *melds, pile])


def _texts(codes: tuple[int, ...]) -> CardTexts:
    return tuple(card_texts(codes))


def walk_positions(game: Game) -> Iterator[Position]:
    """Yield the position of every step of a game's replay."""
    profile = read_header(game, game.number).profile
    if profile is None:
        return
    seats, sides, draw_count = profile.seats, profile.side_names, profile["draw.count"]
    steps, _ = walk(game, number=game.number)
    for step in steps:
        text = done(step, draw_count) or ""
        last = f"{step.line.seat} {text}" if text and isinstance(step.line, Turn) else text
        yield Position(
            step.deal, step.turn, step.action, last, not step.last, seats, sides, step.state
        )
