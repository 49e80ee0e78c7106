"""Canasta as a taskset of the library verifiers: a language model plays one seat against a player.

    pip install verifiers        # not needed by canasta-notation
    vf-eval turn_taskset         # with this file on the path

Each task is a deal by its seed. The model writes the turns of the first seat, one text at a time,
and reads the finding of the referee when a text is false. The other seats are a player of the
package. The reward grows with the points by which the model's side leads at the end.
"""

from __future__ import annotations

import math
from typing import Any

from canasta_notation import turns

#: The deals, the rules and the player of the other seats.
DEALS, RULES, OPPONENT = 100, "classic-2p", "greedy"
#: A lead of so many points gives a reward of about 0.73.
SCALE = 500


def begin(seed: int, rules: str = RULES, opponent: str = OPPONENT) -> turns.TurnEnv:
    """Return the environment of a deal in which the model's seat is due."""
    env = turns.TurnEnv(rules)
    env.reset(seed)
    let_others_play(env, opponent)
    return env


def model_seat(env: turns.TurnEnv) -> str:
    """Return the seat that the model plays."""
    return env.game.seats[0]


def let_others_play(env: turns.TurnEnv, opponent: str = OPPONENT) -> list[str]:
    """Play the other seats until the model is due again; return what each of them did."""
    done = []
    while env.due and env.due != model_seat(env):
        answer = env.step(env.choose(opponent))
        done.append(f"{answer.seat} is done")
    return done


def reply(env: turns.TurnEnv, response: str, opponent: str = OPPONENT) -> str:
    """Play the turn in a response of the model, and return what it reads next."""
    answer = env.step(turns.parse_response(response))
    let_others_play(env, opponent)
    if not env.due:
        return f"{answer}\nThe deal is over."
    return f"{answer}\n\n{turns.generate_prompt(env.view(), rules=False)}"


def reward_of(env: turns.TurnEnv) -> float:
    """Return the reward of the model, from 0 to 1: 0.5 if no side leads, 0 for a failed seat."""
    if env.failed:
        return 0.0
    return 1 / (1 + math.exp(-env.rewards[model_seat(env)] / SCALE))


def load_environment(
    deals: int = DEALS, rules: str = RULES, opponent: str = OPPONENT, **arguments: Any
) -> Any:
    """Return the environment for verifiers, which asks for this function by its name."""
    import verifiers as vf
    from datasets import Dataset

    class TurnTaskset(vf.MultiTurnEnv):  # type: ignore[misc]
        """The loop of a deal: a response of the model, and then what the table answers."""

        async def setup_state(self, state: Any, **options: Any) -> Any:
            """Deal the cards of the task."""
            state["env"] = begin(state["info"]["seed"], rules, opponent)
            return state

        @vf.stop  # type: ignore[untyped-decorator]
        async def deal_over(self, state: Any) -> bool:
            """Return whether the deal is over or the model has used up its tries."""
            return bool(state["env"].over)

        async def env_response(self, messages: Any, state: Any, **options: Any) -> Any:
            """Return what the table answers to the last response."""
            text = reply(state["env"], messages[-1]["content"], opponent)
            return [{"role": "user", "content": text}]

    async def lead(state: Any) -> float:
        return reward_of(state["env"])

    tasks = [
        {
            "prompt": [{"role": "user", "content": prompt_of(seed, rules, opponent)}],
            "info": {"seed": seed},
        }
        for seed in range(deals)
    ]
    return TurnTaskset(
        dataset=Dataset.from_list(tasks), rubric=vf.Rubric(funcs=[lead]), **arguments
    )


def prompt_of(seed: int, rules: str = RULES, opponent: str = OPPONENT) -> str:
    """Return the first prompt of a deal."""
    return turns.generate_prompt(begin(seed, rules, opponent).view())
