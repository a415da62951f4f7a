"""The host of tables: seats, moves, storage order and what is shown when; asynchronous, and free of Discord."""
