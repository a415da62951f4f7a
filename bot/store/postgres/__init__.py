"""What holds for PostgreSQL alone: its server, its connections and its statements."""
