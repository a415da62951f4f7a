"""Replays and animations of finished tables.

A replay shows the table at each step, and no more than the end has revealed. A turn lasts until another seat is to
move, or until the game's `turn_of` changes. An animation is stored once made, if it still shows the table's people.
"""
