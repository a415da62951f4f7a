"""Responses to interactions: deferring, acknowledging, ephemeral messages, error replies, and a queue for each user."""
