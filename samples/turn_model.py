"""A language model at a table: the deal that it plays, what it reads next, and its reward.

The model writes the turns of the first seat, one text at a time, and reads the referee's finding
when a text is false. The other seats are a player of the package. `turn_taskset.py` gives these
functions to the library verifiers; another harness can call them in the same way.
"""

from __future__ import annotations

import math

from canasta_notation import turns

#: The rules, and the player of the other seats.
RULES, OPPONENT = "classic-2p", "greedy"
#: A lead of so many points gives a reward of about 0.73.
SCALE = 500


def begin(seed: int, rules: str = RULES, opponent: str = OPPONENT) -> turns.TurnEnv:
    """Return the environment of a deal in which the model is due."""
    env = turns.TurnEnv(rules)
    env.reset(seed)
    let_others_play(env, opponent)
    return env


def model_seat(env: turns.TurnEnv) -> str:
    """Return the seat that the model plays."""
    return env.game.seats[0]


def let_others_play(env: turns.TurnEnv, opponent: str = OPPONENT) -> None:
    """Play the other seats until the model is due or the game is over."""
    while env.due and env.due != model_seat(env):
        env.step(env.choose(opponent))


def reply(env: turns.TurnEnv, response: str, opponent: str = OPPONENT) -> str:
    """Play the turn in a response of the model, and return what the model reads next."""
    answer = env.step(turns.parse_response(response))
    let_others_play(env, opponent)
    if env.over:
        return str(answer)
    return f"{answer}\n\n{turns.generate_prompt(env.view(), rules=False)}"


def reward_of(env: turns.TurnEnv) -> float:
    """Return the reward, from 0 to 1: 0.5 if no side leads, 0 if the model has failed."""
    if env.failed:
        return 0.0
    return 1 / (1 + math.exp(-env.rewards[model_seat(env)] / SCALE))
