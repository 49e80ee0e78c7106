"""The value of each position of a deal: what was luck and what was play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from canasta_notation.analysis.comparison import Tick, errors_needed, mean_of
from canasta_notation.analysis.scenes import Scene, Watch
from canasta_notation.analysis.values import SideValues
from canasta_notation.arrays import zeros
from canasta_notation.cards import EXACT
from canasta_notation.engine.actions import Draw
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.table import OPEN, Table
from canasta_notation.notation.document import HandLine
from canasta_notation.players.candidates import Candidate, copy_to_try
from canasta_notation.players.figures import Figures
from canasta_notation.players.hidden import hidden_stock
from canasta_notation.players.playouts import (
    DRAW,
    NEXT,
    PACKET,
    REST,
    Outcomes,
    add_change,
    deal_outs,
    moments,
    play_outs,
)
from canasta_notation.players.seat_turn import play_on, take_pile
from canasta_notation.replay.game_report import DealReport
from canasta_notation.rules import entry


class Curve:
    """The value of each position of a deal, with all hands as they were and the stock shuffled."""

    def __init__(
        self,
        watch: Watch,
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
        return {name: self._side(at, start, result) for at, name in enumerate(self.rules.sides)}

    def _is_whole(self) -> bool:
        """Return whether every card is known and the deal has ended; only scores may be false."""
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
        """Note how much each dealt hand changed the value; return the outcomes before the deal.

        Return None if the hands as dealt are not all written.
        """
        table, written, rules = self.watch.start, self.watch.written, self.rules
        lines = {line.seat: line for line in written.hands}
        up = written.up.cards if written.up else ()
        if table is None or table.dealer < 0 or not _is_whole(rules, lines, up):
            return None
        hands: list[tuple[int, ...] | None] = [None] * rules.players
        pulled = [lines[seat].replacements for seat in rules.seats]
        totals = list(table.totals)

        def outs() -> Outcomes:
            known = None if hands.count(None) == rules.players else up
            return deal_outs(
                rules, self.figures, table.dealer, table.number, totals, hands, pulled, known,
                self.stream, self.count,
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

    def _turn(self, scene: Scene) -> None:
        """Note how much the cards and the plays of a turn changed the value."""
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
        packet = scene.packet
        if packet is not None:
            untaken = self._outs(scene.steps[packet], PACKET)
            rest = scene.steps[packet + 1 :]
            taken = self._outs(rest[0], REST) if rest else last
            add_change(play, before, untaken)
            add_change(luck, untaken, taken)
            add_change(play, taken, last)
        elif scene.steps or not isinstance(scene.row.begin(), Draw):
            add_change(play, before, last)
        else:
            add_change(luck, before, last)
        self.points.append(last)

    def _held(self, scene: Scene, last: Outcomes) -> Outcomes:
        """Return the outcomes after the draw; the last ones if `careful` plays the same."""
        if scene.packet is not None:
            return self._outs(scene.steps[0], REST)
        careful = Candidate((), play_on(copy_to_try(scene.steps[0]), self.figures), NEXT)
        if careful.key == Candidate((), scene.after, NEXT).key:
            return last
        return self._outs(scene.steps[0], REST)

    def _side(self, at: int, start: Outcomes, result: Outcomes) -> SideValues:
        scale = len(self.rules.sides) - 1

        def mean(values: Any) -> tuple[float, float]:
            return mean_of(*moments(values, scale + 1, at), scale)

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
        luck, play = mean(_summed(self.luck)), mean(_summed(self.play))
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
        """Return the change of the value between two positions, and its error.

        Also return whether the change stands, and the change in the half of the samples that
        chooses.
        """
        sides = len(self.rules.sides)
        change = zeros(sides * self.count)
        add_change(change, self.points[one], self.points[other])
        whole, first, second = (
            mean_of(*moments(change, sides, side, half), sides - 1) for half in (-1, 0, 1)
        )
        same = first[0] * second[0] > 0 and self.count >= 4
        stands = same and abs(second[0]) > errors_needed(self.count // 2) * second[1]
        return *_rounded(whole), stands, first[0]

    def turning_point(self) -> int | None:
        """Return the turn with the largest change in one half of the samples.

        Return None if the other half does not confirm it.
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


def _summed(parts: list[Any]) -> Any:
    """Return the sums of the figures at each place of several arrays."""
    summed = zeros(len(parts[0]))
    for part in parts:
        for place, value in enumerate(part):
            summed[place] += value
    return summed


def _is_whole(rules: Rules, lines: Mapping[str, HandLine], up: tuple[int, ...]) -> bool:
    """Return whether each hand, and the up card if there must be one, are written with suits."""
    cards = [*up, *(card for line in lines.values() for card in line.cards)]
    whole = {*lines} == {*rules.seats} and bool(up) == rules.up_turned
    return whole and all(EXACT[card] for card in cards)


def _rounded(figures: tuple[float, float]) -> tuple[float, float]:
    return round(figures[0], 1), round(figures[1], 1)
