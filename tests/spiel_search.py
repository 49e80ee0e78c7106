"""Information-set Monte Carlo tree search of OpenSpiel plays Canasta against the player `greedy`.

`python -m tests.spiel_search [--deals COUNT] [--simulations COUNT] [--rules NAME]` plays deals (10
by default) and prints the points by which the search leads, with their standard error. It plays the
first seat and the third... in every other deal, else the other seats.
"""

from __future__ import annotations

import argparse
from statistics import mean, stdev
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import canasta_notation.openspiel  # registers the game
from canasta_notation import rl
from canasta_notation.learning.environment import POINTS
from canasta_notation.learning.leads import leads

assert canasta_notation.openspiel
_WEIGHT = 2.0
_MOST_STEPS = 60


class TablePoints(mcts.Evaluator):
    """Values a state by the points on the table after a few random actions."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.RandomState(seed)

    def evaluate(self, state: Any) -> list[float]:
        """Return the lead of each player, in hundreds of points."""
        played = state.clone()
        for _ in range(_MOST_STEPS):
            if played.is_terminal():
                return list(played.returns())
            played.apply_action(int(self._random.choice(played.legal_actions())))
        if played.is_terminal():
            return list(played.returns())
        ahead = leads(played.env.game.points())
        seats = played.env.possible_agents
        return [next(ahead[side] / POINTS for side in ahead if seat in side) for seat in seats]

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """Return equal odds for all legal actions."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def lead(rules: str, seed: int, simulations: int) -> float:
    """Return by how many points the search leads in a deal."""
    game = pyspiel.load_game("python_canasta", {"rules": rules, "deals": 1})
    state = game.new_initial_state()
    for byte in seed.to_bytes(8, "big"):
        state.apply_action(byte)
    bot = ismcts.ISMCTSBot(
        game=game, evaluator=TablePoints(seed), uct_c=_WEIGHT, max_simulations=simulations,
        random_state=np.random.RandomState(seed),
    )  # fmt: skip
    acts = None
    while not state.is_terminal():
        player = state.current_player()
        if player % 2 == seed % 2:
            state.apply_action(bot.step(state))
            continue
        acts = acts or rl.agent("greedy", state.env, seed)
        state.apply_action(acts())
    return float(state.returns()[seed % 2]) * POINTS


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--simulations", type=int, default=30)
    parser.add_argument("--rules", default="classic-2p")
    chosen = parser.parse_args()
    found = []
    for number in range(chosen.deals):
        found.append(lead(chosen.rules, number, chosen.simulations))
        print(f"deal {number}: {found[-1]:.0f}", flush=True)
    print(f"mean {mean(found):.0f}, standard error {stdev(found) / len(found) ** 0.5:.0f}")
