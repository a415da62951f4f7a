"""Hints on a move, for players whose server allows them.

A hint sees what the seat to move sees. A player is asked once in a game whether they accept its price. The moves are
evaluated away from the event loop; before a hint is shown, the table notes that the seat uses hints: a new revision
at the same step, so that buttons stay valid. Results and records keep that note.
"""
