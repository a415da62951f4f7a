"""The daily bag: everybody in a server plays the same bag of the day once, with a leaderboard and streaks.

A daily bag is an ordinary table whose seat contributes `daily:` and the day, which fixes the salt. Its seed is stored
in the day's row of `daily_bags`, created by a job on the day before, or when first needed. The attempt that counts is a
row of `daily_attempts`, stored with its table and ended by the save that ends the table; later attempts are practice.
In a server the table is sealed: its message shows nothing of the game, and its player sees it in a private message. A
record needs the seed, which is published on the next day.
"""
