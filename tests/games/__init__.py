"""Tests that hold for every game."""
