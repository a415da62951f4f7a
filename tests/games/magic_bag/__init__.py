"""Tests of The Magic Bag."""
