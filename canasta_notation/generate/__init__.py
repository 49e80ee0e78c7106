"""Random legal games: packs, some of them biased, and seats that choose at random."""

from canasta_notation.generate.choosing import Habits
from canasta_notation.generate.random_game import DEAL_LIMIT, play_game

__all__ = ["DEAL_LIMIT", "Habits", "play_game"]
