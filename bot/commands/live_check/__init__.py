"""`live-check`: tries on a real Discord server what the sandbox can't prove, and writes a report.

`checks.py` has the table of checks, `session.py` what they share: the connection, the buttons that the operator
presses, and what has to be removed in the end.
"""
