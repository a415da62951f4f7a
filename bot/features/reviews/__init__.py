"""Reviews of finished games: how much each decision gave away, and how much chance added.

A review is made in the background once a game is over, or on first request, and stored with a digest of the game's
arrays. When the arrays change, it is made again. A review with values from a weaker evaluator is not stored.
"""
