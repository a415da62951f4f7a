"""Tests of leaderboards, profiles, settings and tips."""
