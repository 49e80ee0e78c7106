"""The recorder at the table: the desk and its file, the talk, the score pad, final tables."""
