"""Messages beside a table's own: a row before a message is sent, its id afterwards, and removed when it is over.

The rule of a kind is part of the transaction that writes the row, and its primary key decides which of two processes
sends the message. A crash before the message is sent means that none is sent. After a crash before the id is stored,
the message is searched for when it is over.
"""
