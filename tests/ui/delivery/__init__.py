"""Tests of sending and editing messages."""
