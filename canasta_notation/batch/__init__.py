"""Many files on several processes or a cluster: parts of files, and the work on them."""
