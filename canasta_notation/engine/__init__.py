"""The engine: the table, the actions, the checks, the scores. No text, no positions, no I/O."""
