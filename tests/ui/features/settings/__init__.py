"""Settings of servers and direct messages."""
