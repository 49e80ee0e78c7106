"""A live game: the referee as an object, using the engine that verifies records."""
