"""Leaderboards: people ranked by what they have achieved in a period."""
