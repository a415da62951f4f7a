"""Opening tables: by command, by button, after a finished one, and in threads of their own."""
