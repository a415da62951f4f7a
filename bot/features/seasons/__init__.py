"""Seasons and their champions.

A server chooses the length of its seasons. A job after each month ends the seasons that are over and stores their
champions.
"""
