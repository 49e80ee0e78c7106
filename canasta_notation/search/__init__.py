"""Search: legal plays, tried on copies of a table. The engine never imports it."""
