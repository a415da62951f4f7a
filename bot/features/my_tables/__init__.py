"""The list of a person's unfinished tables, in every server."""
