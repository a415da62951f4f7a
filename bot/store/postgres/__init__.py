"""The PostgreSQL backend: connections, transactions and its own statements."""
