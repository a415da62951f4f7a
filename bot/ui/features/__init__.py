"""Everything that users can do besides making moves, a module for each feature."""
