"""Settings of servers, of direct messages and of people.

`kinds.py` says what a setting is, and `all_settings.py` declares them. Choices that differ from the default are stored
as rows and cached for a minute. A change writes a single row, so that two processes do not overwrite each other's
changes. A chosen channel or role that no longer exists in the server is ignored.
"""
