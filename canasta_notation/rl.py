"""The environment for learning, under the name that users import. It needs the extra `rl`."""

from canasta_notation.learning.environment import (
    ACTIONS,
    PLACED_ACTIONS,
    POINTS,
    CanastaEnv,
    Observation,
    agent,
    env,
)

__all__ = ["ACTIONS", "PLACED_ACTIONS", "POINTS", "CanastaEnv", "Observation", "agent", "env"]
