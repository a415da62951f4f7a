"""Tests of Fortune."""
