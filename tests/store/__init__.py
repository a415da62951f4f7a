"""Tests of the store, for both databases."""
