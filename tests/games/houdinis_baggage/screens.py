"""Screens of Mr. Houdini's Baggage for tests."""

from collections.abc import Sequence

from bot.games.houdinis_baggage.pieces import GameEvent, State
from bot.games.houdinis_baggage.screen import build_screen
from bot.rules.screen import EMPTY_DRAFT, Draft, Screen, to_news
from bot.tools.contract.screen_checks import find_excess
from tests.games.houdinis_baggage.positions import GAME

NAMES = ("Ada", "Bo", "Cy", "Di")


def draw(state: State, events: Sequence[GameEvent] = (), draft: Draft = EMPTY_DRAFT) -> Screen:
    names = NAMES[: len(state.players)]
    screen = build_screen(GAME.view(state, None), to_news(events, names), names, draft)
    assert list(find_excess(screen)) == []
    return screen
