"""Screens of The Magic Bag, and what can be pressed there."""

from collections.abc import Mapping, Sequence

from bot.games.magic_bag.pieces import PIECES, State
from bot.games.magic_bag.screen import show
from bot.rules.game import Event
from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Play, Screen, Toggle, news_of
from tests.games.magic_bag.positions import turn

FAR: Mapping[int, str] = {9: "sun-4 moon-4 crown-4 arms-4"}
ROWS: Mapping[int, str] = {2: "sun-5", 3: "crown-2 arms-null", **FAR}
EVERYTHING = " ".join(map(str, PIECES))


def drawn(state: State, news: Sequence[Event] = (), draft: Draft = EMPTY_DRAFT) -> Screen:
    return show(state, news_of(news, ("Ada",)), ("Ada",), draft)


def after(state: State, move: str, *script: int | str) -> Screen:
    """Draw the screen after a move."""
    return drawn(*turn(state, move, *script))


def controls(screen: Screen) -> list[Control]:
    return [control for row in screen.controls for control in row]


def played(screen: Screen) -> dict[str, str]:
    """Return the moves that can be pressed, by their labels."""
    return {control.label: control.effect.move for control in controls(screen) if isinstance(control.effect, Play)}


def pressed(state: State, *keys: str) -> Screen:
    """Press toggles one after another and return the screen."""
    draft = EMPTY_DRAFT
    for key in keys:
        control = drawn(state, draft=draft).control(key)
        assert control is not None, key
        assert isinstance(control.effect, Toggle)
        draft ^= {control.effect.token}
    return drawn(state, draft=draft)
