"""One play of a game: what people may do, how it is kept, and how it is shown.

- The rules of a table, which know no database and no Discord: `model.py` and `table.py` say what a table is,
  `control_entries.py` what its entries besides moves are, and `kinds.py` what is different at lessons, daily bags and
  pairings. `lobby.py`, `turns.py`, `seats.py`, `clocks.py` and `series.py` decide what people may do.
- Changes: `service.py` decides and saves them, one at a time per table. `opening.py` and `aside.py` use it to open
  tables, and to put idle ones aside. `events.py` says what happened by a change, and what features do in its
  transaction.
- What is kept: `schema.py` has the columns, `storage.py` the SQL of a table, `sweep.py` that of all tables that need
  something. `memory.py` caches tables, `replay.py` rebuilds them from their entries, `compaction.py` packs the
  entries of old ones.
- In the background: `publisher.py` shows what has changed, `computer_players.py` plays where `thinker.py` thinks, and
  `host.py` sweeps up what was left behind.
- `shown` builds messages, and `handlers` answers clicks and commands.
"""
