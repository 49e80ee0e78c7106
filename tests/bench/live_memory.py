"""How much memory a live game takes, and how long an undo takes.

`python -m tests.bench.live_memory [PROFILE...]` plays a game of each profile with greedy players
(default: classic, samba) and one at random, and prints KiB after 60 actions, the same after every
seat has observed, and KiB after the game; then the milliseconds of CPU time of an undo of one
action (median, p99, maximum), while the last deal is undone to its beginning.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
import tracemalloc
from collections.abc import Callable
from random import Random

import canasta_notation as cn

#: How many actions a game has when it is measured first.
ACTIONS = 60


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*", default=["classic", "samba"])
    print(f"{'':26}{ACTIONS:>7} observed   game | undo: p50    p99    max")
    for rules in parser.parse_args().rules:
        for player in ("greedy", "listed"):
            print(f"{rules:18}{player:8}", *figures(rules, player))


def figures(rules: str, player: str) -> tuple[str, ...]:
    """Return the figures of a game: its memory in KiB, and its undo in milliseconds."""
    sizes: list[int] = []

    def begun() -> cn.LiveGame:
        game = cn.LiveGame(rules, seed=5)
        play(game, player, ACTIONS)
        return game

    def whole() -> cn.LiveGame:
        game = cn.LiveGame(rules, seed=5)
        deals = 0
        while not game.over and deals < 8:
            deals += 1
            play(game, player, 1 << 20)
        return game

    game = whole()  # what games share is loaded now
    for make in (begun, whole):
        sizes += measure(make)
    spent: list[float] = []
    while game.events:
        start = time.process_time()
        game.undo()
        spent.append((time.process_time() - start) * 1000)
    spent.sort()
    times = statistics.median(spent), spent[int(len(spent) * 0.99)], spent[-1]
    return *(f"{size:7}" for size in sizes[:3]), "|", *(f"{each:6.2f}" for each in times)


def play(game: cn.LiveGame, player: str, actions: int) -> None:
    """Play a deal up to a number of actions."""
    rng = Random(len(game.seats))
    game.deal()
    while game.due and len(game.events) < actions:
        if player == "listed":
            game.play(game.due, rng.choice([*game.legal(reasons=False).texts()]))
            continue
        for text in game.choose(player):
            game.play(game.due, text)


def measure(make: Callable[[], cn.LiveGame]) -> tuple[int, int]:
    """Return the KiB that a game takes, and those after every seat has observed."""
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    game = make()
    gc.collect()
    played = tracemalloc.get_traced_memory()[0]
    for seat in game.seats:
        game.observe(seat)
    gc.collect()
    observed = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (played - before) // 1024, (observed - before) // 1024


if __name__ == "__main__":
    main()
