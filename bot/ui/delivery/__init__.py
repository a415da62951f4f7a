"""Requests with the bot's own token: table messages, reminders, their pictures and Discord's rate limits."""
