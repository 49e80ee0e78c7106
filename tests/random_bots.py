"""Random bots at a live table and in an environment: a play that is listed is never a dead end.

`python -m tests.random_bots [PROFILE...] [--deals COUNT]` plays random deals (200 by default) of
the profiles (all by default), one half as live games and one half in the environment, and prints
how many bots were stuck, how often the search was not complete, and the times of `legal()`.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass, field

import canasta_notation as cn


@dataclass
class Played:
    """What random bots met: the deals in which one was stuck, and each time of `legal()` in ms."""

    stuck: list[str] = field(default_factory=list)
    incomplete: int = 0
    times: list[float] = field(default_factory=list)


def play_live(name: str, seed: int, played: Played) -> None:
    """Play a deal as a live game with any text that is listed."""
    rng = random.Random(f"{name} {seed}")
    game = cn.LiveGame(name, seed=seed)
    game.deal()
    texts: list[str] = []
    while not game.deal_over:
        begun = time.process_time()
        legal = game.legal()
        played.times.append(1000 * (time.process_time() - begun))
        played.incomplete += not legal.complete
        if not legal.plays:
            played.stuck.append(f"{name} {seed}: nothing is listed after {' '.join(texts[-4:])}")
            return
        texts.append(rng.choice(legal.plays).text)
        try:
            game.play(game.due, texts[-1])
        except cn.PlayError as error:
            played.stuck.append(f"{name} {seed}: {texts[-1]} is listed and refused: {error}")
            return


def play_masked(name: str, seed: int, played: Played) -> None:
    """Play a deal in the environment with any action that the mask allows."""
    from canasta_notation.rl import CanastaEnv

    rng = random.Random(f"masked {name} {seed}")
    env = CanastaEnv(name)
    env.reset(seed=seed)
    while not all(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        if not mask.any():
            played.stuck.append(f"{name} {seed}: the mask allows nothing")
            return
        env.step(rng.choice([at for at, able in enumerate(mask) if able]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("profiles", nargs="*", default=cn.profile_names())
    parser.add_argument("--deals", type=int, default=200)
    chosen = parser.parse_args()
    for profile in chosen.profiles:
        found = Played()
        for seed in range(chosen.deals):
            (play_masked if seed % 2 else play_live)(profile, seed, found)
        ordered = sorted(found.times)
        p50, p99 = (ordered[len(ordered) * part // 100] for part in (50, 99))
        slow = f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, at most {ordered[-1]:.0f} ms"
        searched = f"{found.incomplete} of {len(ordered)} calls of legal() incomplete, {slow}"
        print(f"{profile}: {len(found.stuck)} stuck; {searched}", flush=True)
        for complaint in found.stuck:
            print(f"  {complaint}", flush=True)
