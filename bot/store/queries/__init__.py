"""Reads and writes by subject, each a function over a connection; the same on both databases."""
