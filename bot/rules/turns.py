"""Where turns end."""

from collections.abc import Hashable

from bot.rules.game import EventT, MoveT, OptionsT, StateT, ViewT
from bot.rules.package import GamePackage


def turn_key(package: GamePackage[OptionsT, StateT, MoveT, EventT, ViewT], state: StateT) -> Hashable:
    """Return a key that is the same throughout a turn: the seat to move, unless the game's `turn_of` tells another."""
    return package.game.seat_to_move(state) if package.turn_of is None else package.turn_of(state)


def ends_turn(package: GamePackage[OptionsT, StateT, MoveT, EventT, ViewT], before: StateT, after: StateT) -> bool:
    """Return whether the step between two states ended a turn or the game."""
    is_over = package.game.seat_to_move(after) is None
    return is_over or turn_key(package, before) != turn_key(package, after)
