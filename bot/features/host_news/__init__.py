"""News from the host to the servers, once for each server."""
