"""Scenes: finds the telling moments that a game names, the same ones on every machine."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.rules.chance import Chance, FairChance
from bot.rules.game import Event, Options, Seat
from bot.rules.package import GamePackage, Showcase, shown_moves_of
from bot.rules.picture import Picture
from bot.rules.playout import random_move

OptionsT = TypeVar("OptionsT", bound=Options)
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
ViewT = TypeVar("ViewT")

MAX_GAMES = 60
"""So many games are played in search of a scene before it is given up."""


class ShowcaseNotFound(Exception):
    """No game came to the scene."""


@dataclass(frozen=True, slots=True)
class Moment(Generic[StateT]):
    """A state, with the events of the newest moves."""

    state: StateT
    events: tuple[Event, ...]


def find_moment(
    package: GamePackage[OptionsT, StateT, MoveT, ViewT], scene: Showcase[OptionsT, StateT]
) -> Moment[StateT]:
    """Play games until one comes to the scene; raises ShowcaseNotFound."""
    options = scene.options or package.game.info.options()
    for number in range(MAX_GAMES):
        for moment in play_through(package, options, scene.seats, number):
            if scene.matches(moment.state, moment.events):
                return moment
    raise ShowcaseNotFound(f"{package.game.info.title} did not come to '{scene.name}' in {MAX_GAMES} games")


def play_through(
    package: GamePackage[OptionsT, StateT, MoveT, ViewT], options: OptionsT, seats: int, number: int
) -> Iterator[Moment[StateT]]:
    """Yield every moment of a game among the best computer players there are; each number is another game."""
    rules = package.game
    chance = FairChance(b"scenes", f"game {number}", 0)
    state, latest = rules.start(options, seats, chance), deque[tuple[Event, ...]](maxlen=shown_moves_of(package, seats))
    yield Moment(state, ())
    while (seat := rules.seat_to_move(state)) is not None:
        state, events = rules.play(state, seat, _choose_move(package, state, seat, chance), chance)
        latest.append(events)
        yield Moment(state, tuple(event for each in latest for event in each))


def _choose_move(
    package: GamePackage[OptionsT, StateT, MoveT, ViewT], state: StateT, seat: Seat, chance: Chance
) -> MoveT:
    moves = package.game.legal_moves(state)
    if not package.strategies:
        return random_move(moves, chance)
    best = list(package.strategies.values())[-1]
    return best(package.game.view(state, seat), moves, chance)


def picture_of(
    package: GamePackage[OptionsT, StateT, MoveT, ViewT], moment: Moment[StateT], hand_of: Seat | None = None
) -> Picture | None:
    """Return the picture of the table, or of somebody's hand; None where the game has none."""
    maker = package.build_picture if hand_of is None else package.build_hand_picture
    if maker is None:
        return None
    return maker(package.game.view(moment.state, hand_of), visible_events(hand_of, moment.events))


def visible_events(seat: Seat | None, news: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events that a seat may see, or that everybody may (None)."""
    return tuple(event for event in news if event.audience in (None, seat))
