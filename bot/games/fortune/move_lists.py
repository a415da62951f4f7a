"""Lists of moves, which depend only on which dice show skulls."""

from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations

from bot.games.fortune.moves import STOP, Move, Revive, Roll
from bot.games.fortune.pieces import ALL_PLACES, MIN_ROLLED_DICE, Places

FIRST_ROLL = Roll(ALL_PLACES)
"""All eight dice. Rule FO-2."""

ONLY_FIRST_ROLL: tuple[Move, ...] = (FIRST_ROLL,)
ONLY_STOP: tuple[Move, ...] = (STOP,)


def subsets(places: Places, least: int = 0) -> Iterator[Places]:
    """Return every choice of at least `least` places, fewest first."""
    return chain.from_iterable(combinations(places, count) for count in range(least, len(places) + 1))


# 30 us of a click, and 20 us of a computer player's move; there are 256 choices of free dice.
@cache
def rolls_by_dice(free: Places) -> dict[Places, Roll]:
    """Return the rolls of free dice, by the dice that they roll. Rule FO-2."""
    return {dice: Roll(dice) for dice in subsets(free, MIN_ROLLED_DICE)}


def usual_moves(free: Places) -> tuple[Move, ...]:
    """Return the moves without a special card. Rules FO-2 and FO-4."""
    return (*rolls_by_dice(free).values(), STOP)


# 0.6 ms of a computer player's move with a Treasure Chest.
@cache
def moves_with_chest(free: Places) -> tuple[Move, ...]:
    """Return the moves with every way to fill the Treasure Chest. Rule FO-C1."""
    rolls = (
        Roll(dice, chest)
        for dice in rolls_by_dice(free)
        for chest in subsets(tuple(place for place in free if place not in dice))
    )
    return (*rolls, STOP)


def moves_with_spell(free: Places) -> tuple[Move, ...]:
    """Return the moves with every way to free a skull. Rule FO-C3."""
    return (*rolls_by_dice(free).values(), *revive_moves(free))


def revive_moves(free: Places) -> tuple[Move, ...]:
    """Return every way to free a skull, and stopping. Rule FO-C3."""
    skulls = (place for place in ALL_PLACES if place not in free)
    return (*(Revive(skull, dice) for skull in skulls for dice in subsets(free)), STOP)


def island_moves(free: Places) -> tuple[Move, ...]:
    """Return the moves on the Island of Skulls. Rule FO-9."""
    return (Roll(free), STOP)
