"""Tips in games that are new to a person."""
