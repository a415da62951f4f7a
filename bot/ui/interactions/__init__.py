"""Responses to interactions: deferring, acknowledging, ephemeral messages and error replies."""
