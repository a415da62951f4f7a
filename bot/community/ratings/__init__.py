"""Ratings: how strong a person is at a game in a server."""
