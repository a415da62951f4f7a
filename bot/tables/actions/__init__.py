"""What people can do at a table, as pure functions: each returns the changed table or a control entry, or refuses."""
