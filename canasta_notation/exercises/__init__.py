"""Exercises from mistakes: what players can learn from the games that they played."""
