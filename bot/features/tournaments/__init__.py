"""Tournaments: pairing, standings, rounds and deadlines.

A tournament pairs people over tables. Each pairing's table is linked to the tournament by the unique index of series,
so that it is opened once, and again only after it was cancelled or abandoned. People's changes are saved by a
compare-and-set of the tournament's revision. One job per tournament, which any process may take up, does everything
else, except for the reminder and the deadline, which are two jobs per round.
"""
