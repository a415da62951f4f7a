"""What people can do beside playing a move, a module for each feature."""
