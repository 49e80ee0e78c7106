"""The notation: the document, its readers and writers. Sees cards and actions, never a rule."""
