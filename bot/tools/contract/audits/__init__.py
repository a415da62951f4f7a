"""Audits, which find faults in a position independently of play; a module per game, named by its key."""

from typing import Any, Protocol, runtime_checkable

from bot.rules.game import Game
from bot.tools.modules_of_games import find_module


@runtime_checkable
class Audited(Protocol):
    """Rules with an audit of their own, as those of a game have that is written elsewhere."""

    def audit(self, state: Any) -> tuple[str, ...]:
        """Return the faults of a position; empty if it is sound."""


def audit(game: Game[Any, Any, Any, Any, Any], state: Any) -> tuple[str, ...]:
    """Return the faults of a position; empty if it is sound, or if there is no audit of its game."""
    if isinstance(game, Audited):
        return game.audit(state)
    module = find_module("contract.audits", game.info.key)
    return module.find_faults(game, state) if module else ()
