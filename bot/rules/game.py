"""The protocol of a game: what the host may ask of its rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict

from bot.rules.chance import Chance
from bot.rules.outcome import Outcome
from bot.rules.refusals import Refusal

Seat: TypeAlias = int
"""A place at the table, counted from 0."""


class Options(BaseModel):
    """What can be chosen before a game starts; every option has a default."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Event:
    """Something that happened, in the past tense; subclasses are frozen dataclasses."""

    __slots__ = ()

    @property
    def audience(self) -> Seat | None:
        """The only seat that may see the event, or None when everybody may."""
        return None

    @property
    def reveals_information(self) -> bool:
        """Whether it brings something to light, so that the move can't be taken back; what is whispered does."""
        return self.audience is not None


@dataclass(frozen=True, slots=True)
class SeatEvent(Event):
    """Something that a seat did, or that happened to it."""

    seat: Seat


EventT = TypeVar("EventT", bound=Event)


def find_newest(kind: type[EventT], news: Sequence[Event]) -> EventT | None:
    """Return the newest event of a kind, or None."""
    return next((event for event in reversed(news) if isinstance(event, kind)), None)


OptionsT = TypeVar("OptionsT", bound=Options)
OptionsT_co = TypeVar("OptionsT_co", bound=Options, covariant=True)
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
ViewT_co = TypeVar("ViewT_co", covariant=True)


@dataclass(frozen=True, slots=True)
class GameInfo(Generic[OptionsT_co]):
    """What is fixed about a game, whoever plays it."""

    key: str
    title: str
    credits: str
    least_seats: int
    most_seats: int
    options: type[OptionsT_co]
    version: int
    """Counts up whenever recorded games would replay differently."""
    step_limit: int
    """Steps that no game in practice reaches: an alarm bound for playouts."""
    minutes_per_seat: int
    """About how long the usual game takes for each who plays."""
    short_name: str = ""
    """What its commands are called by, where that is not the key."""

    @property
    def command(self) -> str:
        """The name of its group of commands."""
        return self.short_name or self.key.replace("_", "-")

    @property
    def is_solo(self) -> bool:
        """Whether the game is for one person alone."""
        return self.most_seats == 1


Step: TypeAlias = tuple[StateT, tuple[Event, ...]]
"""What a move leads to: the new state, and what happened on the way."""


class Game(Protocol[OptionsT, StateT, MoveT, ViewT_co]):
    """The rules of one game: pure functions over frozen states."""

    @property
    def info(self) -> GameInfo[OptionsT]:
        """What is fixed about the game."""
        ...

    def start(self, options: OptionsT, seats: int, dice: Chance) -> StateT:
        """Set the game up."""
        ...

    def seat_to_move(self, state: StateT) -> Seat | None:
        """Return the seat that must act now, or None when the game is over."""
        ...

    def check(self, state: StateT, seat: Seat, move: MoveT) -> Refusal | None:
        """Return why the seat may not make the move, or None when it may; the only authority on legality."""
        ...

    def legal_moves(self, state: StateT) -> Sequence[MoveT]:
        """Return what the seat to move may do, in a stable order, moves of a kind side by side."""
        ...

    def play(self, state: StateT, seat: Seat, move: MoveT, dice: Chance) -> Step[StateT]:
        """Return the state after the move and what happened; raises the refusal of `check`."""
        ...

    def outcome(self, state: StateT) -> Outcome | None:
        """Return the ranking once the game is over."""
        ...

    def view(self, state: StateT, seat: Seat | None) -> ViewT_co:
        """Return what a seat may know, or a spectator (None)."""
        ...

    def audit(self, state: StateT) -> tuple[str, ...]:
        """Return the faults in the pieces; empty means sound."""
        ...

    def encode_position(self, state: StateT) -> str:
        """Return the position in the game's notation, stable over versions of the code."""
        ...

    def parse_move(self, text: str) -> MoveT:
        """Read a move; `str(move)` is the inverse. Raises an unreadable refusal."""
        ...
