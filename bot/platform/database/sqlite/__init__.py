"""SQLite: one writer thread, whose waiting transactions share a commit."""
