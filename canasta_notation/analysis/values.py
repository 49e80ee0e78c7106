"""What a deal's decisions cost, and how much of its result was luck: estimates by play-outs.

The value of a position for a side is the mean of what it will score in the deal less the mean of
what the others will, in points, if all seats go on as `careful`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import sqrt
from time import process_time
from typing import Any, Final

from canasta_notation.arrays import zeros
from canasta_notation.cards import EXACT
from canasta_notation.engine.actions import Draw, Take, TakeTalon
from canasta_notation.engine.scoring import ITEMS
from canasta_notation.engine.table import OPEN, OUT, YES, Table, copy_table
from canasta_notation.engine.turn import awaits_draw
from canasta_notation.notation.document import Deal, Game, Turn
from canasta_notation.notation.format import format_action
from canasta_notation.players.candidates import Candidate, candidates, copy_to_try
from canasta_notation.players.figures import CAREFUL, Figures, eager, figures_of
from canasta_notation.players.hidden import as_seen, hidden_from, hidden_stock, stream_of
from canasta_notation.players.playouts import (
    DRAW,
    NEXT,
    REST,
    TAKE,
    TALON,
    Outcomes,
    add_change,
    compared,
    deal_outs,
    moments,
    play_outs,
)
from canasta_notation.players.seat_turn import play_on, take_pile
from canasta_notation.quoting import quoted
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import DealReport
from canasta_notation.replay.header import read_header
from canasta_notation.rules import Profile, load_profile
from canasta_notation.search.able import able_to_take

#: From how many points a loss is a mistake, and a blunder.
MISTAKE: Final = 100
BLUNDER: Final = 250
#: A loss counts beyond this many standard errors.
ERRORS: Final = 3
#: The fewest and the most play-outs that can be asked for. Halves need even numbers.
FEWEST: Final = 20
LIMIT: Final = 1_000_000
#: The number of play-outs in two stages: of each candidate, then of those that lead, and at most.
FIRST: Final = 100
SECOND: Final = 1_000
MOST: Final = 4_000
#: After each so many play-outs of the second stage, candidates that are behind are left out.
_STEP: Final = 250
#: The most candidates of the second stage beside the one that was played, and how many standard
#: errors they may be behind the best.
_LEADING: Final = 3
_BEHIND: Final = 2

#: Changes whenever the same play-outs would give other figures.
EDITION: Final = 2
#: How many play-outs of half a deal a turn takes, for each that was asked for, and in two stages.
_EACH_TURN: Final = 10
_TWO_STAGES: Final = 8_000
#: How many deals are played to see how fast that is.
_TIMED: Final = 6


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
class Loss:
    """A mistake or a blunder: a decision that cost points, and why.

    `decision` is "draw", whether to draw or to take the pile, or "turn", the rest of the turn.
    `played` and `better` spell the two plays as a record does; of a draw and a take they are "+"
    and "^". `loss` and `error` are points: the mean and its standard error. `items` is by how much
    the play earned its side more than the better one, by item of the score, and `others` the same
    for the mean of the other sides. `risk` is the part of the play-outs in which the next seat took
    the pile at once, and `risk_better` is that of the better play. `pile` is how many cards the
    pile had after the discard, 0 without one.
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


@dataclass(frozen=True, slots=True)
class SeatValues:
    """What a seat's decisions cost, and what its cards and its plays changed.

    `decisions` are those with a choice, `loss` is the sum of what they cost. `luck` and `play` are
    changes of the value for its own side, None if not every hand is known. `undecided` are
    those of which the play-outs leave open whether they are mistakes.
    """

    decisions: int = 0
    loss: float = 0
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
    errors.
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


@dataclass(frozen=True, slots=True)
class DealValues:
    """The values of a deal. `sides` is empty if not every hand is known, or the deal has an error
    or no end. `turning_point` is the turn with the largest change, None without a curve.
    """

    seats: Mapping[str, SeatValues]
    sides: Mapping[str, SideValues]
    losses: tuple[Loss, ...]
    turning_point: int | None

    def to_json(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return asdict(self)

    @staticmethod
    def from_json(kept: dict[str, Any]) -> DealValues:
        """Return the values from what `to_json` returned."""
        sides = {}
        for name, side in kept["sides"].items():
            curves = {key: tuple(side[key]) for key in ("curve", "curve_error")}
            sides[name] = SideValues(**{**side, **curves})
        return DealValues(
            {name: SeatValues(**seat) for name, seat in kept["seats"].items()},
            sides,
            tuple(Loss(**loss) for loss in kept["losses"]),
            kept["turning_point"],
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


class _Watch:
    """The observer of a replay that keeps the turns of a deal up to the first error in its play."""

    def __init__(self, written: Deal, at: int) -> None:
        self.written = written
        self.at = at
        self.start: Table | None = None
        self.scenes: list[_Scene] = []
        self.sound = True
        self._steps: list[Table] = []

    def observe(self, at: int, play: Table, line: int, action: int) -> None:
        """Keep the table; see `replay.deal_state.Observer`."""
        if at != self.at:
            return
        row = self.written.play[line] if line >= 0 else None
        self.sound = self.sound and not play.violations
        if line < 0:
            self._before = self.start = copy_table(play)
        elif not isinstance(row, Turn) or (awaits_draw(play) and action < len(row.actions) - 1):
            self._before = copy_table(play)
        elif action < len(row.actions) - 1:
            self._steps.append(copy_table(play))
        else:
            after = copy_table(play)
            if self.sound:
                self.scenes.append(_Scene(play.turn, row, self._before, self._steps, after))
            self._before, self._steps = after, []


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
    written = game.deals[deal - 1]
    watch = _Watch(written, deal - 1)
    report = replay_game(game, number, rules=override, observer=watch.observe)
    profile = read_header(game, number, override).profile
    assert profile is not None
    figures = figures_of(CAREFUL, profile)
    if turn is not None:
        watch.scenes = [scene for scene in watch.scenes if scene.turn == turn]
    count = SECOND if rollouts is None else rollouts
    seats = dict.fromkeys(profile.seats, SeatValues())
    losses = []
    for judged in _decisions(watch, figures, count, seed, deal, two_stages=rollouts is None):
        seat = seats[judged.seat]
        seats[judged.seat] = replace(
            seat,
            decisions=seat.decisions + 1,
            loss=round(seat.loss + (judged.found.loss if judged.found else 0), 1),
            mistakes=seat.mistakes + (judged.found is not None and judged.found.kind == "mistake"),
            blunders=seat.blunders + (judged.found is not None and judged.found.kind == "blunder"),
            undecided=seat.undecided + judged.undecided,
        )
        if judged.found is not None and judged.found.kind:
            losses.append(judged.found)
    sides = _Curve(watch, report.deals[deal - 1], figures, count, stream_of(seed, deal)).sides()
    for name, side in sides.items():
        for each in name:
            own = side.seats[each]
            seats[each] = replace(
                seats[each],
                luck=own["luck"],
                luck_error=own["luck_error"],
                play=own["play"],
                play_error=own["play_error"],
            )
    return DealValues(seats, sides, tuple(losses), _turning_point(sides))


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


def _turning_point(sides: Mapping[str, SideValues]) -> int | None:
    changes = [
        max(abs(side.curve[turn] - side.curve[turn - 1]) for side in sides.values())
        for turn in range(1, len(next(iter(sides.values())).curve) if sides else 1)
    ]
    return 1 + changes.index(max(changes)) if changes else None


# --- decisions ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Judged:
    seat: str
    found: Loss | None
    undecided: bool


#: Plays `count` samples of a candidate, from the one with the number `first` on.
_Sampler = Callable[[int, int], Outcomes]


def _decisions(
    watch: _Watch, figures: Figures, count: int, seed: int, deal: int, *, two_stages: bool
) -> Iterator[_Judged]:
    """Yield the decisions with a choice, of seats whose hands are known."""
    for scene in map(_as_seen, watch.scenes):
        for decision in ("draw", "turn") if scene else ():
            assert scene is not None
            choice = _draw_or_take if decision == "draw" else _rest
            samplers, texts, piles = choice(
                scene, figures, stream_of(seed, deal, scene.turn, decision)
            )
            if len(samplers) < 2:
                continue
            comparison = _Comparison(samplers, scene.after.side)
            comparison.run(count, two_stages=two_stages)
            yield comparison.judged(scene, decision, texts, piles)


def _as_seen(scene: _Scene) -> _Scene | None:
    """Return a turn as its seat could see it, if its own hand is known at least; else None."""
    seat = scene.after.seat
    tables = [scene.before, *scene.steps, scene.after]
    if all(table.knowledge is None for table in tables):
        return scene
    seen = [as_seen(table, seat) for table in tables]
    before, *steps, after = [each for each in seen if each] if all(seen) else (None, None)
    if before is None or after is None:
        return None
    return replace(scene, before=before, steps=[each for each in steps if each], after=after)


def _sampler(table: Table, figures: Figures, seat: int, stream: int, how: int) -> _Sampler:
    """Return the play-outs of a table with the cards hidden that a seat does not see."""
    hidden = hidden_from(table, seat)

    def sample(first: int, count: int) -> Outcomes:
        return play_outs(table, figures, hidden, stream, first, count, how)

    return sample


def _draw_or_take(
    scene: _Scene, figures: Figures, stream: int
) -> tuple[list[_Sampler], list[str], list[int]]:
    """Return the two ways to begin the turn, the one that was played first; nothing without two."""
    before, seat = scene.before, scene.after.seat
    if before.stock_most == 0 or before.due != seat or able_to_take(before, seat) != YES:
        return [], [], []
    if take_pile(copy_to_try(before), eager(figures)) is None:
        return [], [], []
    ways = [(DRAW, "+"), (TAKE, "^")]
    if isinstance(scene.row.begin(), Take):
        ways.reverse()
    samplers = [_sampler(before, figures, seat, stream, how) for how, _ in ways]
    return samplers, [text for _, text in ways], [before.pile_size] * 2


def _rest(
    scene: _Scene, figures: Figures, stream: int
) -> tuple[list[_Sampler], list[str], list[int]]:
    """Return the ways to play the rest of the turn, the one that was played first."""
    at = next((at for at, step in enumerate(scene.steps) if not step.waiting), None)
    if at is None or scene.steps[at].ended != OPEN or scene.steps[at].violations:
        return [], [], []
    base = scene.steps[at]
    found = candidates(base, figures, scene.row.actions[at + 1 :])
    samplers = [_sampler(each.table, figures, base.seat, stream, each.how) for each in found]
    texts = [
        " ".join([*map(format_action, each.actions), *["#"] * (each.table.ended == OUT)])
        for each in found
    ]
    piles = [each.table.pile_size if each.table.discarded >= 0 else 0 for each in found]
    return samplers, texts, piles


class _Comparison:
    """Candidates of a decision, played out on the same samples; the first is what was played.

    The best is chosen on the samples with even numbers and judged on the others.
    """

    def __init__(self, samplers: list[_Sampler], side: int) -> None:
        self.samplers = samplers
        self.side = side
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
        return any(abs(loss - each) < limit for each in (MISTAKE, BLUNDER))

    def _play(self, count: int) -> None:
        count = min(count, MOST - self.done) if self.done else count
        for at in self.left:
            self.outcomes[at].append(self.samplers[at](self.done, count))
        self.done += count

    def _keep_leading(self, half: int, most: int) -> None:
        """Keep what was played, and up to `most` candidates that are not clearly behind the best.

        They are compared in one half of the samples, or in both (-1).
        """
        best = max(self.left, key=lambda at: self._difference(at, 0, half)[0])
        near = []
        for at in self.left:
            behind, error = self._difference(best, at, half)
            if behind <= _BEHIND * error:
                near.append((behind, at))
        self.left = sorted({0, *(at for _, at in sorted(near)[:most])})

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

    def judged(
        self, scene: _Scene, decision: str, texts: Sequence[str], piles: Sequence[int]
    ) -> _Judged:
        """Return the judgement of the decision."""
        seat = scene.row.seat
        loss, error, best = self._loss()
        limit = _limit(self.done // 2) * error
        # One sample has no error, so it calls nothing.
        if best == 0 or self.done < 4 or loss <= limit:
            return _Judged(seat, None, undecided=best != 0 and loss + limit > MISTAKE)
        kind = "blunder" if loss >= BLUNDER else "mistake" if loss >= MISTAKE else ""
        own, others = self._items(best)
        found = Loss(
            scene.turn, seat, kind, decision, texts[0], texts[best], round(loss, 1),
            round(error, 1), own, others, self._risk(0), self._risk(best), piles[0],
        )  # fmt: skip
        return _Judged(seat, found, undecided=not kind and loss + limit > MISTAKE)

    def _items(self, best: int) -> tuple[dict[str, float], dict[str, float]]:
        """Return by how much the played candidate earned more than the best, by item: for its side
        and for the mean of the others.
        """
        own, others = dict[str, float](), dict[str, float]()
        sides = self.outcomes[0][0].sides
        samples = int(sum(each.count // 2 for each in self.outcomes[best]))
        for item, name in enumerate(ITEMS):
            sums = [0] * sides
            for one, other in zip(self.outcomes[0], self.outcomes[best], strict=False):
                for side in range(sides):
                    at = (sides + side) * len(ITEMS) + item
                    sums[side] += one.items[at] - other.items[at]
            mean = sums[self.side] / samples
            rest = (sum(sums) - sums[self.side]) / (sides - 1) / samples
            own |= {name: round(mean, 1)} if round(mean, 1) else {}
            others |= {name: round(rest, 1)} if round(rest, 1) else {}
        return own, others

    def _risk(self, at: int) -> float:
        """Return the part of the samples in which the next seat took the pile at once."""
        samples = int(sum(each.count // 2 for each in self.outcomes[at]))
        return round(int(sum(each.takes[1] for each in self.outcomes[at])) / samples, 3)


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
        self, watch: _Watch, report: DealReport, figures: Figures, count: int, stream: int
    ) -> None:
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

    def sides(self) -> dict[str, SideValues]:
        """Return the values by side; nothing if they cannot be given."""
        if not self._is_whole():
            return {}
        start = self._deal()
        if start is None:
            return {}
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
        """Return whether every card is known, and the deal has an end and no error."""
        watch, report = self.watch, self.report
        tables = [each.after for each in watch.scenes]
        return (
            bool(watch.scenes)
            and watch.sound
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
            total, squares = moments(values, scale + 1, at)
            return _mean(self.count, total, squares, scale)

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
        luck, play = whole(self.luck), whole(self.play)
        return SideValues(
            round(mean(result.margins)[0], 1),
            *_rounded(mean(start.margins)),
            *_rounded(luck),
            *_rounded(play),
            seats,
            tuple(round(value, 1) for value, _ in curve),
            tuple(round(error, 1) for _, error in curve),
        )


def _rounded(figures: tuple[float, float]) -> tuple[float, float]:
    return round(figures[0], 1), round(figures[1], 1)
