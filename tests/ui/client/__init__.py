"""Tests of the client's start, stop and synchronization."""
