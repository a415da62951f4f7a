"""Screens of The Magic Bag, and what can be pressed there."""

from collections.abc import Mapping, Sequence

from bot.games.magic_bag.pieces import PIECES, GameEvent, State
from bot.games.magic_bag.screen import build_screen
from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Play, Screen, Toggle, to_news
from tests.games.magic_bag.positions import play_move

FAR: Mapping[int, str] = {9: "sun-4 moon-4 crown-4 arms-4"}
ROWS: Mapping[int, str] = {2: "sun-5", 3: "crown-2 arms-null", **FAR}
EVERYTHING = " ".join(map(str, PIECES))


def draw(state: State, events: Sequence[GameEvent] = (), draft: Draft = EMPTY_DRAFT) -> Screen:
    return build_screen(state, to_news(events, ("Ada",)), ("Ada",), draft)


def draw_after(state: State, move: str, *script: int | str) -> Screen:
    """Draw the screen after a move."""
    return draw(*play_move(state, move, *script))


def controls(screen: Screen) -> list[Control]:
    """Return the buttons, then the lines of menus."""
    lines = [control for menu in screen.menus for control in menu.controls]
    return [*(control for row in screen.controls for control in row), *lines]


def moves_by_label(screen: Screen) -> dict[str, str]:
    """Return the moves that can be pressed, by their labels."""
    return {control.label: control.effect.move for control in controls(screen) if isinstance(control.effect, Play)}


def press_toggles(state: State, *keys: str) -> Screen:
    """Press toggles one after another and return the screen."""
    draft = EMPTY_DRAFT
    for key in keys:
        control = draw(state, draft=draft).find_control(key)
        assert control is not None, key
        assert isinstance(control.effect, Toggle)
        draft ^= {control.effect.token}
    return draw(state, draft=draft)
