"""Lessons: a first game, led move by move."""
