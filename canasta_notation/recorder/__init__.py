"""Recording: a growing record as a value, what may be entered next, and how it is judged."""
