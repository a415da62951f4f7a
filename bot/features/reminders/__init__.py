"""Reminders of a turn, as each person has chosen with `/ping`."""
