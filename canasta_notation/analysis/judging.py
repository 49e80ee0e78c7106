"""Values of a deal and of a turn, by play-outs of what was played and what could have been."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from time import process_time
from typing import Final

from canasta_notation.analysis.asked import AskedPlay, AskedPlays
from canasta_notation.analysis.comparison import SECOND, Comparison, Tick
from canasta_notation.analysis.curve import Curve
from canasta_notation.analysis.decisions import PARTNER, Decision, draw_or_take, rest_of_turn
from canasta_notation.analysis.limits import limits_of
from canasta_notation.analysis.scenes import Scene, replayed, seen_by_seat
from canasta_notation.analysis.values import DealValues, Judged, Loss, SeatValues, SideValues
from canasta_notation.engine.actions import Ask
from canasta_notation.notation.document import Game
from canasta_notation.players.figures import CAREFUL, figures_of
from canasta_notation.players.hidden import stream_of
from canasta_notation.players.playouts import deal_outs
from canasta_notation.rules import Profile, load_profile

#: Changes whenever the same play-outs would give other figures.
EDITION: Final = 6
#: How many play-outs of half a deal a turn takes: for each play-out asked for, and in two stages.
_EACH_TURN: Final = 10
_TWO_STAGES: Final = 8_000
#: How many deals are played to measure the speed.
_TIMED: Final = 6


@dataclass(frozen=True, slots=True)
class DealToJudge:
    """A deal (from 1) of a game, which is game `number` of its file, and how it is judged.

    `rollouts` is the number of play-outs of each position and each candidate, an even number; None
    for two stages. `override` replaces the rules that the game names. Not checked: that the game
    has the deal, and that its rules can be read.
    """

    game: Game
    number: int
    deal: int
    rollouts: int | None
    seed: int = 0
    override: Profile | None = None

    @property
    def count(self) -> int:
        """The number of play-outs of each position, and the most of each candidate."""
        return SECOND if self.rollouts is None else self.rollouts


def deal_values(asked: DealToJudge, turn: int | None = None) -> DealValues:
    """Return the values of a deal.

    With `turn`, only the decisions of this turn are judged, and luck is not estimated.
    """
    return whole([deal_part(asked, turn=turn)])


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
    asked: DealToJudge,
    part: int = 0,
    parts: int = 1,
    *,
    turn: int | None = None,
    tick: Tick = None,
) -> DealPart:
    """Return one of the parts of what `deal_values` returns; `whole` puts them together.

    The last of several parts is luck and play; the others share the decisions. The game of the last
    call is not replayed again. `tick` is called before each set of play-outs.
    """
    watches, report, profile = replayed(asked.game, asked.number, asked.override)
    watch = watches[asked.deal - 1]
    last = part == parts - 1
    scenes = [
        scene
        for scene in watch.scenes
        if turn in (None, scene.turn)
        and (parts == 1 or (not last and scene.turn % (parts - 1) == part))
    ]
    decisions = _decisions(asked, scenes, profile, AskedPlays((), profile), tick)
    found = [comparison.judged(decision) for decision, comparison in decisions]
    stream = stream_of(asked.seed, asked.deal)
    figures, played = figures_of(CAREFUL, profile), report.deals[asked.deal - 1]
    curve = Curve(watch, played, figures, asked.count, stream, tick)
    sides = curve.sides() if turn is None and last else {}
    position = asked.count if sides else 0
    return _part_of(found, profile, sides, curve.turning_point(), position)


def _part_of(
    found: Sequence[tuple[Judged, Loss | None]],
    profile: Profile,
    sides: Mapping[str, SideValues],
    turning_point: int | None = None,
    position: int = 0,
) -> DealPart:
    """Return the part with the decisions that were found."""
    losses = tuple(loss for _, loss in found if loss is not None and loss.kind)
    judged = tuple(each for each, _ in found)
    return DealPart(profile.seats, judged, losses, sides, turning_point, position)


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


# --- one turn -------------------------------------------------------------------------------------

#: Why the decisions of a turn are not judged.
_BROKEN: Final = "the play has an error in this turn or before it"
_UNSEEN: Final = "the record does not show all cards that the player held"
_FORCED: Final = "there was no other play to compare"


@dataclass(frozen=True, slots=True)
class TurnValues:
    """The decisions of one turn. `refused` says why plays that a reader asked for are not compared.

    `unjudged` says why no decision is judged, "" if one is.
    """

    values: DealValues
    refused: tuple[str, ...]
    unjudged: str


def turn_values(asked: DealToJudge, turn: int, plays: Sequence[AskedPlay]) -> TurnValues:
    """Return the decisions of a turn, with plays that a reader asks about among the candidates.

    Each candidate has its reasons. Not checked: that the deal has the turn.
    """
    watches, _, profile = replayed(asked.game, asked.number, asked.override)
    asking = AskedPlays(plays, profile)
    scenes = [each for each in watches[asked.deal - 1].scenes if each.turn == turn]
    why = "" if scenes else _BROKEN
    if scenes and seen_by_seat(scenes[0]) is None:
        why = _UNSEEN
    if why:
        asking.refuse_all(plays, why)
    decisions = _decisions(asked, scenes, profile, asking)
    found = [comparison.judged(decision, why=True) for decision, comparison in decisions]
    if scenes and not why and not found:
        has_asked = any(isinstance(each, Ask) for each in scenes[0].row.actions)
        why = PARTNER if has_asked else _FORCED
    return TurnValues(whole([_part_of(found, profile, {})]), tuple(asking.refused), why)


# --- decisions ------------------------------------------------------------------------------------


def _decisions(
    asked: DealToJudge,
    scenes: Iterable[Scene],
    profile: Profile,
    asking: AskedPlays,
    tick: Tick = None,
) -> Iterator[tuple[Decision, Comparison]]:
    """Yield the decisions with a choice, of seats whose hands are known, played out."""
    figures, limits = figures_of(CAREFUL, profile), limits_of(profile)
    for scene in map(seen_by_seat, scenes):
        for kind in ("draw", "turn") if scene else ():
            assert scene is not None
            find = draw_or_take if kind == "draw" else rest_of_turn
            stream = stream_of(asked.seed, asked.deal, scene.turn, kind)
            decision = find(scene, figures, stream, asking)
            if decision is None or len(decision.samplers) < 2:
                continue
            side = scene.after.side
            comparison = Comparison(decision.samplers, side, limits, decision.asked, tick)
            comparison.run(asked.count, two_stages=asked.rollouts is None)
            yield decision, comparison


# --- time -----------------------------------------------------------------------------------------


def estimated_seconds(rules: str, turns: Sequence[int], rollouts: int | None) -> float:
    """Estimate how many seconds one process needs for the play-outs of deals.

    `turns` is the number of turns of each deal.
    """
    profile = load_profile(rules)
    figures = figures_of(CAREFUL, profile)
    seats, sides = len(profile.seats), len(profile.side_names)
    begun = process_time()
    unseen: list[tuple[int, ...] | None] = [None] * seats
    deal_outs(figures.rules, figures, 0, 1, [0] * sides, unseen, [()] * seats, None, 0, _TIMED)
    each = (process_time() - begun) / _TIMED
    return each / 2 * sum(turns) * (_TWO_STAGES if rollouts is None else _EACH_TURN * rollouts)
