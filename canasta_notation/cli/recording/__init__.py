"""The recorder on a terminal: the console, its file, and the questions at the start of a game."""
