"""Turn clocks.

The change that starts a turn's clock schedules its two jobs in the same transaction; other changes do not pay for
clocks. At half time the reminder is replaced by another one, and at the end the others are asked what is to happen.
"""
