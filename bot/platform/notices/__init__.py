"""Notices: messages beside a table's own. A row is stored before sending, its message's id afterwards.

The transaction that writes the row checks the rule of the kind, and the row's primary key decides which of two
processes sends the message. A crash before sending means that no message is sent. After a crash before the id is
stored, the bot searches for the message once the notice is over. Messages of notices that are over are deleted.
"""
