"""Profiles, histories and duels."""
