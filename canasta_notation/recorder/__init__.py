"""Recording: a growing record as a value, what may be entered next, and how the table judges it."""
