"""Series of games between the same people."""
