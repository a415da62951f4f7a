"""Tests of leaderboards, profiles, preferences and tips."""
