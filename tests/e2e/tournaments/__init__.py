"""Tournaments through the sandbox."""
