"""What a table shows, as messages not yet sent."""
