"""Challenges: games that everyone plays once with the same dice, with boards and streaks.

The daily challenge is ten rolls of Magpie, the weekly one a Magic Bag (`bot/tables/kinds.py`). Each edition is played
at an ordinary table with one seat, whose contribution `daily:` or `weekly:` and the first day fixes the salt. The seed
is stored in the edition's row of `shared_seeds`, created by a job on the day before, or when first needed. The attempt
is a row of `attempts`, stored with its table and ended by the save that ends the table. The table is private: only its
player sees it, in a message of their own. A record needs the seed, which is published once the edition is over. An
attempt has no row in `results`, so no board or profile has anything to hide from those who still play, and nothing can
be taken back, because `!undo` would shift the steps and with them the dice.
"""
