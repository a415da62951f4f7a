"""Tips in games that are new to a person.

Preferences and finished games of the players are loaded in the background: no click waits for them, and what is
unknown brings no tip.
"""
