"""Seasons and their champions."""
