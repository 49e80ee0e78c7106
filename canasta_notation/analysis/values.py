"""What a deal's decisions cost, and how much of its result was luck: estimates by play-outs.

The value of a position for a side is the mean of what it will score in the deal less the mean of
what the others will, in points, if all seats go on as `careful`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from math import hypot, sqrt
from time import process_time
from typing import Any, Final

from canasta_notation.analysis.asked import BEGINNINGS, AskedPlay
from canasta_notation.analysis.limits import Limits, limits_of
from canasta_notation.arrays import zeros
from canasta_notation.cards import EXACT
from canasta_notation.engine.actions import Action, Ask, Discard, Draw, Take, TakeTalon
from canasta_notation.engine.table import OPEN, OUT, YES, Table, Violation, copy_table
from canasta_notation.engine.turn import awaits_draw
from canasta_notation.notation.document import Deal, Game, Turn
from canasta_notation.notation.format import format_action
from canasta_notation.players.candidates import (
    Candidate,
    candidates,
    copy_to_try,
    tried,
    tried_take,
)
from canasta_notation.players.figures import CAREFUL, Figures, eager, figures_of
from canasta_notation.players.hidden import Hidden, as_seen, hidden_from, hidden_stock, stream_of
from canasta_notation.players.playouts import (
    DRAW,
    NEXT,
    REST,
    TAKE,
    TALON,
    BrokenRule,
    Outcomes,
    add_change,
    compared,
    deal_outs,
    earned,
    moments,
    play_outs,
)
from canasta_notation.players.seat_turn import play_on, take_pile
from canasta_notation.quoting import quoted
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import DealReport, GameReport
from canasta_notation.replay.header import read_header
from canasta_notation.replay.moment import Moment
from canasta_notation.rules import Profile, entry, load_profile
from canasta_notation.rules.items import ITEMS
from canasta_notation.search.able import able_to_take

#: A loss counts beyond this many standard errors.
ERRORS: Final = 3
#: The fewest and the most play-outs that can be asked for. Halves need even numbers.
FEWEST: Final = 20
LIMIT: Final = 1_000_000
#: The number of play-outs in two stages: of each candidate, then of those that lead, and at most.
FIRST: Final = 100
SECOND: Final = 1_000
MOST: Final = 4_000
#: The second stage leaves out candidates that are behind after every so many play-outs.
_STEP: Final = 250
#: The most candidates of the second stage beside the one that was played, and how many standard
#: errors they may be behind the best.
_LEADING: Final = 3
_BEHIND: Final = 2

#: By how much the part of the play-outs in which the pile is taken must differ to be named.
_GIVEN: Final = 0.05

#: Changes whenever the same play-outs would give other figures.
EDITION: Final = 5
#: How many play-outs of half a deal a turn takes, for each that was asked for, and in two stages.
_EACH_TURN: Final = 10
_TWO_STAGES: Final = 8_000
#: How many deals are played to see how fast that is.
_TIMED: Final = 6

#: Called again and again during long work; what it raises ends the work.
Tick = Callable[[], None] | None


def wrong_rollouts(asked: object) -> str:
    """Return what can be asked for instead of a number of play-outs, "" if it can be asked for."""
    nearest = ""
    if isinstance(asked, int):
        number = 0 if asked == 0 else min(max(asked + asked % 2, FEWEST), LIMIT)
        if number == asked:
            return ""
        nearest = f"; the nearest is {number}"
    allowed = f'0, "auto" or an even number from {FEWEST} to {LIMIT}'
    return f"{allowed}, not {quoted(asked)}{nearest}"


# --- values ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Why:
    """By how much a play earned its side more than what was played, by item of the score.

    `others_items` is the same for the mean of the other sides. Each item has its standard error.
    """

    items: Mapping[str, float]
    items_error: Mapping[str, float]
    others_items: Mapping[str, float]
    others_items_error: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PlayValue:
    """A play that was compared with others, and what it was worth in points.

    `value` is by how much it was better than what was played, `behind` by how much it was worse
    than the better play; than what was played, if there is none. Each has its standard error, on
    `samples` deals. `risk` is the part of them in which the next seat took the pile at once.
    `asked` says that a reader asked for it. `why` is None unless one turn alone is judged.
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

    `better` is the play that led in the half of the samples that chooses, None if that is what was
    played, and `gain` by how much it was better in the other half. `loss` is the same if it exceeds
    three errors, else 0. `about` says what distinguishes the two: one of `ABOUT`. `undecided` says
    that the play-outs leave open whether it is a mistake. `gave` says that the next seat took the
    pile at once clearly more often than after the better play, in the half that chooses.
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
    and "^". `loss` and `error` are points: the mean and its standard error. `items` is by how much
    the play earned its side more than the better one, by item of the score, and `others` the same
    for the mean of the other sides. `risk` is the part of the play-outs in which the next seat took
    the pile at once, and `risk_better` is that of the better play. `pile` is how many cards the
    pile had after the discard, 0 without one. What ends in `error` or `errors` are standard errors.
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
    """What a seat's decisions cost, and what its cards and its plays changed.

    `decisions` are those with a choice, `loss` is the sum of what they cost. `luck` and `play` are
    changes of the value for its own side, None if not every hand is known. `undecided` are
    those of which the play-outs leave open whether they are mistakes. Errors are standard errors.
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

    `start` is the value before the deal. `seats` is what the cards and the plays of each seat
    changed for this side. `curve` is the value before the first turn and after each turn, with its
    errors, and `change` by how much each turn changed it. A change `stands` if it has the same sign
    in both halves of the samples, and exceeds three errors in the second. `swings` are those of
    `change` over two turns each, the second one at its place.
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
    """The values of a deal. `sides` is empty if not every hand is known, or the deal has an error
    or no end. `turning_point` is the turn with the largest change in one half of the samples, None
    if that does not stand in the other, or without a curve. `position` is the number of play-outs
    of each position of the curve.
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


# --- the deal as it was played --------------------------------------------------------------------


@dataclass(slots=True)
class _Scene:
    """A turn: the table before it, after each of its actions but the last, and after it.

    Threes that the turn tables first have been tabled before it.
    """

    turn: int
    row: Turn
    before: Table
    steps: list[Table]
    after: Table

    @property
    def begun(self) -> int | None:
        """The place in `steps` of the table at which the rest of the turn begins, None without one:
        the draw, or the take and the melding of the top, are over.
        """
        return next((at for at, step in enumerate(self.steps) if not step.waiting), None)

    def actions_from(self, at: int) -> tuple[Action, ...]:
        """Return the actions after the table at a place in `steps`."""
        return self.row.actions[at - len(self.steps) :]

    @property
    def drawn(self) -> tuple[int, ...]:
        """The cards drawn, with tabled threes."""
        first = self.row.begin()
        return first.cards if isinstance(first, Draw) else ()


class _Watch:
    """The observer of a replay that keeps the turns of a deal up to the first error in its play."""

    #: The table when the draw or take is due.
    _before: Table

    def __init__(self, written: Deal) -> None:
        self.written = written
        self.start: Table | None = None
        self.scenes: list[_Scene] = []
        self.sound = True
        self._steps: list[Table] = []

    def observe(self, moment: Moment) -> None:
        """Keep the table."""
        play, turn = moment.table, moment.ended_turn
        self.sound = self.sound and not play.violations
        after = copy_table(play)
        if moment.line is None:
            self.start = after
        if moment.is_within_turn and not awaits_draw(play):
            self._steps.append(after)
            return
        if turn:
            if self.sound:
                self.scenes.append(_Scene(play.turn, turn, self._before, self._steps, after))
            self._steps = []
        self._before = after


def deal_values(
    game: Game,
    number: int,
    deal: int,
    rollouts: int | None,
    seed: int = 0,
    override: Profile | None = None,
    turn: int | None = None,
) -> DealValues:
    """Return the values of a deal (from 1) of a game, whose place in its file is `number`.

    `rollouts` is the number of play-outs of each position and each candidate, even; None for two
    stages. With `turn`, only the decisions of this turn are judged, and luck is not estimated. Not
    checked: that the game has the deal, and that its rules can be read.
    """
    return whole([deal_part(game, number, deal, rollouts, seed, override, turn)])


@dataclass(frozen=True, slots=True)
class DealPart:
    """A part of the values of a deal: some of its decisions, or luck and play, or all."""

    seats: str
    judged: tuple[Judged, ...]
    losses: tuple[Loss, ...]
    sides: Mapping[str, SideValues]
    turning_point: int | None
    position: int


def deal_part(
    game: Game,
    number: int,
    deal: int,
    rollouts: int | None,
    seed: int = 0,
    override: Profile | None = None,
    turn: int | None = None,
    part: int = 0,
    parts: int = 1,
    tick: Tick = None,
) -> DealPart:
    """Return one of several parts of what `deal_values` returns, all of which `whole` takes.

    The last of several parts is luck and play; the others share the decisions. A game that was the
    last one is not replayed again. `tick` is called before each set of play-outs.
    """
    watches, report, profile = _replayed(game, number, override)
    watch = watches[deal - 1]
    figures = figures_of(CAREFUL, profile)
    count = SECOND if rollouts is None else rollouts
    last = part == parts - 1
    scenes = [
        scene
        for scene in watch.scenes
        if turn in (None, scene.turn)
        and (parts == 1 or (not last and scene.turn % (parts - 1) == part))
    ]
    found = [
        comparison.judged(choice)
        for choice, comparison in _decisions(
            scenes,
            figures,
            limits_of(profile),
            count,
            seed,
            deal,
            _Asking((), profile),
            two_stages=rollouts is None,
            tick=tick,
        )
    ]
    curve = _Curve(watch, report.deals[deal - 1], figures, count, stream_of(seed, deal), tick)
    sides = curve.sides() if turn is None and last else {}
    return DealPart(
        profile.seats,
        tuple(each for each, _ in found),
        tuple(loss for _, loss in found if loss is not None and loss.kind),
        sides,
        curve.turning_point(),
        count if sides else 0,
    )


# --- one turn -------------------------------------------------------------------------------------

#: Why the decisions of a turn are not judged.
_BROKEN: Final = "the play has an error in this turn or before it"
_UNSEEN: Final = "the record does not show all cards that the player held"
_PARTNER: Final = "the partner was asked in this turn"
_FORCED: Final = "there was no other play to compare"


@dataclass(frozen=True, slots=True)
class TurnValues:
    """The decisions of one turn. `refused` says why plays that a reader asked for are not compared.

    `unjudged` says why no decision is judged, "" if one is.
    """

    values: DealValues
    refused: tuple[str, ...]
    unjudged: str


class _Asking:
    """Plays that a reader asks about, and why some of them are not compared."""

    def __init__(self, plays: Sequence[AskedPlay], profile: Profile) -> None:
        self._plays = plays
        self._profile = profile
        self.refused: list[str] = []

    def plays(self, *, begins: bool) -> list[AskedPlay]:
        """Return the plays of the whole turn, or those of its rest."""
        return [each for each in self._plays if (each.begins in BEGINNINGS) == begins]

    def refuse(self, play: AskedPlay, why: str | Violation) -> None:
        """Note why a play is not compared."""
        if isinstance(why, Violation):
            seats, sides = self._profile.seats, self._profile.side_names
            known = entry(why.code)
            reason = known.reason(why.message, why.facts, seats, sides)
            advice = known.advice(why.message, why.facts, seats, sides)
            why = f"error[{why.code}]: {reason}{f' ({advice})' if advice else ''}"
        self.refused.append(f"{quoted(play.text)}: {why}")

    def refuse_all(self, plays: Iterable[AskedPlay], why: str) -> None:
        """Note why plays are not compared."""
        for play in plays:
            self.refuse(play, why)


def turn_values(
    game: Game,
    number: int,
    deal: int,
    turn: int,
    plays: Sequence[AskedPlay],
    rollouts: int | None,
    seed: int = 0,
    override: Profile | None = None,
) -> TurnValues:
    """Return the decisions of a turn, with plays that a reader asks about among the candidates.

    Arguments are those of `deal_values`; each candidate has its reasons. Not checked: that the game
    has the deal, that the deal has the turn, and that the rules can be read.
    """
    watches, _, profile = _replayed(game, number, override)
    asking = _Asking(plays, profile)
    scenes = [each for each in watches[deal - 1].scenes if each.turn == turn]
    why = "" if scenes else _BROKEN
    if scenes and _as_seen(scenes[0]) is None:
        why = _UNSEEN
    if why:
        asking.refuse_all(plays, why)
    count = SECOND if rollouts is None else rollouts
    found = [
        comparison.judged(choice, why=True)
        for choice, comparison in _decisions(
            scenes, figures_of(CAREFUL, profile), limits_of(profile), count, seed, deal, asking,
            two_stages=rollouts is None,
        )
    ]  # fmt: skip
    if scenes and not why and not found:
        asked = any(isinstance(each, Ask) for each in scenes[0].row.actions)
        why = _PARTNER if asked else _FORCED
    losses = tuple(loss for _, loss in found if loss is not None and loss.kind)
    part = DealPart(profile.seats, tuple(each for each, _ in found), losses, {}, None, 0)
    return TurnValues(whole([part]), tuple(asking.refused), why)


@lru_cache(maxsize=1)
def _replayed(
    game: Game, number: int, override: Profile | None
) -> tuple[list[_Watch], GameReport, Profile]:
    """Replay a game, and keep the turns of all its deals."""
    watches = [_Watch(written) for written in game.deals]

    def observe(moment: Moment) -> None:
        watches[moment.deal].observe(moment)

    report = replay_game(game, number, rules=override, observer=observe)
    profile = read_header(game, number, override).profile
    assert profile is not None
    return watches, report, profile


def whole(parts: Sequence[DealPart]) -> DealValues:
    """Return the values of a deal from all its parts; the last one has luck and play."""
    judged = [each for part in parts for each in part.judged]
    judged.sort(key=lambda each: (each.turn, each.decision != "draw"))
    losses = [each for part in parts for each in part.losses]
    losses.sort(key=lambda each: (each.turn, each.decision != "draw"))
    last = parts[-1]
    seats = {seat: _seat_values(seat, judged, losses, last.sides) for seat in last.seats}
    return DealValues(
        seats, last.sides, tuple(losses), last.turning_point, tuple(judged), last.position
    )


def _seat_values(
    seat: str, judged: Sequence[Judged], losses: Sequence[Loss], sides: Mapping[str, SideValues]
) -> SeatValues:
    own = [each for each in judged if each.seat == seat]
    kinds = [loss.kind for loss in losses if loss.seat == seat]
    luck = next((side.seats[seat] for name, side in sides.items() if seat in name), {})
    return SeatValues(
        len(own),
        round(sum(each.loss for each in own), 1),
        round(hypot(*(each.error for each in own if each.loss)), 1),
        kinds.count("mistake"),
        kinds.count("blunder"),
        sum(each.undecided for each in own),
        **luck,
    )


def estimated_seconds(rules: str, turns: Sequence[int], rollouts: int | None) -> float:
    """Estimate how many seconds one process needs for the play-outs of deals.

    `turns` is the number of turns of each deal.
    """
    profile = load_profile(rules)
    figures = figures_of(CAREFUL, profile)
    seats, sides = len(profile.seats), len(profile.side_names)
    begun = process_time()
    deal_outs(figures.rules, figures, 0, [0] * sides, [None] * seats, [()] * seats, None, 0, _TIMED)
    each = (process_time() - begun) / _TIMED
    return each / 2 * sum(turns) * (_TWO_STAGES if rollouts is None else _EACH_TURN * rollouts)


# --- decisions ------------------------------------------------------------------------------------


#: What distinguishes a play from a better one, the first that fits: whether to draw or to take the
#: pile, to end the deal, to open the side, which cards to lay, and which to discard.
ABOUT: Final = ("draw", "out", "open", "lay", "discard")

_Way = tuple[bool, bool, tuple[str, ...]]
#: Plays `count` samples of a candidate, from the one with the number `first` on.
_Sampler = Callable[[int, int], Outcomes]


@dataclass(frozen=True, slots=True)
class _Choice:
    """A decision: its scene, its plays as a record spells them, and how each can be played out.

    The first is what was played. `piles` is how many cards the pile has after each, and `ways` what
    each does for `ABOUT`: whether it ends the deal, whether it opens the side, and what it lays.
    `asked` are the places of those that a reader asked for.
    """

    scene: _Scene
    decision: str
    samplers: list[_Sampler]
    texts: list[str]
    piles: list[int]
    ways: list[_Way]
    asked: set[int] = field(default_factory=set)

    def add(self, text: str, sampler: _Sampler, pile: int, way: _Way | None = None) -> int:
        """Add a play; return its place."""
        self.texts.append(text)
        self.samplers.append(sampler)
        self.piles.append(pile)
        if way is not None:
            self.ways.append(way)
        return len(self.texts) - 1

    def about(self, best: int) -> str:
        """Return what distinguishes what was played from another play."""
        if self.decision == "draw":
            return "draw"
        ways = zip(ABOUT[1:-1], self.ways[0], self.ways[best], strict=True)
        return next((kind for kind, one, other in ways if one != other), ABOUT[-1])


def _decisions(
    scenes: Iterable[_Scene],
    figures: Figures,
    limits: Limits,
    count: int,
    seed: int,
    deal: int,
    asking: _Asking,
    *,
    two_stages: bool,
    tick: Tick = None,
) -> Iterator[tuple[_Choice, _Comparison]]:
    """Yield the decisions with a choice, of seats whose hands are known, played out."""
    for scene in map(_as_seen, scenes):
        for decision in ("draw", "turn") if scene else ():
            assert scene is not None
            find = _draw_or_take if decision == "draw" else _rest
            choice = find(scene, figures, stream_of(seed, deal, scene.turn, decision), asking)
            if choice is None or len(choice.samplers) < 2:
                continue
            comparison = _Comparison(choice.samplers, scene.after.side, limits, choice.asked, tick)
            comparison.run(count, two_stages=two_stages)
            yield choice, comparison


def _as_seen(scene: _Scene) -> _Scene | None:
    """Return a turn as its seat could see it, if its own hand is known at least; else None."""
    seat = scene.after.seat
    tables = [scene.before, *scene.steps, scene.after]
    if all(table.knowledge is None for table in tables):
        return scene
    before = as_seen(tables[0], seat)
    if before is None:
        return None
    stock = before.stock_most - len(scene.drawn)
    seen = [as_seen(table, seat, stock) for table in tables[1:]]
    *steps, after = [each for each in seen if each] if all(seen) else [None]
    if after is None:
        return None
    return replace(scene, before=before, steps=[each for each in steps if each], after=after)


def _sampler(
    table: Table,
    figures: Figures,
    hidden: Hidden,
    stream: int,
    how: int,
    rest: Sequence[Action] | None = None,
) -> _Sampler:
    """Return the play-outs of a table with hidden cards; see `play_outs`."""

    def sample(first: int, count: int) -> Outcomes:
        return play_outs(table, figures, hidden, stream, first, count, how, rest)

    return sample


def _draw_or_take(scene: _Scene, figures: Figures, stream: int, asking: _Asking) -> _Choice | None:
    """Return the choice between the ways to begin the turn, None without two."""
    before, seat = scene.before, scene.after.seat
    plays = asking.plays(begins=True)
    if before.due != seat or not isinstance(scene.row.begin(), Draw | Take):
        asking.refuse_all(plays, "the turn had no choice between drawing and taking the pile")
        return None
    ways = [(DRAW, "+"), (TAKE, "^")]
    if isinstance(scene.row.begin(), Take):
        ways.reverse()
    able = before.stock_most > 0 and able_to_take(before, seat) == YES
    if not able or take_pile(copy_to_try(before), eager(figures)) is None:
        ways = ways[:1]
    hidden = hidden_from(before, seat)
    choice = _Choice(scene, "draw", [], [], [], [])
    for how, text in ways:
        choice.add(text, _sampler(before, figures, hidden, stream, how), before.pile_size)
    for play in plays:
        way = _asked_way(before, figures, hidden, stream, play, asking)
        if play.text in choice.texts:
            choice.asked.add(choice.texts.index(play.text))
        elif way is not None:
            choice.asked.add(choice.add(play.text, *way))
    return choice if len(choice.texts) > 1 else None


def _asked_way(
    before: Table,
    figures: Figures,
    hidden: Hidden,
    stream: int,
    play: AskedPlay,
    asking: _Asking,
) -> tuple[_Sampler, int] | None:
    """Return the play-outs of a turn that a reader asks about, and the pile after it."""
    if play.begins == "^":
        found = tried_take(before, play.take, play.actions, play.out)
        if isinstance(found, Candidate):
            pile = found.table.pile_size
            return _sampler(found.table, figures, hidden, stream, found.how), pile
        asking.refuse(play, found)
        return None
    if before.stock_most == 0:
        asking.refuse(play, "the stock is empty")
        return None
    sampler = _sampler(before, figures, hidden, stream, DRAW, play.actions or None)
    try:
        sampler(0, FEWEST)
    except BrokenRule as broken:
        asking.refuse(play, broken.violation)
        return None
    return sampler, before.pile_size


def _rest(scene: _Scene, figures: Figures, stream: int, asking: _Asking) -> _Choice | None:
    """Return the choice between the ways to play the rest of the turn, None if there is none."""
    at, plays = scene.begun, asking.plays(begins=False)
    if at is None or scene.steps[at].ended != OPEN or scene.steps[at].violations:
        asking.refuse_all(plays, "the turn had nothing left to play")
        return None
    base = scene.steps[at]
    found = candidates(base, figures, scene.actions_from(at))
    if not found:
        asking.refuse_all(plays, _PARTNER)
        return None
    hidden = hidden_from(scene.before, base.seat, scene.drawn)
    choice = _Choice(scene, "turn", [], [], [], [])

    def add(each: Candidate) -> int:
        pile = each.table.pile_size if each.table.discarded >= 0 else 0
        sampler = _sampler(each.table, figures, hidden, stream, each.how)
        return choice.add(_text(each), sampler, pile, _way(each))

    for each in found:
        add(each)
    for play in plays:
        own = _tried_rest(scene, at, play)
        if isinstance(own, Violation):
            asking.refuse(play, own)
        elif _text(own) in choice.texts:
            choice.asked.add(choice.texts.index(_text(own)))
        else:
            choice.asked.add(add(own))
    return choice


def _tried_rest(scene: _Scene, at: int, play: AskedPlay) -> Candidate | Violation:
    """Try a rest of a turn that a reader asks about; after a take, it may meld the top anew."""
    found = tried(scene.steps[at], play.actions, play.out)
    if at == 0 or isinstance(found, Candidate):
        return found
    whole = tried(scene.steps[0], play.actions, play.out)
    same = play.actions[:at] == scene.actions_from(0)[:at]
    return whole if same or isinstance(whole, Candidate) else found


def _text(play: Candidate) -> str:
    """Return a play as a record spells it."""
    return " ".join([*map(format_action, play.actions), *_mark(play)])


def _mark(play: Candidate) -> list[str]:
    return ["#"] if play.table.ended == OUT else []


def _way(play: Candidate) -> _Way:
    table = play.table
    laid = [format_action(each) for each in play.actions if not isinstance(each, Discard)]
    opens = not table.opened_before and bool(table.laid)
    return table.ended != OPEN, opens, tuple(sorted(laid))


class _Comparison:
    """Candidates of a decision, played out on the same samples; the first is what was played.

    The best is chosen on the samples with even numbers and judged on the others.
    """

    def __init__(
        self,
        samplers: list[_Sampler],
        side: int,
        limits: Limits,
        asked: Set[int] = frozenset(),
        tick: Tick = None,
    ) -> None:
        self.tick = tick
        self.samplers = samplers
        self.asked = asked
        self.side = side
        self.limits = limits
        self.left = list(range(len(samplers)))
        self.outcomes: dict[int, list[Outcomes]] = {at: [] for at in self.left}
        self.done = 0

    def run(self, count: int, *, two_stages: bool) -> None:
        """Play out what is needed: `count` samples of each candidate, or two stages."""
        self._play(FIRST if two_stages else count)
        if not two_stages:
            return
        self._keep_leading(-1, _LEADING)
        while len(self.left) > 1 and self.done < MOST:
            self._play(_STEP)
            # The half that judges has no say in what is left out.
            self._keep_leading(0, _LEADING if self.done < FIRST + SECOND else 1)
            if (self.done - FIRST) % SECOND == 0 and not self._is_open():
                return

    def _is_open(self) -> bool:
        """Return whether the loss may be on either side of a threshold."""
        loss, error, _ = self._loss()
        limit = _limit(self.done // 2) * error
        return any(abs(loss - each) < limit for each in self.limits)

    def _play(self, count: int) -> None:
        count = min(count, MOST - self.done) if self.done else count
        for at in self.left:
            if self.tick is not None:
                self.tick()
            self.outcomes[at].append(self.samplers[at](self.done, count))
        self.done += count

    def _keep_leading(self, half: int, most: int) -> None:
        """Keep what was played, and up to `most` candidates that are not clearly behind the best.

        What a reader asked for stays, too. They are compared in one half of the samples, or in
        both (-1).
        """
        best = max(self.left, key=lambda at: self._difference(at, 0, half)[0])
        near = []
        for at in self.left:
            behind, error = self._difference(best, at, half)
            if behind <= _BEHIND * error:
                near.append((behind, at))
        self.left = sorted({0, *self.asked, *(at for _, at in sorted(near)[:most])})

    def _difference(self, one: int, other: int, half: int) -> tuple[float, float]:
        """Return by how many points a candidate is better than another, and the error."""
        parts = [
            compared(left, right, self.side, half)
            for left, right in zip(self.outcomes[one], self.outcomes[other], strict=False)
        ]
        count, total, squares = (sum(each) for each in zip(*parts, strict=True))
        return _mean(count, total, squares, self.outcomes[one][0].sides - 1)

    def _loss(self) -> tuple[float, float, int]:
        """Return what the played candidate lost, the error, and the best candidate."""
        best = max(self.left, key=lambda at: (self._difference(at, 0, 0)[0], -at))
        return (*self._difference(best, 0, 1), best)

    def judged(self, choice: _Choice, *, why: bool = False) -> tuple[Judged, Loss | None]:
        """Return the judgement of the decision, and the loss if it cost something.

        With `why`, each play has its reasons.
        """
        turn, seat, texts = choice.scene.turn, choice.scene.row.seat, choice.texts
        gain, error, best = self._loss()
        limit = _limit(self.done // 2) * error
        # One sample has no error, so it calls nothing.
        lost = best != 0 and self.done >= 4 and gain > limit
        kind = self.limits.kind(gain) if lost else ""
        plays = tuple(self._play_value(at, best, text, why=why) for at, text in enumerate(texts))
        judged = Judged(
            turn, seat, choice.decision, choice.about(best), texts[0],
            texts[best] if best else None, round(gain, 1) if lost else 0, round(gain, 1),
            round(error, 1), best != 0 and not kind and gain + limit > self.limits.mistake,
            self._taken(0) - self._taken(best) > _GIVEN, plays,
        )  # fmt: skip
        if not lost:
            return judged, None
        own, own_error = self._items(best, own=True)
        others, others_error = self._items(best, own=False)
        own_error["others"] = round(self._earned(best, -1, own=False)[1], 1)
        loss = Loss(
            turn, seat, kind, choice.decision, texts[0], texts[best], judged.loss, judged.error,
            own, others, plays[0].risk, plays[best].risk, choice.piles[0], own_error, others_error,
            plays[0].risk_error, plays[best].risk_error, plays,
        )  # fmt: skip
        return judged, loss

    def _taken(self, at: int) -> float:
        """Return the part of the samples that choose in which the next seat took the pile."""
        parts = self.outcomes[at]
        taken = int(sum(each.takes[0] for each in parts))
        return taken / int(sum((each.count + 1) // 2 for each in parts))

    def _play_value(self, at: int, best: int, text: str, *, why: bool) -> PlayValue:
        """Return what a candidate was worth in the half of the samples that judges."""
        value, error = self._difference(at, 0, 1)
        behind, behind_error = self._difference(best, at, 1)
        samples = int(sum(each.count // 2 for each in self.outcomes[at]))
        taken = int(sum(each.takes[1] for each in self.outcomes[at]))
        about = (taken + 1) / (samples + 2)
        return PlayValue(
            text, round(value, 1), round(error, 1), round(behind, 1), round(behind_error, 1),
            round(taken / samples, 3), round(sqrt(about * (1 - about) / samples), 4), samples,
            at in self.asked, self._why(at) if why and at else None,
        )  # fmt: skip

    def _why(self, at: int) -> Why:
        """Return by how much a candidate earned more than what was played."""
        found: list[dict[str, float]] = []
        for own in (True, False):
            means, errors = self._items(at, own=own)
            found += [{item: -mean for item, mean in means.items()}, errors]
        return Why(*found)

    def _items(self, best: int, *, own: bool) -> tuple[dict[str, float], dict[str, float]]:
        """Return by how much the played candidate earned more than the best, by item: for its side,
        or for the mean of the others; and the standard errors.
        """
        means, errors = dict[str, float](), dict[str, float]()
        for item, name in enumerate(ITEMS):
            mean, error = self._earned(best, item, own=own)
            if round(mean, 1):
                means[name], errors[name] = round(mean, 1), round(error, 1)
        return means, errors

    def _earned(self, best: int, item: int, *, own: bool) -> tuple[float, float]:
        """Return the difference of `_items` for one item, or for all (-1), and its error."""
        parts = [
            earned(one, other, self.side, own, item)
            for one, other in zip(self.outcomes[0], self.outcomes[best], strict=False)
        ]
        count, total, squares = (sum(each) for each in zip(*parts, strict=True))
        return _mean(count, total, squares, 1 if own else self.outcomes[0][0].sides - 1)


def _limit(count: int) -> float:
    """Return the limit for `count` samples, in standard errors.

    A difference beyond it is as rare as one beyond `ERRORS` for a large number of samples. The
    formula is the beginning of the expansion of Student's distribution about the normal one.
    """
    return ERRORS + (ERRORS**3 + ERRORS) / (4 * max(1, count - 1))


def _mean(count: int, total: int, squares: int, scale: int) -> tuple[float, float]:
    """Return the mean of values and its standard error, from their sums; both less by a scale."""
    spread = max(0, squares * count - total * total) / (count * max(1, count - 1))
    return total / count / scale, sqrt(spread / count) / scale


# --- luck and play --------------------------------------------------------------------------------


class _Curve:
    """The value of each position of a deal, with all hands as they lay and the stock shuffled."""

    def __init__(
        self,
        watch: _Watch,
        report: DealReport,
        figures: Figures,
        count: int,
        stream: int,
        tick: Tick = None,
    ) -> None:
        self.tick = tick
        self.watch = watch
        self.report = report
        self.figures = figures
        self.rules = figures.rules
        self.count = count
        self.stream = stream
        size = len(self.rules.sides) * count
        self.luck = [zeros(size) for _ in self.rules.seats]
        self.play = [zeros(size) for _ in self.rules.seats]
        self.points: list[Outcomes] = []
        #: Whether the values could be given.
        self.whole = False

    def sides(self) -> dict[str, SideValues]:
        """Return the values by side; nothing if they cannot be given."""
        if not self._is_whole():
            return {}
        start = self._deal()
        if start is None:
            return {}
        self.whole = True
        for scene in self.watch.scenes:
            self._turn(scene)
        last = self.watch.scenes[-1].after
        result = self._result()
        if last.ended == OPEN:
            add_change(self.play[last.due], self.points[-1], result)
            self.points[-1] = result
        return {
            name: self._side(at, name, start, result) for at, name in enumerate(self.rules.sides)
        }

    def _is_whole(self) -> bool:
        """Return whether every card is known and the deal has an end; only scores may be false."""
        watch, report = self.watch, self.report
        errors = [each.code for each in report.findings if each.severity == "error"]
        tables = [each.after for each in watch.scenes]
        return (
            bool(watch.scenes)
            and watch.sound
            and all(entry(code).family == "score" for code in errors)
            and report.ended is not None
            and len(watch.scenes) == report.turns
            and all(side.score is not None for side in report.sides)
            and all(table.knowledge is None for table in tables)
        )

    def _result(self) -> Outcomes:
        """Return the result of the deal as the outcome of every sample."""
        scores = [side.score or 0 for side in self.report.sides]
        result = Outcomes(len(scores), self.count)
        for at in range(self.count):
            for side, score in enumerate(scores):
                result.margins[at * len(scores) + side] = score * len(scores) - sum(scores)
        return result

    def _outs(self, table: Table, how: int) -> Outcomes:
        if self.tick is not None:
            self.tick()
        hidden = hidden_stock(table)
        return play_outs(table, self.figures, hidden, self.stream, 0, self.count, how)

    def _deal(self) -> Outcomes | None:
        """Note what each hand that was dealt changed; return the outcomes before the deal.

        None if the hands as dealt are not all written.
        """
        table, written, rules = self.watch.start, self.watch.written, self.rules
        lines = {line.seat: line for line in written.hands}
        if table is None or table.dealer < 0 or {*lines} != {*rules.seats}:
            return None
        up = written.up.cards if written.up else ()
        cards = [*up, *(card for line in lines.values() for card in line.cards)]
        if any(not EXACT[card] for card in cards) or bool(up) != rules.up_turned:
            return None
        hands: list[tuple[int, ...] | None] = [None] * rules.players
        pulled = [lines[seat].replacements for seat in rules.seats]
        totals = list(table.totals)

        def outs() -> Outcomes:
            known = None if hands.count(None) == rules.players else up
            return deal_outs(
                rules, self.figures, table.dealer, totals, hands, pulled, known, self.stream,
                self.count,
            )  # fmt: skip

        start = before = outs()
        for at in range(rules.players):
            seat = (table.dealer + 1 + at) % rules.players
            hands[seat] = lines[rules.seats[seat]].cards
            after = self._outs(table, NEXT) if None not in hands else outs()
            add_change(self.luck[seat], before, after)
            before = after
        self.points.append(before)
        return start

    def _turn(self, scene: _Scene) -> None:
        """Note what a turn changed by its cards and by its plays."""
        seat, before, after = scene.after.seat, self.points[-1], scene.after
        luck, play = self.luck[seat], self.play[seat]
        last = self._outs(after, NEXT)
        if isinstance(scene.row.begin(), Draw):
            if take_pile(copy_to_try(scene.before), self.figures) is not None:
                drawn = self._outs(scene.before, DRAW)
                add_change(play, before, drawn)
                before = drawn
            if scene.steps:
                held = self._held(scene, last)
                add_change(luck, before, held)
                before = held
        if isinstance(scene.row.actions[-1], TakeTalon):
            untaken = self._outs(scene.steps[-1], TALON)
            add_change(play, before, untaken)
            add_change(luck, untaken, last)
        elif scene.steps or not isinstance(scene.row.begin(), Draw):
            add_change(play, before, last)
        else:
            add_change(luck, before, last)
        self.points.append(last)

    def _held(self, scene: _Scene, last: Outcomes) -> Outcomes:
        """Return the outcomes after the draw; the last ones if `careful` plays the same."""
        careful = Candidate((), play_on(copy_to_try(scene.steps[0]), self.figures), NEXT)
        if careful.key == Candidate((), scene.after, NEXT).key:
            return last
        return self._outs(scene.steps[0], REST)

    def _side(self, at: int, name: str, start: Outcomes, result: Outcomes) -> SideValues:
        scale = len(self.rules.sides) - 1

        def mean(values: Any) -> tuple[float, float]:
            return _mean(*moments(values, scale + 1, at), scale)

        def whole(parts: list[Any]) -> tuple[float, float]:
            summed = zeros(len(parts[0]))
            for part in parts:
                for place, value in enumerate(part):
                    summed[place] += value
            return mean(summed)

        seats = {}
        for place, seat in enumerate(self.rules.seats):
            luck, play = mean(self.luck[place]), mean(self.play[place])
            keys = ("luck", "luck_error", "play", "play_error")
            seats[seat] = {
                key: round(value, 1) for key, value in zip(keys, (*luck, *play), strict=True)
            }
        curve = [mean(each.margins) for each in self.points]
        changes = [self._change(at, turn - 1, turn) for turn in range(1, len(curve))]
        swings = [self._change(at, max(0, turn - 2), turn) for turn in range(1, len(curve))]
        luck, play = whole(self.luck), whole(self.play)
        return SideValues(
            round(mean(result.margins)[0], 1),
            *_rounded(mean(start.margins)),
            *_rounded(luck),
            *_rounded(play),
            seats,
            tuple(round(value, 1) for value, _ in curve),
            tuple(round(error, 1) for _, error in curve),
            *zip(*(each[:3] for each in changes), strict=True),
            *zip(*(each[:3] for each in swings), strict=True),
        )

    def _change(self, side: int, one: int, other: int) -> tuple[float, float, bool, float]:
        """Return by how much the value changed between two positions, the error, whether that
        stands, and the change in the half of the samples that chooses.
        """
        sides = len(self.rules.sides)
        change = zeros(sides * self.count)
        add_change(change, self.points[one], self.points[other])
        whole, first, second = (
            _mean(*moments(change, sides, side, half), sides - 1) for half in (-1, 0, 1)
        )
        same = first[0] * second[0] > 0 and self.count >= 4
        stands = same and abs(second[0]) > _limit(self.count // 2) * second[1]
        return *_rounded(whole), stands, first[0]

    def turning_point(self) -> int | None:
        """Return the turn with the largest change in one half of the samples, None if it does not
        stand in the other.
        """
        sides = range(len(self.rules.sides))
        found = [
            max((self._change(side, turn - 1, turn) for side in sides), key=lambda it: abs(it[3]))
            for turn in range(1, len(self.points) if self.whole else 1)
        ]
        if not found:
            return None
        best = max(range(len(found)), key=lambda at: abs(found[at][3]))
        return best + 1 if found[best][2] else None


def _rounded(figures: tuple[float, float]) -> tuple[float, float]:
    return round(figures[0], 1), round(figures[1], 1)
