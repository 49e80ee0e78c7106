"""Values as text. Nothing is printed here."""
