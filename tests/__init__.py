"""The tests, in folders named after what they test, with `support` for what they share."""
