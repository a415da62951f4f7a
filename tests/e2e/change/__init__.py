"""Whole games of Change."""
