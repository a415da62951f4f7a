"""Preferences of servers, channels of direct messages and people."""
