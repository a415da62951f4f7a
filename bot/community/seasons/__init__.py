"""Seasons: quarters, or other periods that a server has chosen, each with its champions."""
