"""The fast path: canonical records from bytes straight to the engine."""
