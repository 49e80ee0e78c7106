"""The command line: files, arguments, exit codes. The only input and output."""
