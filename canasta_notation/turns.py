"""A turn as one action in text, under the names that users import. It needs no extra."""

from canasta_notation.learning.random_turns import RandomTurns
from canasta_notation.learning.turn_env import (
    FalseTurn,
    TurnAnswer,
    TurnEnv,
    TurnView,
    get_legal_moves,
)
from canasta_notation.learning.turn_prompt import generate_prompt, parse_response

__all__ = [
    "FalseTurn",
    "RandomTurns",
    "TurnAnswer",
    "TurnEnv",
    "TurnView",
    "generate_prompt",
    "get_legal_moves",
    "parse_response",
]
