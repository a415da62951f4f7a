"""Portable records of finished tables: making, reading and verifying them."""
