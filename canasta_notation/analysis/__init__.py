"""Analysis: what a record says about the play of its players, as values."""
