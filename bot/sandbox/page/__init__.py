"""The web page: its files, its socket and what its readers do."""
