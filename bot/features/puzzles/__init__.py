"""Puzzles, and the puzzle of the day.

A puzzle is a position of a game between computer players, stored with the moves that lead to it, so showing it is a
replay and answering it needs no evaluation. The order of the file assigns the puzzles to days. The primary key of
`daily_answers` makes the first answer count, and streaks are counted from its rows.
"""
