"""The benchmark: this package and its peers, read in rotation in one run, on one core."""
