"""Search: hypothetical play on copies of a table. The engine never imports it."""
