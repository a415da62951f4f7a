"""One play of a game: what people may do, how a table is stored, and how it is shown.

- Rules of a table, without database or Discord: `model.py` and `table.py` define a table, `control_entries.py` the
  entries that are no moves, and `kinds.py` how challenges and pairings differ. `lobby.py`, `turns.py`,
  `seats.py`, `clocks.py` and `series.py` decide what people may do, and `refusals.py` lists the reasons against it.
  `registry.py` finds the games and the levels of their computer players; `highlights.py` picks the turns worth a
  banner.
- Changes: `service.py` decides and saves them, one at a time per table. `opening.py` and `aside.py` use it to open
  tables and to put idle ones aside. `events.py` describes a change to the features, which may add to its transaction.
- Storage: `schema.py` has the columns, `storage.py` the SQL of one table, `sweep.py` the queries for tables that are
  due, `results.py` the results of finished tables, and `usage.py` the totals. `memory.py` caches tables, `replay.py`
  rebuilds them from their entries, and `compaction.py` compresses the entries of old ones.
- In the background: `publisher.py` shows changed tables, `computer_players.py` makes the moves that `thinker.py`
  chooses, and `host.py` sweeps up unfinished work.
- `shown` builds messages, and `handlers` answers clicks and commands.
- `app.py` is the registry that features extend, and `feature.py` registers the tables themselves.
"""
