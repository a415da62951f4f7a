"""Fakes, harnesses and helpers that tests of several folders share."""
