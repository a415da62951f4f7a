"""Tournaments over tables for two: who plays whom, until when, and who wins."""
