"""Replaying records with the engine: findings with their places, scores, verification."""
