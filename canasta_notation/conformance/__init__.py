"""The answers to the conformance suite, and the command that gives them."""
