"""The commands of the command line; the one place where the rooms are wired together."""
