"""Turns in which nothing can be done: they end by themselves, and can't be taken back to."""

from typing import Any

from bot.tables.lessons import scripted_step_of
from bot.tables.model import Status
from bot.tables.table import Table


def find_forced_end(table: Table) -> str | None:
    """Return the move that ends the turn of a person who can do nothing, in the game's notation, or None.

    A lesson asks for every move, so no turn of its script ends by itself.
    """
    header = table.header
    is_played = header.status is Status.PLAYING and table.state is not None
    if table.package.find_forced_end is None or not is_played or header.awaits_computer:
        return None
    if scripted_step_of(table) is not None:
        return None
    earlier = table.take_back_state
    return _find_forced_end(table, table.state, None if earlier is None else earlier.state)


def offers_take_back(table: Table) -> bool:
    """Return whether a move can be taken back; not in a lesson, nor if the turn would only end by itself again."""
    earlier = table.take_back_state
    if earlier is None or scripted_step_of(table) is not None:
        return False
    return _find_forced_end(table, earlier.state, None) is None


def _find_forced_end(table: Table, state: Any, earlier: Any) -> str | None:
    game, find = table.package.game, table.package.find_forced_end
    if find is None:
        return None
    move = find(game.view(state, None), None if earlier is None else game.view(earlier, None))
    return None if move is None else str(move)
