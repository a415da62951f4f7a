"""What holds for SQLite alone: its file, its connections and how transactions wait for them."""
