"""Sharing a result as a message."""
