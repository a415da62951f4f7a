"""Calculates the arrays that computer players look up; a module per game, named by its key, with a function `train`."""
