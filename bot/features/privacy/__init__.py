"""What is kept of people and servers: exported, erased, forgotten in time."""
