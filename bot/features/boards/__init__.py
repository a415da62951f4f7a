"""Leaderboards of a server: by wins, rating or best score, for a game, a company and a period.

Every question is answered by one index (`bot.features.results.storage`). The server is always the interaction's, never
part of a button's id.
"""
