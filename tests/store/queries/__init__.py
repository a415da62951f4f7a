"""Tests of the questions to a store."""
