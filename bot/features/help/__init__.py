"""Help, the guides of the games, the list of games, and lessons.

A guide consists of pages with a scene each. A table's options decide which pages exist. The page buttons carry the
options in their ids, so turning a page reads no table.
"""
