"""Kills at every step of a click, and what is there afterwards."""
