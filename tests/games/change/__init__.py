"""Tests of Change."""
