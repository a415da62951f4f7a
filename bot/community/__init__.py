"""Leaderboards, profiles, histories and server preferences. Knows no Discord and no database."""
