"""Parlour: a host for tabletop games on Discord."""

__version__ = "0.1.0"
