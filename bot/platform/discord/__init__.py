"""Discord: connecting, requests, answers to interactions, parts of messages."""
