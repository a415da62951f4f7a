"""Showcases: typical moments of a game for the gallery and the golden files; a module per game, named by its key."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.rules.components import Nameplate, Species
from bot.rules.game import Event, EventT_co, EventT_contra, OptionsT_co, Seat
from bot.tools.modules_of_games import find_module

StateT_co = TypeVar("StateT_co", covariant=True)
StateT_contra = TypeVar("StateT_contra", contravariant=True)


SHOWCASE_NAMES = ("Robin", "Wren", "Jay", "Linnet", "Heron", "Siskin")
"""The names of the seats in words."""

SHOWCASE_NAMEPLATES = (
    Nameplate("Robin"),
    Nameplate("Vesper", Species.OWL),
    Nameplate("Wren"),
    Nameplate("Rusty", Species.FOX),
    Nameplate("Pip", Species.MOUSE),
    Nameplate("Jay"),
)
"""Who has the seats in pictures."""


@dataclass(frozen=True, slots=True)
class ShownState(Generic[StateT_co, EventT_co]):
    """A state with the events of the newest moves."""

    state: StateT_co
    events: tuple[EventT_co, ...]
    mover: Seat | None
    """The seat to move, or None if the game is over."""


@dataclass(frozen=True, slots=True)
class Showcase(Generic[OptionsT_co, StateT_contra, EventT_contra]):
    """A typical moment of a game, found in games between computer players."""

    name: str
    """The name of its picture."""
    seats: int
    matches: Callable[[ShownState[StateT_contra, EventT_contra]], bool]
    """Returns whether a moment is the one to show."""
    options: OptionsT_co | None = None
    """None means the defaults."""
    hand_seat: Seat | None = None
    """The seat whose hand is shown; None shows the table."""
    first_game: int = 0
    """The number of the first game to search; those before have no such moment."""


def is_start(moment: ShownState[object, Event]) -> bool:
    """Return whether no move has been made."""
    return not moment.events


def is_over(moment: ShownState[object, Event]) -> bool:
    """Return whether the game is over."""
    return moment.mover is None


def list_showcases(key: str) -> tuple[Showcase[Any, Any, Any], ...]:
    """Return the showcases of a game; none if there is no module of it here."""
    module = find_module("showcases", key)
    return module.SHOWCASES if module else ()
