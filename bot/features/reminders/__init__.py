"""Reminders of a turn, as each person has chosen with `/ping`.

A reminder goes to a player who is silent for two minutes, once a turn, or as the player has chosen. It is a condition
that is asked of the database every five seconds, not a job, so that a move costs nothing more. Its row is written
before the message is sent: two processes send one, and a crash in between sends none. A person has one ping at a
time; in quiet hours the row keeps the time when it is sent. Picking pieces counts as activity.
"""
