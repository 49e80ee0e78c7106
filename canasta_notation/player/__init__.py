"""Random legal games: packs, some of them biased, and seats that choose at random."""

from canasta_notation.player.choosing import Habits
from canasta_notation.player.game import play_game

__all__ = ["Habits", "play_game"]
