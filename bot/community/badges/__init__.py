"""Badges of people: what results over time earn, and who has which; free of Discord."""
