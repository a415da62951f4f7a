"""The protocol of a game's rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict

from bot.rules.chance import Chance
from bot.rules.outcome import Outcome
from bot.rules.refusals import Refusal

Seat: TypeAlias = int
"""A seat at the table, counted from 0."""


class Options(BaseModel):
    """Options chosen before a game starts; each has a default."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Event:
    """Something that happened, in the past tense; subclasses are frozen dataclasses."""

    __slots__ = ()

    @property
    def audience(self) -> Seat | None:
        """The only seat that may see the event; None if it is public."""
        return None

    @property
    def reveals_information(self) -> bool:
        """Whether the move can't be taken back because hidden information was revealed; private events always do."""
        return self.audience is not None


@dataclass(frozen=True, slots=True)
class SeatEvent(Event):
    """Something that a seat did, or that happened to it."""

    seat: Seat


EventT = TypeVar("EventT", bound=Event)
EventT_co = TypeVar("EventT_co", bound=Event, covariant=True)
EventT_contra = TypeVar("EventT_contra", bound=Event, contravariant=True)


def find_newest(kind: type[EventT], events: Sequence[Event]) -> EventT | None:
    """Return the newest event of a kind, or None."""
    return next((event for event in reversed(events) if isinstance(event, kind)), None)


OptionsT = TypeVar("OptionsT", bound=Options)
OptionsT_co = TypeVar("OptionsT_co", bound=Options, covariant=True)
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
ViewT = TypeVar("ViewT")
ViewT_co = TypeVar("ViewT_co", covariant=True)
ViewT_contra = TypeVar("ViewT_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class GameInfo(Generic[OptionsT_co]):
    """Facts about a game."""

    key: str
    title: str
    credits: str
    least_seats: int
    most_seats: int
    options: type[OptionsT_co]
    version: int
    """Increased whenever recorded games would replay differently."""
    step_limit: int
    """A number of steps that no game reaches; playouts fail at it."""
    minutes_per_seat: int
    """The usual length of a game in minutes, divided by the seats."""
    short_name: str = ""
    """The name of its commands, if not the key."""

    @property
    def command(self) -> str:
        """The name of the command group."""
        return self.short_name or self.key.replace("_", "-")

    @property
    def is_solo(self) -> bool:
        """Whether the game is for one player."""
        return self.most_seats == 1


Transition: TypeAlias = tuple[StateT, tuple[EventT, ...]]
"""The new state after a move, and the events."""


class Game(Protocol[OptionsT, StateT, MoveT, EventT_co, ViewT_co]):
    """The rules of one game: pure functions over frozen states."""

    @property
    def info(self) -> GameInfo[OptionsT]:
        """Facts about the game."""

    def start(self, options: OptionsT, seats: int, chance: Chance) -> StateT:
        """Set the game up."""

    def seat_to_move(self, state: StateT) -> Seat | None:
        """Return the seat to move, or None if the game is over."""

    def check(self, state: StateT, seat: Seat, move: MoveT) -> Refusal | None:
        """Return why a move is illegal, or None if it is legal; nothing else decides that."""

    def legal_moves(self, state: StateT) -> Sequence[MoveT]:
        """Return the legal moves in a stable order, with moves of the same type next to each other."""

    def play(self, state: StateT, seat: Seat, move: MoveT, chance: Chance) -> Transition[StateT, EventT_co]:
        """Apply a move.

        Raises:
            Refusal: The one that `check` returns.
        """

    def outcome(self, state: StateT) -> Outcome | None:
        """Return the ranking, or None if the game is not over."""

    def view(self, state: StateT, seat: Seat | None) -> ViewT_co:
        """Return what a seat or a spectator (None) may know."""

    def audit(self, state: StateT) -> tuple[str, ...]:
        """Return descriptions of inconsistencies in the state; empty if there are none."""

    def encode_position(self, state: StateT) -> str:
        """Return the position in the game's notation, which stays the same in later versions."""

    def parse_move(self, text: str) -> MoveT:
        """Parse a move; `str(move)` is the inverse.

        Raises:
            Refusal: The text is unreadable.
        """
