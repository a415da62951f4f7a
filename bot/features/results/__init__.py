"""What is made of results: ratings, totals and histories.

The save that ends a table writes a result per seat (`bot.tables.results`) and, in the same transaction, updates every
total (`accounts.py`), so that no query adds up results:

- `ratings` and `rating_changes`: people's ratings, and how each rated table changed them. Rows are locked in a fixed
  order, so that concurrent processes lose no change.
- `boards` and `totals`: a row per person for each game, company and period, with an index for each order.
- `encounters`: how every two people did against each other at the tables where neither used hints.
- `played_days`: the number of tables that ended on a day in a channel, so that a page of a history can skip days.

All of it can be rebuilt from `results` (`python -m bot database ratings`).
"""
