"""Tests of how interactions are parsed, answered and refused."""
