"""The list of a person's unfinished tables in all servers."""
