"""Turn clocks: limits for the time of a turn.

The change that starts a turn's clock schedules two jobs in the same transaction; other changes have no cost. At half
time a new reminder replaces the earlier one; at the end, the other players are asked to decide.
"""
