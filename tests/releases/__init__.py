"""What releases have left in databases, messages and files, which every later version must still read."""
