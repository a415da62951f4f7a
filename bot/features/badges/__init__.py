"""Badges, which people earn by their moves and results.

A game's badges (`Results.badges`) are pure functions of each move, so a replay finds the same ones. The save of
a move awards the badges that it earned, and the save that ends a table also the badges earned by people's results.
The primary key of `badges_earned` makes only the first award count. The new awards are a part of the table
(`Table.awards`), so that any process can name them in its message.
"""
