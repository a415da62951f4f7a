"""Showcases: the telling moments that a game names for the gallery and the golden pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.rules.game import Event, Options, Seat

OptionsT_co = TypeVar("OptionsT_co", bound=Options, covariant=True)
StateT_co = TypeVar("StateT_co", covariant=True)
StateT_contra = TypeVar("StateT_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Moment(Generic[StateT_co]):
    """A state, with the events of the newest moves."""

    state: StateT_co
    events: tuple[Event, ...]
    mover: Seat | None
    """The seat to move; None after the end."""


@dataclass(frozen=True, slots=True)
class Showcase(Generic[OptionsT_co, StateT_contra]):
    """A telling moment of a game, found by letting computer players play."""

    name: str
    """The name of its file."""
    seats: int
    matches: Callable[[Moment[StateT_contra]], bool]
    """Tells whether a moment is what is looked for."""
    options: OptionsT_co | None = None
    """None means the defaults."""
    hand_seat: Seat | None = None
    """The seat whose hand is shown; None shows the table."""


def is_start(moment: Moment[object]) -> bool:
    """Tell whether no move has been made."""
    return not moment.events


def is_over(moment: Moment[object]) -> bool:
    """Tell whether the game is over."""
    return moment.mover is None


def visible_events(seat: Seat | None, news: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events that a seat may see, or that everybody may (None)."""
    return tuple(event for event in news if event.audience in (None, seat))
