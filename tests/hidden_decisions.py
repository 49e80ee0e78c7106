"""Whether the judgement of a decision depends on cards that its seat did not see.

`python -m tests.hidden_decisions [TURNS]` exchanges the hidden cards in this many turns of each
profile (100 by default), including turns that end the deal, and also writes each record as the seat
could. It prints how many of the turns are judged differently.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import canasta_notation as cn
from canasta_notation.analysis.judging import DealToJudge, deal_values
from canasta_notation.analysis.values import Judged
from canasta_notation.players.seated import players_of
from canasta_notation.replay.steps import walk
from canasta_notation.report.seat_view import _as_seen, _seat_record
from canasta_notation.rules import load_profile, profile_names

#: How many play-outs judge a decision.
_ROLLOUTS = 20
#: One in this many of the turns that do not end a deal is judged.
_STEP = 6


@dataclass(frozen=True, slots=True)
class Pair:
    """Two records that end with a turn, and differ only in cards that its seat cannot see."""

    turn: int
    seat: str
    ends: bool
    records: tuple[str, str]


def pairs(name: str, seed: int) -> Iterator[Pair]:
    """Play a deal, and yield its turns."""
    game = cn.LiveGame(name, seed=seed)
    game.deal()
    names = {seat: ("careful", "greedy")[at % 2] for at, seat in enumerate(game.seats)}
    seated = dict(zip(game.seats, players_of(names, load_profile(name)), strict=True))
    for turn in count(1):
        seat = game.due
        if not seat:
            return
        game.play(seat, game.choose(seated[seat])[0])
        rest = game.choose(seated[seat]) if game.due == seat else []
        other = game.resample(seat, turn) if rest else game
        for text in rest:
            game.play(seat, text)
            other.play(seat, text)
        if rest and (game.deal_over or turn % _STEP == seed % _STEP):
            yield Pair(turn, seat, game.deal_over, (game.to_record(), other.to_record()))


def judged(game: cn.Game, turn: int) -> tuple[Judged, ...]:
    """Return the judgement of a turn, with all plays that were compared."""
    return deal_values(DealToJudge(game, 1, 1, _ROLLOUTS), turn=turn).judged


def alone(game: cn.Game, seat: str) -> cn.Game:
    """Return a game as a seat could write it down."""
    steps, _ = walk(game)
    seats = load_profile(game.tag("Rules").value).seats
    seen = _seat_record(game, seat, steps, _as_seen(game, steps, seat, seats), tabled=True)
    return next(iter(cn.read(cn.format_game(seen))))


def compare(name: str, turns: int) -> tuple[int, int, int]:
    """Judge turns with other hidden cards; return how many, how many end the deal, how many differ.

    A quarter of them end the deal.
    """
    compared = ends = differed = 0
    for seed in count(1):
        for pair in pairs(name, seed):
            if not pair.ends and 4 * (compared - ends) >= 3 * turns:
                continue
            games = [game for record in pair.records for game in cn.read(record)]
            found = {judged(game, pair.turn) for game in (*games, alone(games[0], pair.seat))}
            compared, ends = compared + 1, ends + pair.ends
            differed += len(found) > 1
            if compared == turns:
                return compared, ends, differed
    raise AssertionError


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for profile in profile_names():
        found = compare(profile, wanted)
        print(
            f"{profile}: {found[0]} turns ({found[1]} end the deal), {found[2]} differ", flush=True
        )
