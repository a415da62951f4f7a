"""Tournaments: pairing, standings, rounds and deadlines."""
