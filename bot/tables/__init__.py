"""One play of a game: what people may do, how it is kept, and how it is shown."""
