"""News from the host to the servers."""
