"""The SQLite backend: the file, its connections and the queue of transactions."""
