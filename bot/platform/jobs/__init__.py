"""What is due at a time, and which process does it."""
