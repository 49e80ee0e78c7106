"""Stepping through a game: on a terminal with Textual, or line by line. No file is read here."""
