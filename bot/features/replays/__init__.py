"""Replays and animations of finished tables.

A replay shows the table as it was at each step, and nothing that the end has not revealed. A turn lasts until another
seat is to move, or until the game's `turn_of` changes. An animation is stored once it was made, if the people whom it
shows are still those of the table.
"""
