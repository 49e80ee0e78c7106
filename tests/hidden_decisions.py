"""Whether what is said of a decision depends on cards that its seat did not see.

`python -m tests.hidden_decisions [TURNS]` exchanges the hidden cards in so many turns of each
profile (100 by default), those that end the deal among them. It prints how many of them are judged
otherwise: if every hand is written, and if only that of the seat is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import canasta_notation as cn
from canasta_notation.analysis.values import DealValues, deal_values
from canasta_notation.players.seated import players_of
from canasta_notation.rules import load_profile, profile_names

#: How many play-outs judge a decision.
_ROLLOUTS = 20
#: Of the turns that do not end a deal, one in so many is judged.
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


def judged(record: str, turn: int) -> DealValues:
    """Return what is said of the last turn of a record."""
    [game] = cn.read(record)
    return deal_values(game, 1, 1, _ROLLOUTS, turn=turn)


def alone(record: str, seat: str) -> str:
    """Return a record without the hands of other seats, but with what the end shows."""
    record = re.sub(rf"^((?!{seat})[NESWABCD]): \S.*", r"\1: ...", record, flags=re.MULTILINE)
    record = re.sub(rf"^(\d+\. (?!{seat})\w) \+\S+", r"\1 +", record, flags=re.MULTILINE)
    return re.sub(r"^(stock|talon) .*\n", "", record, flags=re.MULTILINE)


def compare(name: str, turns: int, *, hidden: bool = False) -> tuple[int, int, int]:
    """Judge turns with other hidden cards; return how many, how many end the deal, how many differ.

    A third of them end the deal. With `hidden`, the records show only the hand of the seat.
    """
    compared = ends = differed = 0
    for seed in count(1):
        for pair in pairs(name, seed):
            if not pair.ends and 3 * (compared - ends) > 2 * turns:
                continue
            records = [alone(each, pair.seat) if hidden else each for each in pair.records]
            one, other = (judged(each, pair.turn) for each in records)
            compared, ends = compared + 1, ends + pair.ends
            differed += one != other
            if compared == turns:
                return compared, ends, differed
    raise AssertionError


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for profile in profile_names():
        for hidden in (False, True):
            found = compare(profile, wanted, hidden=hidden)
            shown = "only its hand written" if hidden else "every hand written"
            print(f"{profile}, {shown}: {found[0]} turns ({found[1]} end the deal), "
                  f"{found[2]} differ", flush=True)  # fmt: skip
