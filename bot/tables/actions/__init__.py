"""Pure decisions about a table: each returns the table as it would be, or refuses."""
