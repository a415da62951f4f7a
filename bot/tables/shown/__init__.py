"""Builds the messages of tables, ready to be sent."""
