"""Moderation: members who may not play in a server, and the list of its open tables.

Bans are rows. Each process keeps the ids of banned members in memory and learns of changes within seconds, so that the
client refuses their commands and clicks without a query. The transaction that seats people checks the rows themselves.
Whatever table a banned member still sits at, the next change of it takes them out.
"""
