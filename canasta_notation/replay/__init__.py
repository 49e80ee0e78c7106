"""Where text meets play: records replayed, located, audited, verified."""
