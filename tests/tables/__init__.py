"""Tests of tables, apart from Discord."""
