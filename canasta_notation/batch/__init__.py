"""Many files over processes: parts of files, and jobs that work on them."""
