"""Puzzles, and the puzzle of the day.

A puzzle is a position of a computer game, stored with the game that leads to it, so that showing it is a replay and
answering it evaluates nothing. The order of the file decides which puzzle is which day's. The primary key of
`daily_answers` lets the first answer count, and streaks are counted from the rows.
"""
