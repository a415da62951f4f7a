"""Positions that the tests of a game name, so that `tests/golden` writes down what the game says of them."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.rules.game import Seat
from bot.rules.screen import EMPTY_DRAFT, Draft

_GAMES: Final = Path(__file__).parents[1] / "games"


@dataclass(frozen=True, slots=True)
class NamedPosition:
    """A position whose texts no showcase has, with the events of the newest moves."""

    state: Any
    events: tuple[Any, ...] = ()
    seats: int = 2
    draft: Draft = EMPTY_DRAFT
    hand_seat: Seat | None = None
    """The seat whose hand is shown; None shows the table."""
    parts: str = "screen reading picture news tips end"
    """Which of its texts matter: also `hint` and `moves`, which are long."""


def named_positions(key: str) -> Mapping[str, NamedPosition]:
    """Return what `make_positions` of the game's `positions.py` in its tests makes, or nothing if there is none."""
    if not (_GAMES / key / "positions.py").exists():
        return {}
    module = importlib.import_module(f"tests.games.{key}.positions")
    positions: Mapping[str, NamedPosition] = module.make_positions() if hasattr(module, "make_positions") else {}
    return positions
