"""Tests of Magpie."""
