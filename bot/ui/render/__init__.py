"""What is shown: tables, lobbies, menus and pages as messages, not yet sent."""
