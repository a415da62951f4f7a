"""Hints on a move."""
