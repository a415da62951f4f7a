"""What a game is to the host: its rules as a protocol, the outcome, a base class for turns, and the roll-off."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict

from bot.rules.chance import Chance, roll
from bot.rules.notation import Notation
from bot.rules.refusals import CommonReason, Refusal

ScoreT = TypeVar("ScoreT", int, tuple[int, ...])


class EndReason(StrEnum):
    """Base of the enums of reasons why a game ended."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The ranking of a game that is over."""

    places: tuple[int, ...]
    """The place of each seat; 1 is best, and ties are equal."""
    scores: tuple[int, ...]
    """The points of each seat."""
    reason: EndReason

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


def places_by_score(scores: Sequence[ScoreT]) -> tuple[int, ...]:
    """Rank seats by score, highest first; equal scores share a place, and the next place is skipped.

    Args:
        scores: A number for each seat, or a tuple whose later numbers break ties.
    """
    return tuple(1 + sum(other > score for other in scores) for score in scores)


def places_by_elimination(eliminated: Sequence[Collection[int]], seats: int) -> tuple[int, ...]:
    """Rank seats by when they were eliminated, latest first; those eliminated together share a place.

    Args:
        eliminated: Groups of seats that were eliminated together, earliest first.
        seats: The number of seats.
    """
    moments = {seat: moment for moment, gone in enumerate(eliminated) for seat in gone}
    return places_by_score([moments.get(seat, len(eliminated)) for seat in range(seats)])


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

    @property
    def is_staged(self) -> bool:
        """Whether the picture of the move that caused it is in motion although no number was drawn."""
        return False


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
StateT_co = TypeVar("StateT_co", covariant=True)
MoveT = TypeVar("MoveT")
ViewT = TypeVar("ViewT")
ViewT_co = TypeVar("ViewT_co", covariant=True)
ViewT_contra = TypeVar("ViewT_contra", contravariant=True)


def visible_events(seat: Seat | None, events: Sequence[EventT]) -> tuple[EventT, ...]:
    """Return the events that a seat or a spectator (None) may see."""
    return tuple([event for event in events if event.audience in (None, seat)])


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

    def turn_of(self, state: StateT) -> Hashable:
        """Return a key that is the same throughout a turn."""

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

    def encode_position(self, state: StateT) -> str:
        """Return the position in the game's notation, which stays the same in later versions."""

    def parse_move(self, text: str) -> MoveT:
        """Parse a move; `str(move)` is the inverse.

        Raises:
            Refusal: The text is unreadable.
        """


class TurnGame(ABC, Generic[StateT, MoveT, EventT]):
    """Base of games in which one seat at a time moves; a subclass adds the rest of `Game`."""

    notation: Notation[MoveT]

    @abstractmethod
    def seat_to_move(self, state: StateT) -> Seat | None:
        """Return the seat to move, or None if the game is over."""

    @abstractmethod
    def why_not(self, state: StateT, seat: Seat, move: MoveT) -> Refusal | None:
        """Return why a move by the seat to move is illegal, or None if it is legal."""

    @abstractmethod
    def apply_move(self, state: StateT, seat: Seat, move: MoveT, chance: Chance) -> Transition[StateT, EventT]:
        """Apply a legal move."""

    def turn_of(self, state: StateT) -> Hashable:
        """Return a key that is the same throughout a turn: the seat to move, unless the game tells another."""
        return self.seat_to_move(state)

    def check(self, state: StateT, seat: Seat, move: MoveT) -> Refusal | None:
        """Return why a move is illegal, or None if it is legal."""
        mover = self.seat_to_move(state)
        if seat != mover:
            return Refusal(CommonReason.GAME_OVER if mover is None else CommonReason.NOT_TO_MOVE)
        return self.why_not(state, seat, move)

    def play(self, state: StateT, seat: Seat, move: MoveT, chance: Chance) -> Transition[StateT, EventT]:
        """Apply a move.

        Raises:
            Refusal: The move is illegal; no random number has been drawn.
        """
        if refusal := self.check(state, seat, move):
            raise refusal
        return self.apply_move(state, seat, move, chance)

    def parse_move(self, text: str) -> MoveT:
        """Parse a move in the notation of its class."""
        return self.notation.parse(text)


Dice: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RollOffRound:
    """The dice of each seat still in the roll-off."""

    rolls: tuple[tuple[Seat, Dice], ...]

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """The seats with the highest total."""
        best = max(sum(dice) for _, dice in self.rolls)
        return tuple(seat for seat, dice in self.rolls if sum(dice) == best)


def roll_off(seats: int, dice: int, chance: Chance) -> tuple[RollOffRound, ...]:
    """Roll dice for all seats, then for those that tie, until one seat leads."""
    rounds: list[RollOffRound] = []
    contenders: tuple[Seat, ...] = tuple(range(seats))
    while len(contenders) > 1:
        rounds.append(RollOffRound(tuple((seat, roll(chance, dice)) for seat in contenders)))
        contenders = rounds[-1].leaders
    return tuple(rounds)
