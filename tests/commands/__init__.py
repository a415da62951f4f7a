"""Tests of the command line and of the stub that `new-game` writes."""
