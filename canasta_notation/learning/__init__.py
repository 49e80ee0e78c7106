"""The live game for programs that learn: an environment of PettingZoo, and a game of OpenSpiel."""
