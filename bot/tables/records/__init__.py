"""Portable records of finished tables: made, read and checked."""
