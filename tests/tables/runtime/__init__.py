"""Tests of the running service: locks, clocks, publishing and recovery."""
