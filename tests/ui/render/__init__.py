"""Tests of what messages contain."""
