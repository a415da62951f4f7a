"""What a server can do besides playing at a table; a folder per feature."""
