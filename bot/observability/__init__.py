"""Observability: traces, logs, metrics and the health endpoint; also disk space and garbage collection."""
