"""The daily bag: everybody in a server plays the same bag of the day once, with a board and streaks.

A daily bag is an ordinary table whose seat contributes `daily:` and the day, which fixes the salt. Its seed is the
day's row in `daily_bags`, made the day before by a job, or when it is first needed. The attempt that counts is a row
in `daily_attempts`, stored with its table and ended by the save that ends the table; later attempts are practice. In
a server the table is sealed: its message shows nothing of the game, which its player sees in a private message. The
record needs the seed, which is published the day after.
"""
