"""Logs, traces, metrics, health."""
