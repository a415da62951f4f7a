"""Screens of Fortune for tests."""

from collections.abc import Sequence

from bot.games.fortune.pieces import GameEvent, State
from bot.games.fortune.screen import build_screen
from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Play, Screen, Toggle, Tone, to_news
from tests.games.fortune.positions import GAME

NAMES = ("Ada", "Ben", "Cleo", "Dan")
LONGEST_NAMES = ("\\*" * 32,) * 4


def draw(state: State, events: Sequence[GameEvent] = (), draft: Draft = EMPTY_DRAFT) -> Screen:
    names = NAMES[: len(state.scores)]
    return build_screen(GAME.view(state, None), to_news(events, names), names, draft)


def labels(screen: Screen) -> dict[str, str]:
    return {control.key: control.label for row in screen.controls for control in row}


def control(screen: Screen, key: str) -> Control:
    found = screen.find_control(key)
    assert found is not None, labels(screen)
    return found


def moves(screen: Screen) -> dict[str, str]:
    """Return the moves that can be pressed, by the keys of their controls."""
    every = [each for row in screen.controls for each in row]
    return {each.key: each.effect.move for each in every if isinstance(each.effect, Play)}


def highlighted_controls(screen: Screen) -> list[str]:
    return [each.key for each in screen.iter_controls() if each.tone is Tone.MAIN]


def picked_dice(screen: Screen) -> list[str]:
    """Return the dice that are picked."""
    every = screen.iter_controls()
    return [each.key for each in every if each.tone is Tone.CHOSEN and isinstance(each.effect, Toggle)]
