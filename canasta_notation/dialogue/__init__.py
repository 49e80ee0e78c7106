"""A dialogue with a scorer: its questions, what follows answers, and the loop that asks."""
