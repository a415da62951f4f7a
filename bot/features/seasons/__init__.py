"""Seasons and their champions.

A season is a period of the length that a server has chosen. A job after each month ends the seasons that are over and
stores their champions.
"""
