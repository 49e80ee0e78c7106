# pyright: basic, reportMissingImports=false
"""Canasta as a taskset of the library verifiers (version 0.4), which this package does not need.

Put this file and `turn_model.py` on the path of Python, beside `pip install verifiers`. Each task
is a deal by its seed, and its reward is that of `turn_model.py`.
"""

from collections.abc import Iterator
from itertools import count

import turn_model
import verifiers.v1 as vf

from canasta_notation import turns


class TurnData(vf.TaskData):
    """A deal: its seed decides every card."""

    seed: int
    rules: str


class TurnTask(vf.Task[TurnData, vf.State, vf.TaskConfig]):
    """The task to play a deal; the environment scores it."""


class TurnConfig(vf.TasksetConfig):
    """What a user can set."""

    rules: str = turn_model.RULES


class TurnTaskset(vf.Taskset[TurnTask, TurnConfig]):
    """The deals of the seeds 0, 1, 2..."""

    INFINITE = True

    def load(self) -> Iterator[TurnTask]:
        """Yield the tasks, each with the first prompt of its deal."""
        for seed in count():
            prompt = turns.generate_prompt(turn_model.begin(seed, self.config.rules).view())
            data = TurnData(name=f"deal {seed}", prompt=prompt, seed=seed, rules=self.config.rules)
            yield TurnTask(data, self.config.task)


class TurnTableConfig(vf.EnvConfig):
    """The model, and the player of the other seats."""

    player: vf.AgentConfig = vf.AgentConfig()
    opponent: str = turn_model.OPPONENT


class TurnTable(vf.Env[TurnTableConfig]):
    """The table, which answers each response of the model until the deal is over."""

    async def run(self, task, agents) -> None:
        """Play a deal, and record its reward."""
        opponent = self.config.opponent
        env = turn_model.begin(task.data.seed, task.data.rules, opponent)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                answer = turn_model.reply(env, segment.last_reply, opponent)
                if env.over:
                    break
                segment = await interaction.turn(answer)
        reward = turn_model.reward_of(env) if env.over else 0.0
        interaction.trace.record_reward("lead", reward, 1.0)


__all__ = ["TurnTable", "TurnTaskset"]
