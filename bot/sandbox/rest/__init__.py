"""The REST API: routes, rate limits and injected failures."""
