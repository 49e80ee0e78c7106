"""What a deal's decisions cost, and how much of its result was luck: the figures, as frozen values.

The value of a position for a side is the mean of what it will score in the deal minus the mean of
what the others will score, in points, if all seats continue as `careful`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from canasta_notation.quoting import quoted

#: A loss counts if it exceeds this many standard errors.
ERRORS: Final = 3
#: The fewest and the most play-outs that can be asked for. Halves need even numbers.
FEWEST: Final = 20
LIMIT: Final = 1_000_000
#: What distinguishes a play from a better one; the first that applies: whether to draw or to take
#: the pile, whether to end the deal, whether to open, which cards to lay, and which to discard.
ABOUT: Final = ("draw", "out", "open", "lay", "discard")


def wrong_rollouts(asked: object) -> str:
    """Return which numbers of play-outs are possible, "" if this one is."""
    nearest = ""
    if isinstance(asked, int):
        number = 0 if asked == 0 else min(max(asked + asked % 2, FEWEST), LIMIT)
        if number == asked:
            return ""
        nearest = f"; the nearest is {number}"
    allowed = f'0, "auto" or an even number from {FEWEST} to {LIMIT}'
    return f"{allowed}, not {quoted(asked)}{nearest}"


@dataclass(frozen=True, slots=True)
class Why:
    """How much more a play earned its side than what was played, by item of the score.

    `others_items` is the same for the mean of the other sides. Each item has its standard error.
    """

    items: Mapping[str, float]
    items_error: Mapping[str, float]
    others_items: Mapping[str, float]
    others_items_error: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PlayValue:
    """A play that was compared with others, and what it was worth in points.

    `value` is how much better it was than what was played, and `behind` how much worse than the
    better play, or than what was played if that was best. Each has its standard error, on `samples`
    deals. `risk` is the share of them in which the next seat took the pile at once. `asked` says
    that a reader asked for it. `why` is None unless only one turn is judged.
    """

    play: str
    value: float
    error: float
    behind: float
    behind_error: float
    risk: float
    risk_error: float
    samples: int
    asked: bool = False
    why: Why | None = None

    @staticmethod
    def from_json(kept: dict[str, Any]) -> PlayValue:
        """Return the value from what `asdict` returned."""
        return PlayValue(**{**kept, "why": Why(**kept["why"]) if kept["why"] else None})


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision with a choice, and the plays that were compared.

    `decision`, `played` and `better` are those of a `Loss`. `better` is the play that was best in
    the half of the samples that chooses, None if that is what was played, and `gain` is how many
    points better it was in the other half, with its standard error. `loss` is the same if it
    exceeds three errors, else 0. `about` says what distinguishes the two: "draw", "out", "open",
    "lay" or "discard". `undecided` says that the play-outs do not decide whether it is a mistake.
    `gave` says that the next seat took the pile at once clearly more often than after the better
    play, in the half that chooses.
    """

    turn: int
    seat: str
    decision: str
    about: str
    played: str
    better: str | None
    loss: float
    gain: float
    error: float
    undecided: bool
    gave: bool
    candidates: tuple[PlayValue, ...]


@dataclass(frozen=True, slots=True)
class Loss:
    """A mistake or a blunder: a decision that cost points, and why.

    `decision` is "draw", whether to draw or to take the pile, or "turn", the rest of the turn.
    `played` and `better` spell the two plays as a record does; of a draw and a take they are "+"
    and "^". `loss` and `error` are points: the mean and its standard error. `items` is how much
    more the play earned its side than the better one, by item of the score, and `others` the same
    for the mean of the other sides. `risk` is the share of the play-outs in which the next seat
    took the pile at once, and `risk_better` is that of the better play. `pile` is how many cards
    the pile had after the discard, 0 without one. Names that end in `error` or `errors` are
    standard errors.
    """

    turn: int
    seat: str
    kind: str
    decision: str
    played: str
    better: str
    loss: float
    error: float
    items: Mapping[str, float]
    others: Mapping[str, float]
    risk: float
    risk_better: float
    pile: int
    items_error: Mapping[str, float] = field(default_factory=dict)
    others_error: Mapping[str, float] = field(default_factory=dict)
    risk_error: float = 0
    risk_better_error: float = 0
    candidates: tuple[PlayValue, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatValues:
    """What a seat's decisions cost in points, and what its cards and its plays changed.

    `decisions` are those with a choice, `loss` is the sum of what they cost. `luck` and `play` are
    changes of the value for its own side, None if not every hand is known. `undecided` is how many
    may be mistakes or not. Errors are standard errors.
    """

    decisions: int = 0
    loss: float = 0
    loss_error: float = 0
    mistakes: int = 0
    blunders: int = 0
    undecided: int = 0
    luck: float | None = None
    luck_error: float | None = None
    play: float | None = None
    play_error: float | None = None


@dataclass(frozen=True, slots=True)
class SideValues:
    """A side's result, its score less the mean of the others, as `start` + `luck` + `play`.

    All figures are points, and errors are standard errors. `start` is the value before the deal.
    `seats` is what the cards (`luck`) and the plays (`play`) of each seat changed for this side.
    `curve` is the value before the first turn and after each turn, and `change` is how much each
    turn changed it. A change `stands` if it has the same sign in both halves of the samples, and
    exceeds three errors in the second. `swing` has the changes over two turns each, at the index of
    the second one.
    """

    result: float
    start: float
    start_error: float
    luck: float
    luck_error: float
    play: float
    play_error: float
    seats: Mapping[str, Mapping[str, float]]
    curve: tuple[float, ...]
    curve_error: tuple[float, ...]
    change: tuple[float, ...]
    change_error: tuple[float, ...]
    stands: tuple[bool, ...]
    swing: tuple[float, ...]
    swing_error: tuple[float, ...]
    swing_stands: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class DealValues:
    """The values of a deal.

    `sides` is empty if not every hand is known, or the deal has an error or no end. `turning_point`
    is the turn with the largest change in one half of the samples, None if the other half does not
    confirm it, or without a curve. `position` is the number of play-outs of each position of the
    curve.
    """

    seats: Mapping[str, SeatValues]
    sides: Mapping[str, SideValues]
    losses: tuple[Loss, ...]
    turning_point: int | None
    judged: tuple[Judged, ...] = ()
    position: int = 0

    def judged_of(self, seat: str) -> tuple[Judged, ...]:
        """Return the decisions of a seat that were judged."""
        return tuple(each for each in self.judged if each.seat == seat)

    def to_json(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return asdict(self)

    @staticmethod
    def from_json(kept: dict[str, Any]) -> DealValues:
        """Return the values from what `to_json` returned."""
        sides = {}
        for name, side in kept["sides"].items():
            lists = {key: tuple(each) for key, each in side.items() if isinstance(each, list)}
            sides[name] = SideValues(**{**side, **lists})

        def plays(one: dict[str, Any]) -> dict[str, Any]:
            return {**one, "candidates": tuple(map(PlayValue.from_json, one["candidates"]))}

        return DealValues(
            {name: SeatValues(**seat) for name, seat in kept["seats"].items()},
            sides,
            tuple(Loss(**plays(loss)) for loss in kept["losses"]),
            kept["turning_point"],
            tuple(Judged(**plays(each)) for each in kept["judged"]),
            kept["position"],
        )
