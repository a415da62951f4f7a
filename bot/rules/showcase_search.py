"""Finds showcases in games between computer players; every machine finds the same moments."""

from collections import deque
from collections.abc import Iterator

from bot.rules.chance import Chance, FairChance
from bot.rules.game import Event, MoveT, OptionsT, Seat, StateT, ViewT
from bot.rules.package import GamePackage, shown_moves_of
from bot.rules.picture import Picture
from bot.rules.playout import random_move
from bot.rules.showcase import Moment, Showcase, visible_events

MAX_GAMES = 60
"""The number of games to search."""


class ShowcaseNotFound(Exception):
    """No game had the moment of a showcase."""


def find_moment(
    package: GamePackage[OptionsT, StateT, MoveT, ViewT], showcase: Showcase[OptionsT, StateT]
) -> Moment[StateT]:
    """Play games until one reaches the moment of a showcase.

    Raises:
        ShowcaseNotFound: None of `MAX_GAMES` games did.
    """
    options = showcase.options or package.game.info.options()
    for number in range(MAX_GAMES):
        for moment in play_through(package, options, showcase.seats, number):
            if showcase.matches(moment):
                return moment
    raise ShowcaseNotFound(f"{package.game.info.title} did not come to '{showcase.name}' in {MAX_GAMES} games")


def play_through(
    package: GamePackage[OptionsT, StateT, MoveT, ViewT], options: OptionsT, seats: int, number: int
) -> Iterator[Moment[StateT]]:
    """Yield every moment of a game between the strongest computer players; each number is another game."""
    rules = package.game
    chance = FairChance(b"scenes", f"game {number}", 0)
    state, latest = rules.start(options, seats, chance), deque[tuple[Event, ...]](maxlen=shown_moves_of(package, seats))
    seat = rules.seat_to_move(state)
    yield Moment(state, (), seat)
    while seat is not None:
        state, events = rules.play(state, seat, _choose_move(package, state, seat, chance), chance)
        latest.append(events)
        seat = rules.seat_to_move(state)
        yield Moment(state, tuple(event for each in latest for event in each), seat)


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
    """Return the picture of the table or of a hand, or None if the game has none."""
    maker = package.build_picture if hand_of is None else package.build_hand_picture
    if maker is None:
        return None
    return maker(package.game.view(moment.state, hand_of), visible_events(hand_of, moment.events))
