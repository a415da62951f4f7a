"""Settings of servers, of direct messages and of people.

`table.py` declares them. What was chosen differently from a default is a row, cached for a minute; a change writes one
row, so that two processes do not overwrite each other's. What no longer exists in the server, such as a role, counts
for nothing.
"""
