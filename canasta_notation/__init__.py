"""Canasta Game Notation: read, verify, replay and audit records of Canasta games."""
