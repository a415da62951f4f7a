"""Showcases: typical moments of a game for the gallery and the golden pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.rules.game import Event, EventT, EventT_co, EventT_contra, OptionsT_co, Seat

StateT_co = TypeVar("StateT_co", covariant=True)
StateT_contra = TypeVar("StateT_contra", contravariant=True)


SHOWCASE_NAMES = ("Robin", "Wren", "Jay", "Linnet", "Heron", "Siskin")
"""The names of the seats."""


@dataclass(frozen=True, slots=True)
class Moment(Generic[StateT_co, EventT_co]):
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
    matches: Callable[[Moment[StateT_contra, EventT_contra]], bool]
    """Returns whether a moment is the one to show."""
    options: OptionsT_co | None = None
    """None means the defaults."""
    hand_seat: Seat | None = None
    """The seat whose hand is shown; None shows the table."""
    first_game: int = 0
    """The number of the first game to search; those before have no such moment."""


def is_start(moment: Moment[object, Event]) -> bool:
    """Return whether no move has been made."""
    return not moment.events


def is_over(moment: Moment[object, Event]) -> bool:
    """Return whether the game is over."""
    return moment.mover is None


def visible_events(seat: Seat | None, events: Sequence[EventT]) -> tuple[EventT, ...]:
    """Return the events that a seat or a spectator (None) may see."""
    return tuple([event for event in events if event.audience in (None, seat)])
