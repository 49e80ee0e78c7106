"""How many points a deal each baseline leads by, in turns as text, against the player `greedy`.

`python -m tests.turn_points [PROFILE...] [--deals COUNT] [--baselines NAME,NAME]` plays random
deals (100 by default) of the profiles (`classic` by default), and prints the mean lead and its
standard error. The first side has the baseline in every other deal.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import mean, stdev

from canasta_notation import turns

#: The baseline that knows no rule, by the name of its row.
TEXTS = "random texts"
BASELINES = (TEXTS, "random", "greedy", "careful")
AGAINST = "greedy"
TRIES = 1000


def lead(rules: str, baseline: str, seed: int) -> float:
    """Return by how many points a baseline leads in a deal."""
    env = turns.TurnEnv(rules, tries=TRIES)
    write = turns.RandomTurns(seed)
    env.reset(seed)
    own = env.game.sides[seed % 2]
    choose: dict[bool, Callable[[], str]] = {
        True: (lambda: write(env.view())) if baseline == TEXTS else (lambda: env.choose(baseline)),
        False: lambda: env.choose(AGAINST),
    }
    while env.due:
        env.step(choose[env.due in own]())
    return env.rewards[own[0]]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("profiles", nargs="*", default=["classic"])
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--baselines", default=",".join(BASELINES))
    chosen = parser.parse_args()
    for profile in chosen.profiles:
        for name in chosen.baselines.split(","):
            found = [lead(profile, name, seed) for seed in range(chosen.deals)]
            error = stdev(found) / len(found) ** 0.5
            print(f"{profile}, {name}: {mean(found):.0f}, standard error {error:.0f}", flush=True)
