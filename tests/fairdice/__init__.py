"""Tests of records, and a checker of them that was written from the docs alone."""
