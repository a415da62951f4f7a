"""Slash commands: a module for each game and area."""
