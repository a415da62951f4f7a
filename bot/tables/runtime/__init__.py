"""The running host: loading, caching, saving and showing tables, computer players, reminders and idle tables."""
