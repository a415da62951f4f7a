"""Builds the bot from its parts."""
