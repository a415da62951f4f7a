"""Replays and animations of finished tables."""
