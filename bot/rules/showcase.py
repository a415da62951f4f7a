"""Scenes: finds the telling moments that a game names, the same ones on every machine."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.rules.chance import Chance, FairChance
from bot.rules.game import Event, Options, Seat
from bot.rules.package import GamePackage, Scene, moves_told_of
from bot.rules.picture import Picture
from bot.rules.playout import random_move

MOST_GAMES = 60
"""So many games are played in search of a scene before it is given up."""


class NeverSeen(Exception):
    """No game came to the scene."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A state, with the events of the newest moves."""

    state: Any
    news: tuple[Event, ...]


def moment_of(package: GamePackage, scene: Scene) -> Moment:
    """Play games until one comes to the scene; raises NeverSeen."""
    options = scene.options or package.game.info.options()
    for number in range(MOST_GAMES):
        for moment in play_through(package, options, scene.seats, number):
            if scene.shows(moment.state, moment.news):
                return moment
    raise NeverSeen(f"{package.game.info.title} did not come to '{scene.name}' in {MOST_GAMES} games")


def play_through(package: GamePackage, options: Options, seats: int, number: int) -> Iterator[Moment]:
    """Yield every moment of a game among the best computer players there are; each number is another game."""
    rules = package.game
    chance = FairChance(b"scenes", f"game {number}", 0)
    state, latest = rules.start(options, seats, chance), deque[tuple[Event, ...]](maxlen=moves_told_of(package, seats))
    yield Moment(state, ())
    while (seat := rules.to_move(state)) is not None:
        state, events = rules.play(state, seat, _chosen(package, state, seat, chance), chance)
        latest.append(events)
        yield Moment(state, tuple(event for each in latest for event in each))


def _chosen(package: GamePackage, state: Any, seat: Seat, chance: Chance) -> Any:
    moves = package.game.moves(state)
    if not package.players:
        return random_move(moves, chance)
    best = list(package.players.values())[-1]
    return best(package.game.view(state, seat), moves, chance)


def picture_of(package: GamePackage, moment: Moment, hand_of: Seat | None = None) -> Picture | None:
    """Return the picture of the table, or of somebody's hand; None where the game has none."""
    maker = package.picture if hand_of is None else package.hand_picture
    if maker is None:
        return None
    return maker(package.game.view(moment.state, hand_of), seen_by(hand_of, moment.news))


def seen_by(seat: Seat | None, news: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events that a seat may see, or that everybody may (None)."""
    return tuple(event for event in news if event.audience in (None, seat))
