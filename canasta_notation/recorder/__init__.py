"""Recording: a growing record as a value, what can be entered next, and how it is judged."""
