"""What is kept of finished tables: ratings, totals, histories.

The save that ends a table writes a result per seat (`bot.tables.results`) and, in the same transaction, everything
that is counted of results (`accounts.py`), so that no question adds up results:

- `ratings` and `rating_changes`: which tables count, and what they change. Rows are locked in order, so that of two
  processes neither loses a change.
- `boards` and `totals`: a row per person for each game, company and period, with an index for each order.
- `encounters`: how every two people did at the tables that they shared without hints.
- `played_days`: how many tables ended on a day in a channel, so that a page of a history skips days.

All of it can be made anew from `results` (`python -m bot database ratings`).
"""
