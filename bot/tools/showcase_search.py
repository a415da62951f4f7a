"""Finds showcases in games between computer players; every machine finds the same moments."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from bot.rules.chance import Chance, FairChance
from bot.rules.game import EventT, MoveT, OptionsT, Seat, StateT, ViewT, visible_events
from bot.rules.package import GamePackage, on_surface, shown_moves_of, usual_strategy
from bot.rules.picture import Picture
from bot.rules.playout import random_move
from bot.tools.showcases import SHOWCASE_NAMEPLATES, Showcase, ShownState

MAX_GAMES = 60
"""The number of games to search."""


class ShowcaseNotFound(Exception):
    """No game had the moment of a showcase."""


def find_moments(
    package: GamePackage[OptionsT, StateT, MoveT, EventT, ViewT],
    showcases: Sequence[Showcase[OptionsT, StateT, EventT]],
) -> dict[str, ShownState[StateT, EventT]]:
    """Play games until the moments of all showcases are reached, and return them by the showcases' names.

    Showcases with the same options, seats and first game share the games.

    Raises:
        ShowcaseNotFound: None of `MAX_GAMES` games had the moment of a showcase.
    """
    alike = defaultdict[tuple[OptionsT, int, int], list[Showcase[OptionsT, StateT, EventT]]](list)
    for showcase in showcases:
        options = showcase.options or package.game.info.options()
        alike[options, showcase.seats, showcase.first_game].append(showcase)
    found = dict[str, ShownState[StateT, EventT]]()
    for (options, seats, first), wanted in alike.items():
        games = (play_through(package, options, seats, number) for number in range(first, first + MAX_GAMES))
        found |= _find_all(wanted, chain.from_iterable(games))
    if missing := [showcase.name for showcase in showcases if showcase.name not in found]:
        raise ShowcaseNotFound(f"{package.game.info.title} did not come to '{missing[0]}' in {MAX_GAMES} games")
    return found


def _find_all(
    showcases: Sequence[Showcase[OptionsT, StateT, EventT]], moments: Iterable[ShownState[StateT, EventT]]
) -> dict[str, ShownState[StateT, EventT]]:
    """Return the first moment of each showcase."""
    found = dict[str, ShownState[StateT, EventT]]()
    for moment in moments:
        new = [each for each in showcases if each.name not in found and each.matches(moment)]
        found |= dict.fromkeys((each.name for each in new), moment)
        if len(found) == len(showcases):
            break
    return found


def play_through(
    package: GamePackage[OptionsT, StateT, MoveT, EventT, ViewT], options: OptionsT, seats: int, number: int
) -> Iterator[ShownState[StateT, EventT]]:
    """Yield every moment of a game between the strongest computer players; each number is another game."""
    rules = package.game
    chance = FairChance(b"scenes", f"game {number}", 0)
    state, latest = (
        rules.start(options, seats, chance),
        deque[tuple[EventT, ...]](maxlen=shown_moves_of(package, seats)),
    )
    seat = rules.seat_to_move(state)
    yield ShownState(state, (), seat)
    while seat is not None:
        state, events = rules.play(state, seat, choose_move(package, state, seat, chance), chance)
        latest.append(events)
        seat = rules.seat_to_move(state)
        yield ShownState(state, tuple(event for each in latest for event in each), seat)


def choose_move(
    package: GamePackage[OptionsT, StateT, MoveT, EventT, ViewT], state: StateT, seat: Seat, chance: Chance
) -> MoveT:
    """Return the move of the usual computer player, or a random one if the game has none."""
    moves = package.game.legal_moves(state)
    choose = usual_strategy(package)
    return choose(package.game.view(state, seat), moves, chance) if choose else random_move(moves, chance)


def picture_of(
    package: GamePackage[OptionsT, StateT, MoveT, EventT, ViewT],
    moment: ShownState[StateT, EventT],
    hand_of: Seat | None = None,
) -> Picture | None:
    """Return the picture of the table or of a hand, or None if the game has none."""
    maker = package.look.build_picture if hand_of is None else package.look.build_hand_picture
    if maker is None:
        return None
    view, events = package.game.view(moment.state, hand_of), visible_events(hand_of, moment.events)
    return on_surface(package, maker(view, events, SHOWCASE_NAMEPLATES))
