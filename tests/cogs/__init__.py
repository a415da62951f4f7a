"""Tests of the commands that play the games."""
