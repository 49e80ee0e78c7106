"""Random legal games: packs, some of them biased, and seats that choose at random."""

from canasta_notation.generate.game import DEAL_LIMIT, play_game
from canasta_notation.generate.melding import Habits

__all__ = ["DEAL_LIMIT", "Habits", "play_game"]
