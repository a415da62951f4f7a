"""Reviews of a finished game: what the values of its moves say of each decision, and what chance added.

A review is made when somebody first asks for it, and stored with a digest of the game's arrays: when these change, it
is made again. A review that a weaker evaluator helped with is not stored.
"""
