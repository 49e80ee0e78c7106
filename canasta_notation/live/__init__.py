"""A live game: the referee as an object, on the engine that verifies records."""
