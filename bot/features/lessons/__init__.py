"""Lessons: a first game, led move by move.

A lesson is a table with a fixed seed whose seats contribute `lesson` to the salt; that alone marks it, in the
database and in records. The position at a step says whether a table still follows its lesson, and the entry `!skip`
leaves it. A lesson has a place but is no open table.
"""
