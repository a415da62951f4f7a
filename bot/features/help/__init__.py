"""Help, guides and the list of games."""
