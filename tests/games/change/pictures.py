"""Pictures of Change for tests, and what can be seen there."""

from collections.abc import Sequence

from bot.games.change.picture.composition import build_picture
from bot.games.change.pieces import GameEvent, State
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from tests.games.change.positions import GAME
from tests.support.picture_checks import find_flaws


def draw_table(state: State, events: Sequence[GameEvent] = ()) -> Picture:
    drawn = build_picture(GAME.view(state, None), tuple(event for event in events if event.audience is None))
    assert list(find_flaws(drawn)) == []
    return drawn


def within(drawn: Picture, room: Rect) -> list[Mark]:
    return [mark for mark in drawn.iter_marks() if room.contains(mark.at)]


def sprites(marks: Sequence[Mark], start: str) -> list[Sprite]:
    return [mark for mark in marks if isinstance(mark, Sprite) and mark.name.startswith(start)]


def texts(marks: Sequence[Mark]) -> list[str]:
    return [mark.text for mark in marks if isinstance(mark, Label)]


def filled_boxes(drawn: Picture, ink: ColourRole) -> list[Rect]:
    return [mark.at for mark in drawn.marks if isinstance(mark, Box) and mark.fill is ink]
