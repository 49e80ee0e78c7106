"""What is shown about a record, as values. Nothing is laid out, painted or printed here."""
