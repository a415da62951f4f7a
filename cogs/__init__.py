"""Slash commands of the games, in one module per game."""
