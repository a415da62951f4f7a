"""Tests of the adapter to Discord, with fake interactions."""
