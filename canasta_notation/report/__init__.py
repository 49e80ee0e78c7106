"""What to show of a record, as values: nothing here is laid out, painted or printed."""
