"""Reviews of a finished game."""
