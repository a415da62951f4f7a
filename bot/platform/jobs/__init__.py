"""Jobs due at a time, periodic chores, and the processes that do them."""
