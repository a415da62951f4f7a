"""Everything a server can do besides playing at a table: one folder per feature."""
