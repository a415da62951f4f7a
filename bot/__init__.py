"""Parlour: a host for tabletop games on Discord."""

__version__ = "1.0.0.dev0"
