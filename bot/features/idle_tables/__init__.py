"""Tables on which nobody moves are put aside, announced and closed.

Silence is read from `updated_at`, less any downtime. A channel hears two days before one of its tables is closed.
Whoever wants to open a table where an idle one stands is offered to put that aside.
"""
