"""Values to text, rich renderables and pictures. Prints nothing."""
