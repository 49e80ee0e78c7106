"""The web application: the bridge between its screens and the package, and what builds it."""
