"""Preferences of servers, of channels of direct messages and of people.

All that a server has settled is one row, so that one read is enough, and is cached for a minute. A change writes only
what was chosen, so that two processes do not overwrite each other's. What no longer exists in the server, such as a
role, counts for nothing.
"""
