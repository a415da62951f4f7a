"""Whom people do not want to play with."""
