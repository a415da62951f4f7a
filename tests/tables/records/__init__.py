"""Tests of replaying records."""
