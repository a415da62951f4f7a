"""Fair dice: proofs of throws, and portable records that anybody can check.

docs/fair-dice.md specifies both; `tests/fairdice` checks records with a program of its own.
"""
