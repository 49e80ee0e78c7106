"""The language server: diagnostics and help for editors, while a record is typed."""
