"""Hints about the best move, in servers that allow them.

A hint sees only what the seat to move sees. Once per game, a player is asked to accept the price. Moves are evaluated
outside the event loop. Before a hint is shown, the table stores that the seat uses hints: a new revision at the same
step, so that buttons stay valid. Results and records keep this fact.
"""
