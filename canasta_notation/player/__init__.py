"""Random legal games: packs, some of them biased, and seats that choose at random."""

from canasta_notation.player.game import play_game
from canasta_notation.player.melding import Habits

__all__ = ["Habits", "play_game"]
