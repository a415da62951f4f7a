"""PostgreSQL: a pool of connections."""
