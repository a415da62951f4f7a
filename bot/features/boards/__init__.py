"""Leaderboards of a server: by wins, rating or best score, for a game, a company and a period.

Every query reads one index (`bot.features.results.storage`). The server always comes from the interaction, never from a
button's id.
"""
