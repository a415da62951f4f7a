"""Slash commands: a file per game and per area."""
