"""Badges that results and moves earn.

A game's badges (`GamePackage.badges`) are pure functions of each move, so that a replay finds the same ones. The save
that ends a table awards them in its transaction, with the badges that a person's results earn; the primary key of
`badges_earned` lets the first award count. New awards are kept with the finished table (`Table.awards`), so that its
message names them in any process.
"""
