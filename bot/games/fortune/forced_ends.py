"""Turns of Fortune that end by themselves."""

from bot.games.fortune.legality import rollable_dice
from bot.games.fortune.moves import STOP, Stop
from bot.games.fortune.pieces import State


def find_forced_end(view: State, earlier: State | None) -> Stop | None:
    """Return Stop if no dice can be rolled any more: after the two rolls of a Storm. Rule FO-C8."""
    is_forced = view.mover is not None and earlier is None and view.turn.faces and not rollable_dice(view.turn)
    return STOP if is_forced else None
