"""Help, the guides of the games, the list of games, and lessons.

A guide is made of pages with a scene each. The options of a table decide which pages there are, and the ids of the
page buttons carry the options, so that turning a page reads no table.
"""
