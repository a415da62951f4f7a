"""What people can do at a table, as pure functions: each checks the rules and returns the changed table or refuses."""
