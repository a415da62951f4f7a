"""Adds a finished table to ratings and totals, or makes them anew from the results."""
