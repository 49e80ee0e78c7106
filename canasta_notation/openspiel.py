"""The game for OpenSpiel, under the name that users import. It needs the extra `openspiel`.

Importing this module registers the game as `python_canasta`.
"""

from canasta_notation.learning.spiel_game import CanastaGame, CanastaObserver, CanastaState

__all__ = ["CanastaGame", "CanastaObserver", "CanastaState"]
