"""Clicks and commands at a table."""
