"""Renders tables, lobbies, menus and pages as message content, without sending it."""
