"""The command line: arguments, files, exit codes. Only here is anything printed."""
