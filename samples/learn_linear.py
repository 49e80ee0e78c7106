"""A short example of learning: a linear policy that learns to beat the player `random`.

    pip install -e ".[rl]"
    python samples/learn_linear.py      # learns from 8,000 deals, then plays 1,000 new ones

It plays the rules for two. The policy has a weight for each action, and for each kind of action
(lay, discard...) weights for what it sees: how many cards of the rank the hand, the melds and the
pile have, and a few more numbers. It learns by the policy gradient (REINFORCE) from the reward of
each turn: the points that the turn brought to the table, minus what the other player brings. The
same seed gives the same weights.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from canasta_notation import rl

RULES = "classic-2p"
#: The share of a later reward that counts for a decision, for each decision in between.
FADE = 0.98
#: How many deals one gradient uses, and how far it moves the weights.
BATCH, STEP = 16, 0.03
#: How far seeds are apart, so that no deal is played twice.
FAR = 1_000_003

Numbers = NDArray[np.float64]


@dataclass
class Decision:
    """The legal actions, the numbers of each, their odds, the choice, and its reward."""

    legal: NDArray[np.intp]
    seen: Numbers
    odds: Numbers
    chosen: int
    reward: float = 0.0


class Policy:
    """Chooses a legal action with odds that grow with a weighted sum of what it sees."""

    def __init__(self, env: rl.CanastaEnv) -> None:
        names = env.legend()
        place = {name: at for at, name in enumerate(names["observation"])}
        kinds = sorted({name.split()[0] for name in names["actions"]})
        self.kind = np.array([kinds.index(name.split()[0]) for name in names["actions"]])
        about = [about_rank(name.split()[-1]) for name in names["actions"]]
        #: The indices of the numbers of each action; the last one is a zero.
        self.seen = np.array([[place.get(name, len(place)) for name in row] for row in about])
        self.scale = np.array([4, 4, 4, 4, 20, 1, 12, 4, 2], float)
        self.of_action = np.zeros(len(names["actions"]))
        self.of_kind = np.zeros((len(kinds), len(self.scale)))

    def decide(self, observation: rl.Observation, rng: np.random.Generator) -> Decision:
        """Choose an action."""
        legal = np.flatnonzero(observation["action_mask"])
        numbers = np.append(observation["observation"], 0.0)
        seen = numbers[self.seen[legal]] / self.scale
        sums = self.of_action[legal] + (seen * self.of_kind[self.kind[legal]]).sum(1)
        odds = np.exp(sums - sums.max())
        odds /= odds.sum()
        return Decision(legal, seen, odds, int(rng.choice(len(legal), p=odds)))

    def add_gradient(self, to: list[Numbers], made: Decision, worth: float) -> None:
        """Add the change of the weights that makes a decision of this worth more likely."""
        pull = -made.odds
        pull[made.chosen] += 1
        to[0][made.legal] += pull * worth
        np.add.at(to[1], self.kind[made.legal], pull[:, None] * made.seen * worth)


def about_rank(rank: str) -> list[str]:
    """Return the names of the numbers for an action with a card of this rank."""
    card = "3b" if rank == "3" else rank
    own = [f"own hand: {card}", f"own meld {rank}: naturals"]
    others = [f"next meld {rank}: naturals", f"pile: {card}"]
    always = ["pile: all", "own opened?", "own hand: all", "group: naturals", "group: twos"]
    return [*own, *others, *always]


def play(
    env: rl.CanastaEnv, policy: Policy, seed: int, rng: np.random.Generator
) -> tuple[list[Decision], float]:
    """Play a deal against `random`; return the policy's decisions and the sum of its rewards."""
    env.reset(seed=seed, options={"dealer": env.possible_agents[seed % 2]})
    own = env.possible_agents[0]
    other = rl.agent("random", env, seed)
    made: list[Decision] = []
    total = 0.0
    while not all(env.terminations.values()):
        if env.agent_selection == own:
            made.append(policy.decide(env.observe(own), rng))
            env.step(int(made[-1].legal[made[-1].chosen]))
        else:
            env.step(other())
        total += env.rewards[own]
        if made:
            made[-1].reward += env.rewards[own]
    return made, total


def train(deals: int, seed: int = 0) -> Policy:
    """Return a policy that has learned from some deals."""
    env = rl.CanastaEnv(RULES, turn_rewards=True)
    policy, rng = Policy(env), np.random.default_rng(seed)
    weights: list[Any] = [policy.of_action, policy.of_kind]
    mean, square = ([np.zeros_like(each) for each in weights] for _ in range(2))
    usual, spread = 0.0, 1.0
    for batch in range(1, deals // BATCH + 1):
        grown = [np.zeros_like(each) for each in weights]
        for at in range(BATCH):
            made, _ = play(env, policy, seed * FAR + (batch - 1) * BATCH + at, rng)
            worth = 0.0
            for decision in reversed(made):
                worth = decision.reward + FADE * worth
                usual += 0.001 * (worth - usual)
                spread += 0.001 * (abs(worth - usual) - spread)
                policy.add_gradient(grown, decision, (worth - usual) / spread)
        for place, each in enumerate(weights):  # the steps of Adam
            mean[place] += 0.1 * (grown[place] - mean[place])
            square[place] += 0.01 * (grown[place] ** 2 - square[place])
            size = np.sqrt(square[place] / (1 - 0.99**batch)) + 1e-9
            each += STEP * mean[place] / (1 - 0.9**batch) / size
    return policy


def measure(policy: Policy, deals: int, seed: int = 1) -> tuple[float, float]:
    """Return the mean lead in points in new deals, and half of its 95 % interval."""
    env, rng = rl.CanastaEnv(RULES), np.random.default_rng(seed)
    first = 10**9 + seed * deals
    leads = [play(env, policy, first + at, rng)[1] * rl.POINTS for at in range(deals)]
    return float(np.mean(leads)), 1.96 * float(np.std(leads, ddof=1)) / math.sqrt(deals)


def main() -> None:
    """Learn, play and print."""
    parser = argparse.ArgumentParser(description="A linear policy learns to beat `random`.")
    parser.add_argument("--deals", type=int, default=8000, help="deals to learn from")
    parser.add_argument("--fresh", type=int, default=1000, help="deals to measure with")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    begun = time.process_time()
    policy = train(options.deals, options.seed)
    print(f"{options.deals} deals learned in {time.process_time() - begun:.0f} s of CPU time")
    mean, half = measure(policy, options.fresh)
    interval = f"95 % interval {mean - half:+.0f} to {mean + half:+.0f}"
    print(f"{options.fresh} fresh deals against random: {mean:+.0f} points a deal ({interval})")


if __name__ == "__main__":
    main()
