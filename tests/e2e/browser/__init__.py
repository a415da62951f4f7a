"""The sandbox's page in a real browser."""
