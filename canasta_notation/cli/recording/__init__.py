"""The recorder at the table: the console and its file, questions, and the loop that asks."""
