"""The benchmark: this package beside its peers, in one run, on one core, in rotation."""
