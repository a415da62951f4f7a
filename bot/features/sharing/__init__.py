"""Sharing a result."""
