"""Whom people do not want to play with.

A block is checked in the transaction that seats a person. The sentence of a refusal that a block may cause is worded
so that it does not tell who blocks whom.
"""
