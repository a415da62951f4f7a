"""Tests of Mr. Houdini's Baggage."""
