"""What runs around the tables: loading and saving them, showing them, and everything that is due later."""
