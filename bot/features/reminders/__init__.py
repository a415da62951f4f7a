"""Reminders that it is a player's turn, as each person has chosen with `/ping`.

By default, a player gets one reminder per turn after two minutes of silence. Due reminders are found by a query every
five seconds instead of by jobs, so that moves cost nothing extra. A reminder's row is written before its message is
sent: of two processes only one sends it, and a crash in between sends none. A person has one ping at a time. In quiet
hours, the row stores when to send the message. Picking pieces counts as activity.
"""
