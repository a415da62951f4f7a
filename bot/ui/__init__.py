"""The Discord adapter: turns interactions into calls of the host, and tables into messages."""
