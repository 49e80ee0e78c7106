"""How long a live game takes for a play, a view, the legal plays and a load.

`python -m tests.bench.live [--games N]` prints the median and the worst time for random games of
every profile, in milliseconds of CPU time. A call that took long is repeated twice, and the
shortest time counts, because other work on the machine makes some calls slow.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from random import Random
from typing import TypeVar

import canasta_notation as cn

_T = TypeVar("_T")
PROFILES = (
    *("classic", "classic-strict", "bga", "davenport", "classic-2p", "american-2p"),
    *("american-4p", "classic-3p", "classic-6p", "hand-and-foot", "pennies"),
)
#: How many deals the game that is loaded has.
DEALS = 9
#: Milliseconds after which a call is repeated.
SLOW = 10


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2, help="Games of each profile.")
    games = parser.parse_args().games
    times: dict[str, list[float]] = defaultdict(list)

    def timed(what: str, call: Callable[[], _T]) -> _T:
        result, spent = measure(call)
        if what != "play" and spent > SLOW:
            spent = min(spent, *(measure(call)[1] for _ in range(2)))
        times[what].append(spent)
        return result

    for rules in PROFILES:
        for seed in range(games):
            play(rules, seed, timed)
    for what, spent in times.items():
        print(f"{what:16} {statistics.median(spent):8.2f} {max(spent):8.2f}  of {len(spent)}")


def measure(call: Callable[[], _T]) -> tuple[_T, float]:
    """Return the result of a call, and the milliseconds that it took."""
    start = time.process_time()
    result = call()
    return result, (time.process_time() - start) * 1000


def play(rules: str, seed: int, timed: Callable[[str, Callable[[], object]], object]) -> None:
    """Play a game of nine deals at random, each call timed; then load it."""
    rng = Random(f"{rules} {seed}")
    game = cn.LiveGame(f"{rules} target=1000000", seed=seed)
    for _ in range(DEALS):
        game.deal()
        while not game.deal_over:
            seat = game.due or ""
            plays = timed("legal", game.legal)
            assert isinstance(plays, cn.LegalPlays)
            text = rng.choice(list(plays.texts()))
            timed("observe", lambda seat=seat: game.observe(seat))
            timed("play", lambda seat=seat, text=text: game.play(seat, text))
    saved = game.dump()
    timed(f"load {DEALS} deals", lambda: cn.LiveGame.load(saved))


if __name__ == "__main__":
    main()
