"""Keeps what is added up of results: ratings, totals of boards, and days of channels."""
