"""What to show of a record, as values. Nothing is laid out, painted or printed here."""
