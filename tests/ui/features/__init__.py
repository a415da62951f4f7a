"""Tests of each feature behind a button, menu or command."""
