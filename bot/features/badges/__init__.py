"""Badges that results and moves earn."""
