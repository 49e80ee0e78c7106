"""The command line: files, arguments, exit codes. All input and output is here."""
