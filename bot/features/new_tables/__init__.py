"""Opening tables: by command, by button, after a finished table, and in threads."""
