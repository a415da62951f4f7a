"""What is kept about people and servers: told, exported, deleted, and forgotten in time; free of Discord."""
