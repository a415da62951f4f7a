"""Queries by subject: functions over a connection that work on both databases."""
