"""The REST interface: routes, rate limits and failures."""
