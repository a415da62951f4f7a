"""Games between the same people, one after the other.

A series is linked tables; tournaments and tie-breaks use the same link.
"""
