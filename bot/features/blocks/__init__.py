"""Blocks: people choose others with whom they will not share a table.

The transaction that seats a person checks the blocks. A refusal that may come from a block is worded so that it does
not reveal who blocks whom.
"""
