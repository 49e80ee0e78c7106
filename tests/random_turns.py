"""A program that plays turns at random from its own text, and knows what is legal only by asking.

`python -m tests.random_turns [PROFILE...] [--deals COUNT]` plays random deals (100 by default) of
the profiles (all by default), and prints how many were not played to their end, and how many texts
were refused.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field

import canasta_notation as cn
from canasta_notation import turns

#: How many texts may be refused in one decision.
TRIES = 1000


@dataclass
class Played:
    """What the program met: decisions, refusals, the most in one decision, and deals not ended."""

    decisions: int = 0
    refused: int = 0
    most: int = 0
    failed: list[str] = field(default_factory=list)


def play(name: str, seed: int, played: Played) -> turns.TurnEnv:
    """Play a deal and return its environment."""
    env = turns.TurnEnv(name, tries=TRIES)
    write = turns.RandomTurns(seed)
    decision = env.reset(seed)
    while env.due:
        decision = env.view()
        answer = env.step(write(decision))
        played.decisions += answer.false is None
        played.refused += answer.false is not None
        played.most = max(played.most, TRIES - decision.tries)
    if env.failed:
        found = "; ".join(dict.fromkeys(str(each) for each in decision.false))
        played.failed.append(f"{name} {seed}: {decision.table}: {found}")
    return env


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("profiles", nargs="*", default=cn.profile_names())
    parser.add_argument("--deals", type=int, default=100)
    chosen = parser.parse_args()
    for profile in chosen.profiles:
        found = Played()
        for number in range(chosen.deals):
            play(profile, number, found)
        share = found.refused / found.decisions
        print(
            f"{profile}: {len(found.failed)} of {chosen.deals} deals not ended; {share:.2f} texts "
            f"refused for each that was played, at most {found.most} in one decision",
            flush=True,
        )
        for complaint in found.failed:
            print(f"  {complaint}", flush=True)
