"""Draws the pictures that games lay out. Knows no game."""
