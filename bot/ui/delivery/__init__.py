"""Requests with the bot's token: table messages, reminders, pictures and rate limits."""
