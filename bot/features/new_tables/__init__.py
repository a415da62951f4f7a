"""Opening tables: by command, by button, and after a finished one."""
