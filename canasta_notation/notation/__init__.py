"""The notation: the document, its readers and writers. It knows cards and actions, but no rules."""
