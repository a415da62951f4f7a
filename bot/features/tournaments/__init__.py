"""Tournaments: pairing, standings, rounds and deadlines.

A tournament pairs people over tables. A pairing's table is linked to it by the unique index of series, so that it is
opened once, and again only if it was cancelled or abandoned. People change a tournament by a compare-and-set of its
revision. Everything else is done by one job per tournament, which any process may take up, and by two jobs per round,
for the reminder and the deadline.
"""
